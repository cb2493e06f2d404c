// Everything that is not a success, in the shape of its product. Refuses to show what went wrong inside.
import type { FastifyError, FastifyReply } from 'fastify';
import { challengeOf } from '../../core/http/credential.ts';
import { ERRORS, type ErrorCode, type ErrorDetail, errorOf } from '../../core/http/errors.ts';
import { type FailureFormat, failureBody, type SaidOfFailure } from '../../core/http/plain-failures.ts';
import { RETRY_AFTER_SEC } from '../../core/http/request-rules.ts';
import type { Route } from '../../core/http/route.ts';
import { Unreadable } from '../../core/record/unreadable-item.ts';
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

export type SendFailure = (reply: FastifyReply, code: string, said?: SaidOfFailure) => FastifyReply;

const codes = new WeakMap<FastifyReply, string>();

/** With which code this reply refuses; undefined for another one. */
export const codeIn = (reply: FastifyReply): string | undefined => codes.get(reply);

/** `route`: the one that refuses; undefined where none was found. */
export function failuresOf(format: FailureFormat, route?: Route): SendFailure {
  return (reply, code, said = {}) => {
    const { status, isLasting = false } = errorOf(format.errors, code);
    codes.set(reply, code);
    if (code === 'unauthorized') reply.header('www-authenticate', challengeOf(route?.auth));
    if (status >= 500 && !isLasting) reply.header('retry-after', String(RETRY_AFTER_SEC));
    return reply
      .code(status)
      .headers(said.headers ?? {})
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(failureBody(format, code, said, route)));
  };
}

/** Until an operator, or the next release, has seen to it. */
const UNREADABLE_RETRY_AFTER_SEC = '60';

/** What is said beside the code of a thrown value. */
export function saidOf(error: unknown): SaidOfFailure {
  if (error instanceof Refusal) return error.said;
  return error instanceof Unreadable ? { headers: { 'retry-after': UNREADABLE_RETRY_AFTER_SEC } } : {};
}

/** What a thrown value is answered with. Only `internal_error` is a bug. */
export function codeOf(error: unknown): ErrorCode {
  if (error instanceof Refusal) return error.code;
  if (isOutage(error) || error instanceof Unreadable) return 'unavailable';
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
