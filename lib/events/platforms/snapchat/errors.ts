// What each error of the answer means: the first line that fits decides.
import type { ErrorTable } from '../error-table.ts';

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
