// What servers call, with the merchant's limits in front.
import type { HttpApp } from '#lib/core/http/http-message.ts';
import { EVENT_LIMITS } from '#lib/events/domain/event/event.ts';
import { SEGMENT_CALLS } from '#lib/events/domain/segment/fields.ts';
import { type Caller, createApp, type Part, type Post } from './app.ts';
import type { ServerPorts } from './ports.ts';
import { batchOf } from './read-body.ts';
import type { Answer } from './replies.ts';
import { postSegmentBatch, postSegmentCall } from './segment-path.ts';
import { refusedByLimit } from './server-limit.ts';
import { authenticate, postEvent, postIngest } from './server-path.ts';

export const createServerIngestion = (ports: ServerPorts): HttpApp => createApp(ports, serverPart(ports));

const serverPart = (ports: ServerPorts): Part => ({
  isServed: (route) => route.auth !== 'public',
  authenticate: (request, route) => authenticate(request, route.auth, ports),
  posts: {
    '/v1/events': limited(ports, (value, caller) => postEvent(value, ports, caller)),
    '/v1/ingest': limited(ports, (value, caller) => postIngest(value, ports, caller), 'events'),
    '/v1/batch': limited(ports, (value, caller) => postSegmentBatch(value, ports, caller), 'batch'),
    ...Object.fromEntries(
      SEGMENT_CALLS.map((call): [string, Post] => [
        `/v1/${call}`,
        limited(ports, (value, caller) => postSegmentCall(call, value, ports, caller)),
      ]),
    ),
  },
  gets: {},
});

/** `list`: of a body that may be a batch. */
function limited(
  ports: ServerPorts,
  post: (value: unknown, caller: Caller) => Promise<Answer>,
  list?: 'events' | 'batch',
): Post {
  return async (_request, value, caller, sizeBytes) => {
    const sent = list === undefined ? null : batchOf(value, list);
    // More than a batch may hold is refused, and uses up no more than a full batch.
    const events = Math.min(sent?.length ?? 1, EVENT_LIMITS.batchEventsMax);
    return (await refusedByLimit(caller, { events, sizeBytes }, ports)) ?? (await post(value, caller));
  };
}
