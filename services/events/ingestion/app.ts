// The ingestion service as an HTTP application without a framework: it starts in the time a Lambda has. What a route is
// (path, method, credential, limits, pages that may call it) comes from the contract; refusals and their order are in
// request-rules.ts, as in every application here.
// Refusals are counted per merchant, concurrently with the answer (`refusal-counter.ts`). Guarantees: JSON for every
// answer but the pixel; a 4xx for anything malformed, a 503 with Retry-After for anything that is our fault.
import { corsHeaders, preflightHeaders } from '#lib/core/http/cors.ts';
import type { HttpApp, IncomingRequest, Reply } from '#lib/core/http/http-message.ts';
import {
  ENCODINGS_HEADER,
  encodingOf,
  mediaTypeOf,
  REPLY_HEADERS,
  RETRY_AFTER_SEC,
  readBody,
  UNKNOWN_ENCODING,
} from '#lib/core/http/request-rules.ts';
import { BODY_SIZE_MAX_BYTES, methodsOf, type Route } from '#lib/core/http/route.ts';
import { EVENT_LIMITS } from '#lib/events/domain/event/event.ts';
import { requestNames } from '#lib/events/domain/event/request-names.ts';
import { INGESTION_ROUTES, SEGMENT_ROUTES } from '#lib/events/routes/ingestion.ts';
import type { RequestPorts } from './ports.ts';
import { readBodyValue } from './read-body.ts';
import { createRefusalCounter, type RefusalCounter } from './refusal-counter.ts';
import { type Answer, failure, ofMerchant, retryLater } from './replies.ts';
import type { EventLimits } from './server-limit.ts';
import type { Sender } from './server-path.ts';
import { tallyOf } from './tally.ts';

export type Caller = Sender & { readonly keyId?: string } & Partial<EventLimits>;
/** `sizeBytes`: of the body, unpacked. */
export type Post = (
  request: IncomingRequest,
  value: unknown,
  caller: Caller,
  sizeBytes: number,
) => Promise<Answer>;

/** The routes that one function serves. */
export interface Part {
  readonly isServed: (route: Route) => boolean;
  /** The merchant of the request, or the refusal. */
  readonly authenticate: (request: IncomingRequest, route: Route) => Promise<Caller | Answer>;
  /** By path. */
  readonly posts: Readonly<Record<string, Post>>;
  readonly gets: Readonly<Record<string, (request: IncomingRequest) => Reply>>;
}

/** No two of these routes share a path. */
const ROUTES: ReadonlyMap<string, Route> = new Map(
  [...INGESTION_ROUTES, ...SEGMENT_ROUTES].flatMap((route: Route) =>
    [route.path, ...(route.aliases ?? [])].map((path) => [path, route] as const),
  ),
);
export const NOBODY: Caller = { merchantId: '' };
const JSON_ONLY = ['application/json'];

export function createApp(ports: RequestPorts, part: Part): HttpApp {
  const refusals = createRefusalCounter(ports);
  return async (request) => {
    // First, so that the write runs while this request waits for other I/O.
    refusals.writeDue();
    const route = ROUTES.get(request.path);
    const reply =
      route === undefined || part.isServed(route)
        ? await answer(request, route, part, ports, refusals)
        : failure('misdirected_request');
    const headers = {
      ...REPLY_HEADERS,
      ...corsHeaders(route?.cors, request.headers.origin, []),
      ...reply.headers,
      'x-request-id': request.requestId,
    };
    const facts = { ...reply.facts, route: route?.path, code: reply.codes?.[0] };
    return { status: reply.status, headers, body: reply.body, facts };
  };
}

async function answer(
  request: IncomingRequest,
  route: Route | undefined,
  part: Part,
  ports: RequestPorts,
  refusals: RefusalCounter,
): Promise<Answer> {
  if (route === undefined) return failure('route_not_found');
  const method = request.method === 'HEAD' && route.method === 'GET' ? 'GET' : request.method;
  if (method === 'OPTIONS' && route.cors !== undefined)
    return { status: 204, headers: preflightHeaders([route]), body: '' };
  if (method !== route.method)
    return failure('method_not_allowed', { headers: { allow: methodsOf([route]).join(', ') } });
  try {
    const get = part.gets[route.path];
    if (get !== undefined) return get(request);
    const reply = await readAndPost(request, route, part);
    if (reply.refused !== undefined && reply.merchant !== undefined)
      await refusals.note(reply.merchant, reply.refused);
    return reply;
  } catch (error) {
    ports.report('a request failed', error);
    return retryLater('unavailable', RETRY_AFTER_SEC);
  }
}

async function readAndPost(request: IncomingRequest, route: Route, part: Part): Promise<Answer> {
  const caller = await part.authenticate(request, route);
  if ('status' in caller) return caller;
  const sender = caller === NOBODY ? caller : { ...caller, request: requestNames(request.headers) };
  const reply = await readFor(sender, request, route, part);
  if (caller === NOBODY) return reply;
  const { merchantId, keyId } = caller;
  return ofMerchant(reply, { merchant: merchantId, key: keyId });
}

async function readFor(
  caller: Caller,
  request: IncomingRequest,
  route: Route,
  { posts }: Part,
): Promise<Answer> {
  if (!isAcceptedType(request, route)) return failure('unsupported_media_type');
  const encoding = encodingOf(request.headers['content-encoding']);
  if (encoding === null)
    return failure('unsupported_media_type', { details: UNKNOWN_ENCODING, headers: ENCODINGS_HEADER });
  const body = readBody(request.body, encoding, route.bodySizeMaxBytes ?? BODY_SIZE_MAX_BYTES);
  if (!body.ok) return failure(body.code, { details: body.details });
  const isBrowser = route.auth === 'public';
  const { browserEventSizeMaxBytes, eventSizeMaxBytes } = EVENT_LIMITS;
  const list = route.path.endsWith('/batch') ? 'batch' : 'events';
  const read = readBodyValue(body.bytes, isBrowser ? browserEventSizeMaxBytes : eventSizeMaxBytes, list);
  if (!read.ok) return failure(read.code, { details: read.details });
  const post = posts[route.path];
  if (post === undefined) throw new Error(`nothing answers ${route.path}`);
  const reply = await post(request, read.value, caller, body.bytes.byteLength);
  return { ...reply, facts: { ...reply.facts, events: tallyOf(reply, read.value, list) } };
}

/**
 * A request without a body needs no content type. sendBeacon can only send text/plain; its JSON is read as strictly.
 */
function isAcceptedType({ headers, body }: IncomingRequest, route: Route): boolean {
  if (route.anyBodyType === true) return true;
  const type = mediaTypeOf(headers['content-type']);
  const types = route.bodyTypes ?? JSON_ONLY;
  if (type === '') return body.byteLength === 0 || types.includes('text/plain');
  return types.includes(type);
}
