// What each error of the answer means: the first line that fits decides.
import { record } from '../answer.ts';
import type { ErrorTable, OwnError } from '../error-table.ts';

/** `code` of the first error. https://docs.x.com/x-ads-api/fundamentals/error-codes-and-responses */
export const X_ERRORS: ErrorTable = [
  [429, '*', '*', 'rate_limited'],
  ['*', 'TOO_MANY_REQUESTS', '*', 'rate_limited'],
  ['*', 'TWEET_RATE_LIMIT_EXCEEDED', '*', 'rate_limited'],
  [401, '*', '*', 'auth'],
  [403, '*', '*', 'auth'],
  ['*', 'UNAUTHORIZED_ACCESS', '*', 'auth'],
  ['*', 'UNAUTHORIZED_CLIENT_APPLICATION', '*', 'auth'],
  ['*', 'READONLY_CLIENT_APPLICATION', '*', 'auth'],
  ['*', 'ACCOUNT_NOT_FOUND', '*', 'auth'],
  ['*', 'ACCOUNT_LOCKED_OUT', '*', 'auth'],
  ['*', 'CURRENT_USER_SUSPENDED', '*', 'auth'],
  ['*', 'USER_NOT_FOUND', '*', 'auth'],
  ['*', 'ACTION_NOT_ALLOWED', '*', 'auth'],
  ['*', 'NOT_FOUND', '*', 'auth'],
  ['*', 'ROUTE_NOT_FOUND', '*', 'auth'],
  ['5xx', '*', '*', 'maybe_delivered'],
  [408, '*', '*', 'retry'],
  [423, '*', '*', 'retry'],
  [425, '*', '*', 'retry'],
  ['*', 'CANCELLED_REQUEST', '*', 'retry'],
  ['*', 'LOCK_ACQUISITION_TIMEOUT', '*', 'retry'],
  ['*', 'INTERNAL_ERROR', '*', 'retry'],
  ['*', 'OVER_CAPACITY', '*', 'retry'],
  ['*', 'SERVICE_UNAVAILABLE', '*', 'retry'],
  ['*', 'WEB_EVENT_TAG_NOT_FOUND', '*', 'request_refused', 'the tag is the same for all events of a request'],
  ['4xx', '*', '*', 'event_refused'],
  ['*', '*', '*', 'maybe_delivered', 'errors that come with a success say nothing for certain'],
];

/** `{"errors": [{"code": "UNAUTHORIZED_ACCESS", "message": …}]}`. */
export const isXError: OwnError = ({ errors }) =>
  Array.isArray(errors) && errors.some((entry) => record(entry)?.code !== undefined);
