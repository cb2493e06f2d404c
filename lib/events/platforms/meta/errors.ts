// What each error of the answer means: the first line that fits decides.
import { record, wholeNumber } from '../answer.ts';
import type { ErrorTable, OwnError } from '../error-table.ts';

/**
 * `code` and `error_subcode` of the Graph API's error, before the status: throttles and token errors come as 400, 403 or
 * 500. https://developers.facebook.com/docs/graph-api/guides/error-handling
 */
export const META_ERRORS: ErrorTable = [
  ['*', 4, '*', 'rate_limited'],
  ['*', 17, '*', 'rate_limited'],
  ['*', 32, '*', 'rate_limited'],
  ['*', 613, '*', 'rate_limited'],
  ['*', '80000-80014', '*', 'rate_limited'],
  [429, '+', '*', 'rate_limited'],
  ['*', 3, '*', 'auth'],
  ['*', 10, '*', 'auth'],
  ['*', 102, '*', 'auth'],
  ['*', 104, '*', 'auth'],
  ['*', 190, '*', 'auth'],
  ['*', '200-299', '*', 'auth'],
  ['*', 100, 33, 'auth', 'the dataset does not exist for this token'],
  ['*', 1, '*', 'maybe_delivered'],
  ['*', 2, '*', 'maybe_delivered'],
  ['*', 341, '*', 'maybe_delivered'],
  ['*', 368, '*', 'maybe_delivered'],
  ['*', 5000, '*', 'maybe_delivered'],
  ['*', 21009, '*', 'maybe_delivered'],
  ['5xx', '+', '*', 'maybe_delivered'],
  ['*', '+', '*', 'event_refused', 'unless `is_transient` is true: then it goes again'],
];

/** `{"error": {"code": 190, "message": …, "fbtrace_id": …}}`. */
export const isMetaError: OwnError = ({ error }) => wholeNumber(record(error)?.code) !== undefined;
