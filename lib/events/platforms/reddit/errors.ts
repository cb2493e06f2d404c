// What each error of the answer means: the first line that fits decides.
import { record, wholeNumber } from '../answer.ts';
import type { ErrorTable, OwnError } from '../error-table.ts';

/**
 * `schema`: the answer names events or fields, or speaks of the form of what was sent. Reddit words that as 403 too, and
 * then the event is at fault. 404 and 410: no such pixel, or this version of the interface is gone.
 */
export const REDDIT_ERRORS: ErrorTable = [
  [403, 'schema', '*', 'event_refused'],
  [404, '*', '*', 'auth'],
  [410, '*', '*', 'auth'],
];

/** `{"error": {"code" or "reason": …}}`, with `fields` where it names them; version 2 lists `invalid_events`. */
export const isRedditError: OwnError = ({ error, invalid_events }) => {
  const { code, reason, fields } = record(error) ?? {};
  if (Array.isArray(invalid_events) || Array.isArray(fields)) return true;
  return wholeNumber(code) !== undefined || typeof reason === 'string';
};
