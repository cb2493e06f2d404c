// The ingestion service as an HTTP application without a framework: it starts in the time a Lambda has.
// Guarantees: JSON for every answer but the pixel; a 4xx for anything malformed, a 503 with Retry-After for anything
// that is our fault; X-Request-Id always.
import type { HttpApp, IncomingRequest, Reply } from '../../../lib/core/http/http-message.ts';
import {
  hasInvalidText,
  markInvalidTexts,
  parseStrictJson,
  STRICT_JSON_TEXTS,
} from '../../../lib/core/http/strict-json.ts';
import { EVENT_LIMITS } from '../../../lib/events/domain/event.ts';
import { getPixel, postBrowserEvents } from './browser-path.ts';
import type { IngestionPorts } from './ports.ts';
import { failure, retryLater } from './replies.ts';
import { authenticate, batchOf, postEvent, postIngest } from './server-path.ts';

/** Says who is asking, before anything of the body is read; a reply is a refusal. */
type Authenticate = (
  request: IncomingRequest,
  ports: IngestionPorts,
) => Promise<{ readonly merchantId: string } | Reply>;
type Post = (
  request: IncomingRequest,
  value: unknown,
  ports: IngestionPorts,
  caller: { readonly merchantId: string },
) => Promise<Reply>;

interface IngestionRoute {
  readonly method: 'GET' | 'POST';
  /** sendBeacon can only send text/plain; the JSON inside is read as strictly. */
  readonly plainText?: true;
  readonly cors?: true;
  readonly authenticate?: Authenticate;
  readonly post?: Post;
}

const ROUTES: ReadonlyMap<string, IngestionRoute> = new Map<string, IngestionRoute>([
  ['/v1/events', { method: 'POST', authenticate, post: postEvent }],
  ['/v1/ingest', { method: 'POST', authenticate, post: postIngest }],
  ['/v1/browser/events', { method: 'POST', plainText: true, cors: true, post: postBrowserEvents }],
  ['/v1/pixel.js', { method: 'GET', cors: true }],
]);

/** Which of them a function serves: those with a credential, those without, or, in tests, all. */
export type IngestionPart = 'server' | 'browser' | 'all';

const isServed = (route: IngestionRoute, part: IngestionPart): boolean =>
  part === 'all' || (part === 'browser') === (route.authenticate === undefined);

const NOBODY = { merchantId: '' };
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after',
  'cross-origin-resource-policy': 'cross-origin',
};
const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
};

export function createIngestionApp(
  ports: IngestionPorts & { readonly report: (problem: string, error: unknown) => void },
  part: IngestionPart = 'all',
): HttpApp {
  return async (request) => {
    const route = ROUTES.get(request.path);
    const reply =
      route === undefined || isServed(route, part)
        ? await answer(request, route, ports)
        : failure('misdirected_request');
    return {
      ...reply,
      headers: {
        ...reply.headers,
        ...(route?.cors === true ? CORS : {}),
        'x-request-id': request.requestId,
      },
    };
  };
}

async function answer(
  request: IncomingRequest,
  route: IngestionRoute | undefined,
  ports: IngestionPorts & { readonly report: (problem: string, error: unknown) => void },
): Promise<Reply> {
  if (route === undefined) return failure('route_not_found');
  const method = request.method === 'HEAD' && route.method === 'GET' ? 'GET' : request.method;
  if (method === 'OPTIONS' && route.cors === true) return { status: 204, headers: PREFLIGHT, body: '' };
  if (method !== route.method) return failure('method_not_allowed', { headers: { allow: allowed(route) } });
  try {
    if (route.post === undefined) return getPixel(request, ports);
    return await readAndPost(request, route, route.post, ports);
  } catch (error) {
    ports.report('a request failed', error);
    return retryLater('unavailable', 1);
  }
}

async function readAndPost(
  request: IncomingRequest,
  route: IngestionRoute,
  post: Post,
  ports: IngestionPorts,
): Promise<Reply> {
  if (!isAcceptedType(request.headers['content-type'], route.plainText === true))
    return failure('unsupported_media_type');
  const caller = (await route.authenticate?.(request, ports)) ?? NOBODY;
  if ('status' in caller) return caller;
  if (request.body.byteLength > EVENT_LIMITS.bodySizeMaxBytes) return failure('payload_too_large');
  const parsed = parseStrictJson(request.body);
  if (parsed.ok) return await post(request, parsed.value, ports, caller);
  const rest = validEvents(parsed.value);
  if (rest !== null) return await post(request, rest, ports, caller);
  return failure(parsed.code, { details: [{ path: '', message: STRICT_JSON_TEXTS[parsed.reason] }] });
}

/** A batch in which only some events hold a wrong text: they are refused one by one, the others are not theirs to lose. */
function validEvents(value: unknown): unknown {
  const events = batchOf(value);
  if (events === null) return null;
  const batch = { ...(value as object), events: [] };
  return hasInvalidText(batch) ? null : { ...batch, events: markInvalidTexts(events) };
}

function isAcceptedType(contentType: string | undefined, plainText: boolean): boolean {
  if (contentType === 'application/json') return true;
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json' || /^application\/[a-z0-9.+-]+\+json$/.test(type)) return true;
  return plainText && (type === 'text/plain' || type === '');
}

const allowed = (route: IngestionRoute): string =>
  [
    route.method,
    ...(route.method === 'GET' ? ['HEAD'] : []),
    ...(route.cors === true ? ['OPTIONS'] : []),
  ].join(', ');
