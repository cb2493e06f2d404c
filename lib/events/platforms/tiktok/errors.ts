// What each error of the answer means: the first line that fits decides.
import { wholeNumber } from '../answer.ts';
import type { ErrorTable, OwnError } from '../error-table.ts';

/** `code` of the answer, whatever its status. https://github.com/tiktok/tiktok-business-api-sdk (tiktok_code.py) */
export const TIKTOK_ERRORS: ErrorTable = [
  ['2xx', 0, '*', 'delivered'],
  ['*', 40050, '*', 'duplicate'],
  ['*', 40100, '*', 'rate_limited'],
  ['*', 40132, '*', 'rate_limited'],
  ['*', 61000, '*', 'rate_limited'],
  [429, '+', '*', 'rate_limited'],
  ['*', 40001, '*', 'auth'],
  ['*', 40101, '*', 'auth'],
  ['*', 40102, '*', 'auth'],
  ['*', 40103, '*', 'auth'],
  ['*', 40104, '*', 'auth'],
  ['*', 40105, '*', 'auth'],
  ['*', 40113, '*', 'auth'],
  ['*', 40118, '*', 'auth'],
  ['*', 40700, '*', 'maybe_delivered'],
  ['*', 60001, '*', 'maybe_delivered'],
  ['*', '40000-49999', '*', 'event_refused'],
  ['*', '+', '*', 'maybe_delivered'],
];

/** `{"code": 40105, "message": …, "request_id": …}`. */
export const isTiktokError: OwnError = ({ code, message }) =>
  wholeNumber(code) !== undefined && typeof message === 'string';
