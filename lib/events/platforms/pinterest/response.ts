// What Pinterest's answer means for each event: 200 and 422 say it event by event, in the order sent.
import type { Outcome } from '../../domain/deliveries/delivery.ts';
import {
  errorOutcome,
  type Fields,
  isSuccess,
  outcome,
  record,
  statusOutcome,
  UNREADABLE,
  wholeNumber,
  wrongCount,
} from '../answer.ts';
import { errorTable, type OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';

/** `code` beside a status. A 404 with a code is the ad account, one without comes from an edge or a proxy. */
export const PINTEREST_ERRORS = errorTable([[404, '+', 'auth', 'no such ad account']]);

const NOT_ALL_PROCESSED = 422;

/** `{"code": 29, "message": …}`, or a report event by event. Pinterest numbers its errors itself: a gateway repeats the status. */
export const isPinterestError: OwnError = ({ code, message, events, details }, status) =>
  (![undefined, status].includes(wholeNumber(code)) && typeof message === 'string') ||
  [events, record(details)?.events].some(Array.isArray);

export const readPinterestAnswer: ReadAnswer = (answer, body, { length: sent }) => {
  const report = isSuccess(answer) || answer.status === NOT_ALL_PROCESSED ? reportIn(body) : undefined;
  if (report !== undefined) return eventOutcomes(report, sent);
  const code = wholeNumber(body?.code);
  if (code === undefined || isSuccess(answer)) return statusOutcome(answer, sent);
  const said = { codes: [code], code: `pinterest.${code}`, message: body?.message };
  return errorOutcome(PINTEREST_ERRORS, answer, sent, said);
};

/** The counts with a verdict per event: the whole of a 200, the `details` of a 422. */
const reportIn = (body: Fields | undefined): Fields | undefined =>
  [body, record(body?.details)].find((fields) => Array.isArray(fields?.events));

function eventOutcomes(report: Fields, sent: number): Outcome | readonly Outcome[] {
  const entries = (report.events as readonly unknown[]).map((entry) => record(entry) ?? {});
  const processed = entries.filter(({ status }) => status === 'processed').length;
  const received = wholeNumber(report.num_events_received) ?? entries.length;
  const counted = wholeNumber(report.num_events_processed) ?? processed;
  if (entries.length !== sent || received !== sent || counted !== processed)
    return wrongCount(
      `${received} received, ${counted} processed, ${entries.length} reported for ${sent} sent`,
    );
  return entries.map(({ status, error_message: error, warning_message: warning }) => {
    if (status === 'processed') return outcome({ kind: 'delivered', message: warning });
    if (status === 'failed') return outcome({ kind: 'permanent', code: 'pinterest.failed', message: error });
    return UNREADABLE;
  });
}
