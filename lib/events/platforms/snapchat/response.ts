// What Snap's answer means. A refusal may come with status 200: `status` decides. It names at most one event of the
// request, by a number whose base is not documented, so the culprit is found by splitting.
import {
  codeOf,
  errorOutcome,
  type Fields,
  isSuccess,
  kindOutcome,
  record,
  recordsOf,
  statusOutcome,
  UNREADABLE,
} from '../answer.ts';
import { errorKind, errorTable, type OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';

/**
 * `status` of the body. VALID and INVALID are Snap's (https://github.com/Snapchat/business-sdk-v3-java, api/openapi.yaml);
 * the others are seen in the answers of version 2.
 */
export const SNAPCHAT_ERRORS = errorTable([
  ['2xx', ['VALID', 'SUCCESS', 'OK'], 'delivered'],
  ['2xx', ['INVALID', 'FAILURE', 'FAILED', 'ERROR'], 'event_refused'],
  [404, '+', 'auth', 'no such pixel'],
]);

/**
 * `{"status": "INVALID", "reason" or "errors": …}`; the Marketing API's gate words it `{"request_status": "ERROR", "request_id": …}`.
 * Another word of `status` alone may be of anything on the way.
 */
export const isSnapchatError: OwnError = ({ status, reason, errors, request_status, request_id }) =>
  status === 'VALID' ||
  status === 'INVALID' ||
  (typeof status === 'string' && (typeof reason === 'string' || record(errors) !== undefined)) ||
  (typeof request_status === 'string' && typeof request_id === 'string');

export const readSnapchatAnswer: ReadAnswer = (answer, body, { length: sent }) => {
  if (body === undefined) return statusOutcome(answer, sent);
  const errors = errorsOf(body);
  const codes = [body.status === undefined ? undefined : String(body.status)];
  const code = codeIn(body);
  const message = errors.join('; ') || body.reason;
  if (!isSuccess(answer)) return errorOutcome(SNAPCHAT_ERRORS, answer, sent, { codes, code, message });
  const kind =
    errors.length > 0 ? 'event_refused' : errorKind(SNAPCHAT_ERRORS, { status: answer.status, codes });
  if (kind === undefined) return UNREADABLE;
  if (kind === 'delivered') return { kind };
  const refused = kindOutcome(kind, { code: code ?? 'snapchat.invalid', message }, sent);
  // Snap does not say whether it kept the others: their copies are dropped by event id.
  return sent > 1 ? { ...refused, maybeDelivered: true } : refused;
};

/** The wording of each error: of the whole answer, and of the log of a validation. */
function errorsOf({ errors, event_logs }: Fields): readonly string[] {
  return [errors, ...recordsOf(event_logs).map((log) => log.errors)].flatMap((part) => {
    const messages = record(part)?.error_msgs;
    return Array.isArray(messages) ? messages.filter((text) => typeof text === 'string') : [];
  });
}

function codeIn({ errors }: Fields): string | undefined {
  const codes = record(errors)?.codes;
  return Array.isArray(codes) ? codeOf('snapchat', codes[0]) : undefined;
}
