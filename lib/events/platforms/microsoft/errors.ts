// What each error of the answer means: the first line that fits decides.
import { record } from '../answer.ts';
import type { ErrorTable, OwnError } from '../error-table.ts';

/** `error.code`. The address holds nothing but the tag: 404 is the tag, whatever the events are. */
export const MICROSOFT_ERRORS: ErrorTable = [
  [404, '*', '*', 'auth'],
  ['*', 'Unauthorized', '*', 'auth'],
];

/** `{"error": {"code": "Unauthorized", "message": …}, "traceId": …}`. */
export const isMicrosoftError: OwnError = ({ error }) => record(error)?.code !== undefined;
