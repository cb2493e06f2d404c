// Which web pages may call which route (https://fetch.spec.whatwg.org/#http-cors-protocol, read 2026-11-21). Guarantees:
// no credentialed mode anywhere, so `*` gives nothing away; an origin is told about itself only, and caches hear that the
// answer depends on it. Bearer tokens are sent by the page's own code, never by the browser.
import { type Cors, methodsOf, type Route } from './route.ts';

type Headers = Readonly<Record<string, string>>;
/** What a page may read or send besides, because of what the route says. */
type Asked = Pick<Route, 'auth' | 'rateLimit'>;

const EXPOSED =
  'retry-after, x-request-id, server-timing, ratelimit-limit, ratelimit-remaining, ratelimit-reset, etag, idempotent-replayed';
const ACCEPTED =
  'authorization, content-type, content-encoding, x-request-id, idempotency-key, if-match, if-none-match, last-event-id, x-retry-count, millrace-merchant';
/** What browsers keep at most: Chromium two hours. */
const PREFLIGHT_MAX_AGE_SEC = 7_200;

const CALL_LIMIT = 'x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset';

const NOTHING: Headers = {};
const ANY_PAGE: Headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
  'cross-origin-resource-policy': 'cross-origin',
};

/** For every answer of the route, refusals included: a page could not read why it was refused otherwise. */
export function corsHeaders(
  cors: Cors | undefined,
  origin: string | undefined,
  origins: readonly string[],
  route?: Asked,
): Headers {
  if (cors === undefined) return NOTHING;
  if (cors === 'any') return ANY_PAGE;
  if (origin === undefined || !origins.includes(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': route?.rateLimit === undefined ? EXPOSED : `${EXPOSED}, ${CALL_LIMIT}`,
  };
}

/** For the answer to OPTIONS, beside `corsHeaders`; `routes` are all of one path. */
export function preflightHeaders(routes: readonly Route[]): Headers {
  const methods = methodsOf(routes).join(', ');
  return {
    allow: methods,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': [ACCEPTED, ...new Set(routes.flatMap(keyHeaderOf))].join(', '),
    'access-control-max-age': String(PREFLIGHT_MAX_AGE_SEC),
  };
}

const keyHeaderOf = ({ auth }: Asked): readonly string[] =>
  auth === 'public' || auth.keyHeader === undefined ? [] : [auth.keyHeader];

/** The widest of a path's routes: a browser asks about the path before it sends the method. */
export function corsOf(routes: readonly Route[]): Cors | undefined {
  return routes.find(({ cors }) => cors !== undefined)?.cors;
}
