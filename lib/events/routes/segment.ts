// The calls of Segment's tracking API, so that code written for its libraries can send here by a change of host and write
// key. What each field becomes is docs/reference/segment.md. The app that answers is services/events/ingestion.
import * as z from 'zod';
import { defineRoute } from '../../core/http/route.ts';
import { EVENT_LIMITS } from '../domain/event/event.ts';
import { SEGMENT_CALLS, type SegmentCall } from '../domain/segment/fields.ts';
import { eventResults } from './ingestion.ts';

const message = z
  .object({
    messageId: z.string().max(EVENT_LIMITS.eventIdMaxChars).optional().meta({
      description: 'Becomes the event_id: a message sent twice within 24 hours is one event.',
    }),
    userId: z.string().nullish(),
    anonymousId: z.string().nullish(),
    timestamp: z.string().optional(),
    context: z.looseObject({}).optional(),
    integrations: z.looseObject({}).optional(),
  })
  .loose()
  .meta({ id: 'SegmentMessage', description: 'userId or anonymousId is required.' });

/** Of RudderStack's clients; Segment's have `/v1/import` for what lies in the past. */
const BATCH_ALIASES = ['/v1/b', '/v1/import'];
const ALIASES: Readonly<Record<SegmentCall, readonly string[]>> = {
  track: ['/v1/t'],
  page: ['/v1/p'],
  screen: ['/v1/s'],
  identify: ['/v1/i'],
  group: ['/v1/g'],
  alias: ['/v1/a'],
};

const one = (call: SegmentCall) =>
  defineRoute({
    id: `postSegment${call.charAt(0).toUpperCase()}${call.slice(1)}` as `postSegment${Capitalize<SegmentCall>}`,
    part: 'ingestion',
    method: 'POST',
    path: `/v1/${call}`,
    aliases: ALIASES[call],
    summary: `Accept one ${call} call of Segment's tracking API`,
    auth: { key: 'events:write', basic: true },
    body: message,
    replies: { 200: z.object({ success: z.literal(true) }) },
    errors: ['misdirected_request'],
    bodySizeMaxBytes: EVENT_LIMITS.eventSizeMaxBytes,
    anyBodyType: true,
  });

export const postSegmentBatch = defineRoute({
  id: 'postSegmentBatch',
  part: 'ingestion',
  method: 'POST',
  path: '/v1/batch',
  aliases: BATCH_ALIASES,
  summary: "Accept a batch of Segment's tracking API, answered message by message",
  auth: { key: 'events:write', basic: true },
  body: z.object({
    batch: z
      .array(message.safeExtend({ type: z.enum(SEGMENT_CALLS) }))
      .min(1)
      .max(EVENT_LIMITS.batchEventsMax),
    sentAt: z.string().optional(),
  }),
  replies: { 200: eventResults },
  errors: ['misdirected_request'],
  bodySizeMaxBytes: EVENT_LIMITS.batchSizeMaxBytes,
  anyBodyType: true,
});

export const SEGMENT_ROUTES = [postSegmentBatch, ...SEGMENT_CALLS.map(one)] as const;
