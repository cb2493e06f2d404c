// What each error of the answer means: the first line that fits decides.
import type { ErrorTable, OwnError } from '../error-table.ts';

/** The codes of one event in a 207 (ErrorCode of the Amazon Ads API v1). The path names no event: 404 is the account. */
export const AMAZON_ERRORS: ErrorTable = [
  ['2xx', 'UNAUTHORIZED', '*', 'auth'],
  ['2xx', 'FORBIDDEN', '*', 'auth'],
  ['2xx', 'ACCESS_DENIED_FOR_MANAGER_ACCOUNT', '*', 'auth'],
  ['2xx', 'ACCOUNT_NOT_ELIGIBLE', '*', 'auth'],
  ['2xx', 'TOO_MANY_REQUESTS', '*', 'rate_limited'],
  ['2xx', 'INTERNAL_ERROR', '*', 'maybe_delivered'],
  ['2xx', '+', '*', 'event_refused'],
  [404, '*', '*', 'auth'],
];

/** `{"code": "UNAUTHORIZED", "message" or "details": …}`. */
export const isAmazonError: OwnError = ({ code, message, details }) =>
  typeof code === 'string' && (typeof message === 'string' || typeof details === 'string');
