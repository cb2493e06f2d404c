// What the Events API's answer means for each event. 207 lists each event by index, as taken or with its errors; one
// that is in neither list is not known to have arrived.
import type { Outcome } from '../../domain/deliveries/delivery.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import {
  type Answer,
  codeOf,
  errorOutcome,
  type Fields,
  isSuccess,
  joined,
  kindOutcome,
  outcome,
  recordsOf,
  retryAfter,
  wholeNumber,
} from '../answer.ts';
import { errorKind, errorTable, type OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';

/** The codes of one event in a 207 (ErrorCode of the Amazon Ads API v1). The path names no event: 404 is the account. */
export const AMAZON_ERRORS = errorTable([
  ['2xx', ['UNAUTHORIZED', 'FORBIDDEN', 'ACCESS_DENIED_FOR_MANAGER_ACCOUNT', 'ACCOUNT_NOT_ELIGIBLE'], 'auth'],
  ['2xx', 'TOO_MANY_REQUESTS', 'rate_limited'],
  ['2xx', 'INTERNAL_ERROR', 'maybe_delivered'],
  ['2xx', '+', 'event_refused'],
  [404, '*', 'auth'],
]);

/** `{"code": "UNAUTHORIZED", "details": …, "requestId": …}`, as seen live: a code and a message alone are what gateways say too. */
export const isAmazonError: OwnError = ({ code, details, requestId }) =>
  typeof code === 'string' && (typeof details === 'string' || typeof requestId === 'string');

export const amazonCode = (code: unknown): string | undefined => codeOf('amazon', code);

export const readAmazonAnswer: ReadAnswer = (answer, body, events) => {
  if (isSuccess(answer) && body !== undefined) return perEvent(body, events, answer);
  const said = { codes: [], code: amazonCode(body?.code), message: body?.message ?? body?.details };
  return errorOutcome(AMAZON_ERRORS, answer, events.length, said);
};

function perEvent(body: Fields, events: readonly NormalizedEvent[], answer: Answer): readonly Outcome[] {
  const taken = new Set(recordsOf(body.success).map(({ index }) => wholeNumber(index)));
  const refused = new Map(
    recordsOf(body.error).map((entry) => [wholeNumber(entry.index), refusalOf(entry, answer)] as const),
  );
  const isCounted = Array.isArray(body.success) || Array.isArray(body.error);
  const missing = outcome({
    kind: 'retry',
    code: isCounted ? 'unaccounted' : 'unreadable_answer',
    maybeDelivered: true,
  });
  return events.map((_, i) => refused.get(i) ?? (taken.has(i) ? { kind: 'delivered' } : missing));
}

function refusalOf(entry: Fields, answer: Answer): Outcome {
  const errors = recordsOf(entry.errors);
  const { code, fieldLocation, message } = errors[0] ?? {};
  const codes = errors.map((error) => (typeof error.code === 'string' ? error.code : ''));
  const kind = errorKind(AMAZON_ERRORS, { status: answer.status, codes }) ?? 'event_refused';
  const said = {
    code: amazonCode(code) ?? 'amazon.error',
    message: joined([fieldLocation, message], ': '),
    retryAfterSec: kind === 'rate_limited' ? retryAfter(answer) : undefined,
  };
  // The error is of this event alone: there is nothing to split.
  return kindOutcome(kind, said, 1);
}
