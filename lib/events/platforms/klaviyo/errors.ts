// What each error of the answer means: the first line that fits decides.
import type { ErrorTable } from '../error-table.ts';

/** 404 and 410: no such path, or a revision that was retired. `unique_id`: an error that calls it a duplicate. */
export const KLAVIYO_ERRORS: ErrorTable = [
  ['*', 'unique_id', '*', 'duplicate'],
  [404, '*', '*', 'auth'],
  [410, '*', '*', 'auth'],
];
