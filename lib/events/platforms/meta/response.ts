// What the Graph API's answer means. By error code first: throttles and token errors come as 400, 403 or 500. One bad
// event makes Meta refuse the whole request without naming it.
import type { Outcome } from '../../domain/deliveries/delivery.ts';
import {
  type Answer,
  type Fields,
  isSuccess,
  joined,
  kindOutcome,
  objectIn,
  outcome,
  RETRY_AFTER_MAX_SEC,
  record,
  recordsOf,
  retryAfter,
  statusOutcome,
  UNREADABLE,
  wholeNumber,
  wrongCount,
} from '../answer.ts';
import { errorKind, errorTable, type OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';

/** `code` and `error_subcode`. https://developers.facebook.com/docs/graph-api/guides/error-handling */
export const META_ERRORS = errorTable([
  ['*', [4, 17, 32, 613, '80000-80014'], 'rate_limited'],
  [429, '+', 'rate_limited'],
  ['*', [3, 10, 102, 104, 190, '200-299'], 'auth'],
  ['*', '100.33', 'auth', 'the dataset does not exist for this token'],
  ['*', [1, 2, 341, 368, 5000, 21009], 'maybe_delivered'],
  ['5xx', '+', 'maybe_delivered'],
  ['*', '+', 'event_refused', 'unless `is_transient` is true: then it goes again'],
]);

/** `{"error": {"message": …, "type": "OAuthException", "code": 190, "fbtrace_id": …}}`: a gateway gives no `type`. */
export const isMetaError: OwnError = ({ error }) => {
  const { code, type } = record(error) ?? {};
  return wholeNumber(code) !== undefined && typeof type === 'string';
};

export const readMetaAnswer: ReadAnswer = (answer, body, { length: sent }) => {
  const error = record(body?.error);
  if (error !== undefined) return errorOutcome(error, answer, sent);
  return body === undefined || !isSuccess(answer) ? statusOutcome(answer, sent) : acceptance(body, sent);
};

function acceptance({ events_received, messages }: Fields, sent: number): Outcome {
  const received = wholeNumber(events_received);
  if (received === undefined) return UNREADABLE;
  if (received !== sent) return wrongCount(`events_received is ${received} for ${sent} sent`);
  return outcome({ kind: 'delivered', message: joined(Array.isArray(messages) ? messages : [], ' ') });
}

function errorOutcome(error: Fields, answer: Answer, sent: number): Outcome {
  const code = wholeNumber(error.code);
  const subcode = wholeNumber(error.error_subcode);
  const message = wording(error);
  if (code === undefined) return outcome({ ...statusOutcome(answer, sent), message });
  const name = subcode === undefined ? `${code}` : `${code}.${subcode}`;
  const kind = errorKind(META_ERRORS, { status: answer.status, codes: [code, name] }) ?? 'event_refused';
  const isPassing = kind === 'event_refused' && error.is_transient === true;
  const waitSec = retryAfter(answer) ?? (kind === 'rate_limited' ? regainedSec(answer) : undefined);
  const said = { code: `meta.${name}`, message, retryAfterSec: waitSec };
  return kindOutcome(isPassing ? 'maybe_delivered' : kind, said, sent);
}

function wording({ error_user_title, error_user_msg, message }: Fields): string {
  const parts = [error_user_title, error_user_msg, message];
  const said = parts.filter((part) => typeof part === 'string' && part !== '');
  return said.slice(0, 2).join(': ');
}

/**
 * Seconds until the account may call again, by `x-business-use-case-usage`: minutes, for each of its use cases.
 * https://developers.facebook.com/docs/graph-api/overview/rate-limiting
 */
function regainedSec({ headers }: Answer): number | undefined {
  const usage = objectIn(headers['x-business-use-case-usage'] ?? '') ?? {};
  const minutes = Object.values(usage)
    .flatMap(recordsOf)
    .map((use) => wholeNumber(use.estimated_time_to_regain_access) ?? 0);
  const longest = Math.max(0, ...minutes);
  return longest === 0 ? undefined : Math.min(longest * 60, RETRY_AFTER_MAX_SEC);
}
