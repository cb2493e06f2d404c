// Replies as every route of this service gives them.
import { ERRORS, type ErrorCode, type ErrorDetail } from '../../../lib/core/http/errors.ts';
import type { Reply } from '../../../lib/core/http/http-message.ts';

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) };
}

export function failure(
  code: ErrorCode,
  extra: {
    readonly details?: readonly ErrorDetail[];
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: Readonly<Record<string, unknown>>;
  } = {},
): Reply {
  const { status, text } = ERRORS[code];
  return json(
    status,
    { error: text, code, ...(extra.details === undefined ? {} : { details: extra.details }), ...extra.body },
    extra.headers,
  );
}

/** Repeat after this many seconds. */
export function retryLater(
  code: ErrorCode,
  seconds: number,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return failure(code, { headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))), ...headers } });
}
