// What an answer means. Taboola and Outbrain answer by status alone; Awin, Criteo and Impact name what is wrong, the first two
// in an answer of success. UNVERIFIED: the words of Awin (from a connector of others) and of Criteo (likewise), and that of
// Outbrain any success takes a conversion.
import { errorOutcome, type Fields, isSuccess, joined, record, recordsOf, UNREADABLE } from '../answer.ts';
import { errorTable, type OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';

export const POSTBACK_ERRORS = errorTable([
  ['2xx', 'refused', 'event_refused', 'named in failedOrders (Awin) or errors (Criteo)'],
]);

/** Impact: `{"Status": "ERROR", "errors": […]}`, `{"status": 401, "title": "Unauthorized"}`. With a `type` that is RFC 9457, of anything on the way. */
export const isPostbackError: OwnError = ({ Status, errors, status, title, type }, code) =>
  (Status === 'ERROR' && Array.isArray(errors)) ||
  (status === code && typeof title === 'string' && type === undefined);

export const readPostbackAnswer: ReadAnswer = (answer, body, events) => {
  const message = reasonIn(body);
  if (isSuccess(answer) && message === '')
    return answer.body.trimStart().startsWith('<') ? UNREADABLE : { kind: 'delivered' };
  const codes = isSuccess(answer) ? ['refused'] : [];
  const code = isSuccess(answer) ? 'postback.refused' : undefined;
  return errorOutcome(POSTBACK_ERRORS, answer, events.length, { codes, code, message: message || undefined });
};

/** Empty where nothing is named. */
function reasonIn({ errors, failedOrders, title }: Fields = {}): string {
  const failed = recordsOf(failedOrders).flatMap((order) => recordsOf(order.errors));
  const named = [...recordsOf(errors), ...failed].map((error) =>
    joined([error.field, error.message ?? record(error.error)?.message], ': '),
  );
  const words = Array.isArray(errors) ? errors : [];
  const unnamed = recordsOf(failedOrders).length > failed.length ? ['refused'] : [];
  return joined([...named, ...words, ...unnamed, title], '; ');
}
