// What each error of the answer means: the first line that fits decides.
import type { ErrorTable, OwnError } from '../error-table.ts';

/**
 * `status` of the body. VALID and INVALID are Snap's (https://github.com/Snapchat/business-sdk-v3-java, api/openapi.yaml);
 * the others are seen in the answers of version 2.
 */
export const SNAPCHAT_ERRORS: ErrorTable = [
  ['2xx', 'VALID', '*', 'delivered'],
  ['2xx', 'SUCCESS', '*', 'delivered'],
  ['2xx', 'OK', '*', 'delivered'],
  ['2xx', 'INVALID', '*', 'event_refused'],
  ['2xx', 'FAILURE', '*', 'event_refused'],
  ['2xx', 'FAILED', '*', 'event_refused'],
  ['2xx', 'ERROR', '*', 'event_refused'],
  [404, '+', '*', 'auth', 'no such pixel'],
];

/** `{"status": "INVALID", "reason" or "errors": …}`; the Marketing API's gate words it `{"request_status": "ERROR", …}`. */
export const isSnapchatError: OwnError = ({ status, request_status }) =>
  [status, request_status].some((word) => typeof word === 'string' && /^[A-Z]+$/.test(word));
