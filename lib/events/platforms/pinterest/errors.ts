// What each error of the answer means: the first line that fits decides.
import { record, wholeNumber } from '../answer.ts';
import type { ErrorTable, OwnError } from '../error-table.ts';

/** `code` beside a status. A 404 with a code is the ad account, one without is nobody's. */
export const PINTEREST_ERRORS: ErrorTable = [[404, '+', '*', 'auth', 'no such ad account']];

/** `{"code": 29, "message": …}`, or a report event by event. */
export const isPinterestError: OwnError = ({ code, message, events, details }) =>
  (wholeNumber(code) !== undefined && typeof message === 'string') ||
  [events, record(details)?.events].some(Array.isArray);
