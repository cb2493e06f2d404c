// What X's answer means for each event. A request is taken or refused as a whole, and refusals do not say which of the
// events they are about.
import type { Outcome } from '../../domain/delivery.ts';
import type { NormalizedEvent } from '../../domain/normalized-event.ts';
import {
  type Answer,
  everyone,
  failureOutcome,
  jsonObject,
  outcome,
  record,
  refusal,
  retryAfter,
  statusOutcome,
  wholeNumber,
} from '../answer.ts';
import type { HttpResult } from '../platform.ts';

// https://docs.x.com/x-ads-api/fundamentals/error-codes-and-responses
const TRANSIENT: ReadonlySet<string> = new Set([
  'CANCELLED_REQUEST',
  'LOCK_ACQUISITION_TIMEOUT',
  'INTERNAL_ERROR',
  'OVER_CAPACITY',
  'SERVICE_UNAVAILABLE',
]);
const THROTTLED: ReadonlySet<string> = new Set(['TOO_MANY_REQUESTS', 'TWEET_RATE_LIMIT_EXCEEDED']);
/** About the app, the user or the pixel: nothing is wrong with the events. */
const AUTH: ReadonlySet<string> = new Set([
  'UNAUTHORIZED_ACCESS',
  'UNAUTHORIZED_CLIENT_APPLICATION',
  'READONLY_CLIENT_APPLICATION',
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_LOCKED_OUT',
  'CURRENT_USER_SUSPENDED',
  'USER_NOT_FOUND',
  'ACTION_NOT_ALLOWED',
  'NOT_FOUND',
  'ROUTE_NOT_FOUND',
]);
/** The event tag of the request: the same for all its events, so there is nothing to split. */
const NO_SUCH_TAG = 'WEB_EVENT_TAG_NOT_FOUND';
const RETRY_AFTER_MAX_SEC = 86_400;

export function xOutcomes(result: HttpResult, events: readonly NormalizedEvent[]): readonly Outcome[] {
  if (result.kind === 'failure') return everyone(events.length, failureOutcome(result));
  const body = jsonObject(result);
  const errors = Array.isArray(body?.errors) ? body.errors.map(record).filter((e) => e !== undefined) : [];
  if (errors.length > 0) return everyone(events.length, errorOutcome(errors, result, events.length));
  const processed = wholeNumber(record(body?.data)?.conversions_processed);
  if (result.status < 200 || result.status >= 300 || processed === undefined)
    return everyone(events.length, withReset(statusOutcome(result, events.length), result));
  if (processed === events.length) return everyone(events.length, { kind: 'delivered' });
  const message = `conversions_processed is ${processed} for ${events.length} sent`;
  return everyone(
    events.length,
    outcome({ kind: 'retry', code: 'wrong_count', message, maybeDelivered: true }),
  );
}

function errorOutcome(
  errors: readonly Readonly<Record<string, unknown>>[],
  answer: Answer,
  events: number,
): Outcome {
  const codes = errors.map(({ code }) => code).filter((code) => typeof code === 'string' && WORD.test(code));
  const word = typeof codes[0] === 'string' ? codes[0] : undefined;
  const said = {
    code: word === undefined ? `http_${answer.status}` : `x.${word}`,
    message: errors.map(wording).filter(Boolean).slice(0, 3).join('; '),
  };
  const { status } = answer;
  if (status === 429 || (word !== undefined && THROTTLED.has(word)))
    return withReset(outcome({ kind: 'rate_limited', ...said, retryAfterSec: retryAfter(answer) }), answer);
  if (status === 401 || status === 403 || (word !== undefined && AUTH.has(word)))
    return outcome({ kind: 'auth', ...said });
  if (status >= 500 || [408, 423, 425].includes(status) || (word !== undefined && TRANSIENT.has(word)))
    return outcome({
      kind: 'retry',
      ...said,
      retryAfterSec: retryAfter(answer),
      maybeDelivered: status >= 500,
    });
  if (word === NO_SUCH_TAG) return outcome({ kind: 'permanent', ...said });
  // Errors that come with a success say nothing for certain.
  if (status < 400) return outcome({ kind: 'retry', ...said, maybeDelivered: true });
  return refusal(events, said.code, said.message);
}

const WORD = /^[A-Z][A-Z0-9_]{0,60}$/;

function wording({ message, details }: Readonly<Record<string, unknown>>): string {
  return [message, details].filter((part) => typeof part === 'string' && part !== '').join(': ');
}

/** When throttled X says when the window ends, as Unix time: read against the answer's own `Date`. */
function withReset(one: Outcome, answer: Answer): Outcome {
  if (one.kind !== 'rate_limited' || one.retryAfterSec !== undefined) return one;
  const { headers } = answer;
  const fromSec = Date.parse(headers.date ?? '') / 1_000;
  const waits = [headers['x-rate-limit-reset'], headers['x-account-rate-limit-reset']]
    .map((reset) => wholeNumber(reset))
    .filter((reset) => reset !== undefined)
    .map((reset) => Math.ceil(reset - fromSec))
    .filter((wait) => wait >= 0 && wait <= RETRY_AFTER_MAX_SEC);
  return waits.length === 0 ? one : { ...one, retryAfterSec: Math.max(...waits) };
}
