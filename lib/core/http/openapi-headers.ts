// Headers as OpenAPI objects: the key of a request, and of answers those of every answer, those that a route declares, and those of failures.
import { ERRORS, type ErrorCode } from './errors.ts';
import { IDEMPOTENCY_KEY_MAX_CHARS } from './idempotency-key.ts';

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
    'Names this request, so that it can be repeated: within 24 hours the same key with the same path, query and body gets the first answer, with `Idempotent-Replayed: true`, and nothing is done again. Answers of 500 and above are not kept.',
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

export function failureHeaders(status: number, codes: readonly ErrorCode[]): Json {
  return {
    ...(status >= 500 || status === 429 || codes.includes('idempotency_key_in_use') ? RETRY_AFTER : {}),
    ...(status === 429 ? RATE_LIMIT : {}),
    ...(status === ERRORS.unauthorized.status ? headersOf({ 'www-authenticate': '`Bearer`.' }) : {}),
    ...(status === ERRORS.method_not_allowed.status
      ? headersOf({ allow: 'The methods that this path takes.' })
      : {}),
    ...(status === ERRORS.unsupported_media_type.status
      ? headersOf({ 'accept-encoding': 'Where the encoding was refused: `gzip`.' })
      : {}),
  };
}
