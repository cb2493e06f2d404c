// What X's answer means for each event. A request is taken or refused as a whole, and refusals do not say which of the
// events they are about.
import type { Outcome } from '../../domain/deliveries/delivery.ts';
import {
  type Answer,
  type Fields,
  isSuccess,
  joined,
  kindOutcome,
  record,
  recordsOf,
  retryAfter,
  statusOutcome,
  wholeNumber,
  wrongCount,
} from '../answer.ts';
import { errorKind, errorTable, type OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';

/** `code` of the first error. https://docs.x.com/x-ads-api/fundamentals/error-codes-and-responses */
export const X_ERRORS = errorTable([
  [429, '*', 'rate_limited'],
  ['*', ['TOO_MANY_REQUESTS', 'TWEET_RATE_LIMIT_EXCEEDED'], 'rate_limited'],
  [401, '*', 'auth'],
  [403, '*', 'auth'],
  ['*', ['UNAUTHORIZED_ACCESS', 'UNAUTHORIZED_CLIENT_APPLICATION', 'READONLY_CLIENT_APPLICATION'], 'auth'],
  ['*', ['ACCOUNT_NOT_FOUND', 'ACCOUNT_LOCKED_OUT', 'CURRENT_USER_SUSPENDED', 'USER_NOT_FOUND'], 'auth'],
  ['*', ['ACTION_NOT_ALLOWED', 'NOT_FOUND', 'ROUTE_NOT_FOUND'], 'auth'],
  ['5xx', '*', 'maybe_delivered'],
  [408, '*', 'retry'],
  [423, '*', 'retry'],
  [425, '*', 'retry'],
  ['*', ['CANCELLED_REQUEST', 'LOCK_ACQUISITION_TIMEOUT', 'INTERNAL_ERROR'], 'retry'],
  ['*', ['OVER_CAPACITY', 'SERVICE_UNAVAILABLE'], 'retry'],
  ['*', 'WEB_EVENT_TAG_NOT_FOUND', 'setting_refused', 'the tag is the same for all events of a request'],
  ['4xx', '*', 'event_refused'],
  ['*', '*', 'maybe_delivered', 'errors that come with a success say nothing for certain'],
]);

/** `{"errors": [{"code": "UNAUTHORIZED_ACCESS", "message": …}], "request": {"params": {}}}`: lists of errors are common, `request` is X's. */
export const isXError: OwnError = ({ errors, request }) =>
  record(request) !== undefined && recordsOf(errors).some(({ code }) => code !== undefined);

const RETRY_AFTER_MAX_SEC = 86_400;

export const readXAnswer: ReadAnswer = (answer, body, { length: sent }) => {
  const errors = recordsOf(body?.errors);
  if (errors.length > 0) return withReset(errorOutcome(errors, answer, sent), answer);
  const processed = wholeNumber(record(body?.data)?.conversions_processed);
  if (!isSuccess(answer) || processed === undefined) return withReset(statusOutcome(answer, sent), answer);
  if (processed === sent) return { kind: 'delivered' };
  return wrongCount(`conversions_processed is ${processed} for ${sent} sent`);
};

function errorOutcome(errors: readonly Fields[], answer: Answer, sent: number): Outcome {
  const word = errors.map(({ code }) => code).find((code) => typeof code === 'string' && WORD.test(code));
  const said = {
    code: typeof word === 'string' ? `x.${word}` : `http_${answer.status}`,
    message: errors.map(wording).filter(Boolean).slice(0, 3).join('; '),
    retryAfterSec: retryAfter(answer),
  };
  const codes = typeof word === 'string' ? [word] : [];
  return kindOutcome(errorKind(X_ERRORS, { status: answer.status, codes }) ?? 'maybe_delivered', said, sent);
}

const WORD = /^[A-Z][A-Z0-9_]{0,60}$/;

const wording = ({ message, details }: Fields): string => joined([message, details], ': ');

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
