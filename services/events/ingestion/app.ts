// The ingestion service as an HTTP application without a framework: it starts in the time a Lambda has. What a route is
// (path, method, credential, limits, pages that may call it) is folded from the contract; what is refused, and in which
// order, is request-rules.ts, as in every application here.
// What it refuses is counted for the merchant it is refused to, beside the answer (`refusal-counter.ts`).
// Guarantees: JSON for every answer but the pixel; a 4xx for anything malformed, a 503 with Retry-After for anything
// that is our fault.
import { corsHeaders, preflightHeaders } from '../../../lib/core/http/cors.ts';
import type { HttpApp, IncomingRequest, Reply } from '../../../lib/core/http/http-message.ts';
import {
  ENCODINGS_HEADER,
  encodingOf,
  mediaTypeOf,
  REPLY_HEADERS,
  RETRY_AFTER_SEC,
  readBody,
  UNKNOWN_ENCODING,
} from '../../../lib/core/http/request-rules.ts';
import { BODY_SIZE_MAX_BYTES, methodsOf, type Route } from '../../../lib/core/http/route.ts';
import { EVENT_LIMITS } from '../../../lib/events/domain/event.ts';
import { SEGMENT_CALLS } from '../../../lib/events/domain/segment/fields.ts';
import { INGESTION_ROUTES } from '../../../lib/events/routes/ingestion.ts';
import { SEGMENT_ROUTES } from '../../../lib/events/routes/segment.ts';
import { getPixel, postBrowserEvents } from './browser-path.ts';
import type { IngestionPorts } from './ports.ts';
import { readBodyValue } from './read-body.ts';
import { createRefusalCounter, type RefusalCounter } from './refusal-counter.ts';
import { type Answer, failure, retryLater } from './replies.ts';
import { postSegmentBatch, postSegmentCall } from './segment-path.ts';
import { authenticate, postEvent, postIngest } from './server-path.ts';

type Post = (
  request: IncomingRequest,
  value: unknown,
  ports: IngestionPorts,
  caller: { readonly merchantId: string },
) => Promise<Answer>;

/** No two of these routes share a path. */
const ROUTES: ReadonlyMap<string, Route> = new Map(
  [...INGESTION_ROUTES, ...SEGMENT_ROUTES].map((route) => [route.path, route]),
);
/** By path. */
const POSTS: Readonly<Record<string, Post>> = {
  '/v1/events': postEvent,
  '/v1/ingest': postIngest,
  '/v1/browser/events': postBrowserEvents,
  '/v1/batch': postSegmentBatch,
  ...Object.fromEntries(SEGMENT_CALLS.map((call) => [`/v1/${call}`, postSegmentCall(call)])),
};

/** Which of them a function serves: those with a credential, those without, or, in tests, all. */
export type IngestionPart = 'server' | 'browser' | 'all';

const isServed = (route: Route, part: IngestionPart): boolean =>
  part === 'all' || (part === 'browser') === (route.auth === 'public');

const NOBODY = { merchantId: '' };
const JSON_ONLY = ['application/json'];

export function createIngestionApp(
  ports: IngestionPorts & { readonly report: (problem: string, error: unknown) => void },
  part: IngestionPart = 'all',
): HttpApp {
  const refusals = createRefusalCounter(ports);
  return async (request) => {
    // First, so that it is under way beside whatever this request waits for.
    refusals.writeDue();
    const route = ROUTES.get(request.path);
    const reply =
      route === undefined || isServed(route, part)
        ? await answer(request, route, ports, refusals)
        : failure('misdirected_request');
    const headers = {
      ...REPLY_HEADERS,
      ...corsHeaders(route?.cors, request.headers.origin, []),
      ...reply.headers,
      'x-request-id': request.requestId,
    };
    return { status: reply.status, headers, body: reply.body };
  };
}

async function answer(
  request: IncomingRequest,
  route: Route | undefined,
  ports: IngestionPorts & { readonly report: (problem: string, error: unknown) => void },
  refusals: RefusalCounter,
): Promise<Reply> {
  if (route === undefined) return failure('route_not_found');
  const method = request.method === 'HEAD' && route.method === 'GET' ? 'GET' : request.method;
  if (method === 'OPTIONS' && route.cors !== undefined)
    return { status: 204, headers: preflightHeaders([route]), body: '' };
  if (method !== route.method)
    return failure('method_not_allowed', { headers: { allow: methodsOf([route]).join(', ') } });
  try {
    const post = POSTS[route.path];
    if (post === undefined) return getPixel(request, ports);
    const reply = await readAndPost(request, route, post, ports);
    if (reply.refused !== undefined && reply.merchant !== undefined)
      await refusals.note(reply.merchant, reply.refused);
    return reply;
  } catch (error) {
    ports.report('a request failed', error);
    return retryLater('unavailable', RETRY_AFTER_SEC);
  }
}

async function readAndPost(
  request: IncomingRequest,
  route: Route,
  post: Post,
  ports: IngestionPorts,
): Promise<Answer> {
  if (route.auth === 'public') return await readFor(NOBODY, request, route, post, ports);
  const caller = await authenticate(request, route.auth, ports);
  if ('status' in caller) return caller;
  const reply = await readFor(caller, request, route, post, ports);
  if (reply.refused === undefined) return reply;
  return { ...reply, merchant: { merchantId: caller.merchantId, isKnown: true } };
}

async function readFor(
  caller: { readonly merchantId: string },
  request: IncomingRequest,
  route: Route,
  post: Post,
  ports: IngestionPorts,
): Promise<Answer> {
  if (!isAcceptedType(request, route)) return failure('unsupported_media_type');
  const encoding = encodingOf(request.headers['content-encoding']);
  if (encoding === null)
    return failure('unsupported_media_type', { details: UNKNOWN_ENCODING, headers: ENCODINGS_HEADER });
  const body = readBody(request.body, encoding, route.bodySizeMaxBytes ?? BODY_SIZE_MAX_BYTES);
  if (!body.ok) return failure(body.code, { details: body.details });
  const isBrowser = route.auth === 'public';
  const { browserEventSizeMaxBytes, eventSizeMaxBytes } = EVENT_LIMITS;
  const list = route.path === '/v1/batch' ? 'batch' : 'events';
  const read = readBodyValue(body.bytes, isBrowser ? browserEventSizeMaxBytes : eventSizeMaxBytes, list);
  if (!read.ok) return failure(read.code, { details: read.details });
  return await post(request, read.value, ports, caller);
}

/** No body needs no type. sendBeacon can only send text/plain; the JSON inside is read as strictly. */
function isAcceptedType({ headers, body }: IncomingRequest, route: Route): boolean {
  const type = mediaTypeOf(headers['content-type']);
  const types = route.bodyTypes ?? JSON_ONLY;
  if (type === '') return body.byteLength === 0 || types.includes('text/plain');
  return types.includes(type);
}
