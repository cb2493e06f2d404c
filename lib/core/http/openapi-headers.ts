// Headers as OpenAPI objects: the key of a request, and of answers those of every answer, those that a route declares, and those of failures.

import { challengeOf } from './credential.ts';
import { ERRORS } from './errors.ts';
import { IDEMPOTENCY_KEY_MAX_CHARS } from './idempotency-key.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

export const ANY_ANSWER: Json = {
  'X-Request-Id': { description: 'Names this request in our logs.', schema: { type: 'string' } },
};
/** What a request may carry on a route that is idempotent. */
export const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Names this request, so that it can be repeated: within 24 hours the same key with the same path, query and body gets the first answer, with `Idempotent-Replayed: true`, and nothing is done again. Answers of 500 and above are not kept: the request may be repeated, as it was.',
  schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_CHARS, pattern: '^[!-~]+$' },
};
export const REPLAYED: Json = {
  'Idempotent-Replayed': {
    description: '`true` where this is the answer to the first request with its Idempotency-Key.',
    schema: { const: 'true' },
  },
};

/** As `Retry-After` in HTTP headers. */
const wordOf = (name: string): string => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());

export function headersOf(described: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(described).map(([name, description]) => [
      name === 'etag' ? 'ETag' : wordOf(name),
      { description, schema: { type: 'string' } },
    ]),
  );
}

const number = (description: string): Json => ({ description, schema: { type: 'integer', minimum: 0 } });
const RETRY_AFTER: Json = { 'Retry-After': number('Seconds to wait before the request is repeated.') };
const RATE_LIMIT: Json = {
  'RateLimit-Limit': number('Requests in a window.'),
  'RateLimit-Remaining': number('Requests that are left in this window.'),
  'RateLimit-Reset': number('Seconds until the window ends.'),
};

const CALL_LIMIT: Json = {
  'X-RateLimit-Limit': number('Calls of this operation in a window of 60 seconds, by one credential.'),
  'X-RateLimit-Remaining': number('Calls that are left in this window.'),
  'X-RateLimit-Reset': number('Seconds until the window ends.'),
};

/** Of every answer to a call that was counted. */
export const callLimitHeaders = ({ rateLimit }: Route): Json => (rateLimit === undefined ? {} : CALL_LIMIT);

/** Of answers before a call is counted. */
const UNCOUNTED: ReadonlySet<number> = new Set([401, 403, 405]);

export function failureHeaders(status: number, codes: readonly string[], route: Route): Json {
  return {
    ...(status >= 500 || status === 429 || codes.includes('idempotency_key_in_use') ? RETRY_AFTER : {}),
    ...(status === 429 && route.rateLimit === undefined ? RATE_LIMIT : {}),
    ...(UNCOUNTED.has(status) ? {} : callLimitHeaders(route)),
    ...(status === ERRORS.unauthorized.status
      ? headersOf({ 'www-authenticate': `\`${challengeOf(route.auth)}\`.` })
      : {}),
    ...(status === ERRORS.method_not_allowed.status
      ? headersOf({ allow: 'The methods that this path takes.' })
      : {}),
    ...(status === ERRORS.unsupported_media_type.status
      ? headersOf({ 'accept-encoding': 'Where the encoding was refused: `gzip`.' })
      : {}),
  };
}
