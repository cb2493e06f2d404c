// Everything that is not a success, as one shape: {error, code, details?}. Refuses to show what went wrong inside.
import type { FastifyError, FastifyReply } from 'fastify';
import {
  ERRORS,
  type ErrorBody,
  type ErrorCode,
  type ErrorDetail,
  LASTING_FAILURES,
} from '../../core/http/errors.ts';
import type { AnyFailure } from '../../core/http/handler.ts';
import { RETRY_AFTER_SEC, WWW_AUTHENTICATE } from '../../core/http/request-rules.ts';
import { Outage } from '../../core/work/outage.ts';

/** What Fastify itself refuses, by its code: https://fastify.dev/docs/latest/Reference/Errors/ (read 2026-11-21). */
const FRAMEWORK: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

/** Connections that failed below HTTP. */
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);

/** Thrown while a body is read; carries what the answer says. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly said: { readonly details?: readonly ErrorDetail[] };

  constructor(code: ErrorCode, details?: readonly ErrorDetail[]) {
    super(ERRORS[code].text);
    this.code = code;
    this.said = details === undefined ? {} : { details };
  }
}

export function sendFailure(
  reply: FastifyReply,
  code: ErrorCode,
  more: Pick<AnyFailure, 'details' | 'headers' | 'extra'> = {},
): FastifyReply {
  const { status, text } = ERRORS[code];
  if (code === 'unauthorized') reply.header('www-authenticate', WWW_AUTHENTICATE);
  if (status >= 500 && !LASTING_FAILURES.has(code)) reply.header('retry-after', String(RETRY_AFTER_SEC));
  const { details, extra, headers = {} } = more;
  const body: ErrorBody = { ...extra, error: text, code, ...(details === undefined ? {} : { details }) };
  return reply
    .code(status)
    .headers(headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}

/** What a thrown value is answered with. Only `internal_error` is a bug. */
export function codeOf(error: unknown): ErrorCode {
  if (error instanceof Refusal) return error.code;
  if (isOutage(error)) return 'unavailable';
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  const known = FRAMEWORK[code ?? ''];
  if (known !== undefined) return known;
  const fromFramework = code?.startsWith('FST_ERR_') === true;
  return fromFramework && statusCode !== undefined && statusCode < 500 ? 'invalid_request' : 'internal_error';
}

/** A dependency that is away, throttling or failing on its side; a request it refuses as wrong is our bug. */
function isOutage(error: unknown): boolean {
  if (error instanceof Outage) return true;
  if (!(error instanceof Error)) return false;
  const { $fault, $retryable, code, cause } = error as Error & {
    $fault?: string;
    $retryable?: unknown;
    code?: unknown;
  };
  if ($fault === 'server' || $retryable !== undefined || error.name === 'TimeoutError') return true;
  if (/Throttl|ProvisionedThroughputExceeded|RequestLimitExceeded|CredentialsProvider/.test(error.name))
    return true;
  if (typeof code === 'string' && NETWORK.has(code)) return true;
  if (error instanceof AggregateError && error.errors.some(isOutage)) return true;
  return cause !== undefined && cause !== error && isOutage(cause);
}
