// What each error of the answer means: the first line that fits decides.
import { record } from '../answer.ts';
import type { ErrorTable, OwnError } from '../error-table.ts';

/** 404 and 410: no such path, or a revision that was retired. `unique_id`: an error that calls it a duplicate. */
export const KLAVIYO_ERRORS: ErrorTable = [
  ['*', 'unique_id', '*', 'duplicate'],
  [404, '*', '*', 'auth'],
  [410, '*', '*', 'auth'],
];

/** `{"errors": [{"id": …, "status": 401, "code": "not_authenticated", …}]}`. */
export const isKlaviyoError: OwnError = ({ errors }) =>
  Array.isArray(errors) && errors.some((entry) => typeof record(entry)?.code === 'string');
