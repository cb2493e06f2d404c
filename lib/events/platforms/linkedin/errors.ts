// What each error of the answer means: the first line that fits decides.
import { wholeNumber } from '../answer.ts';
import type { ErrorTable, OwnError } from '../error-table.ts';

/** Statuses say it all but for 426: this monthly version is no longer served, or not yet. */
export const LINKEDIN_ERRORS: ErrorTable = [[426, '*', '*', 'auth', 'the version is no longer served']];

const NAMES_EVENTS = /\bindices \[|\bIndex: \d/;

/** `{"status": 401, "code" or "serviceErrorCode": …, "message": …}`, the status being the answer's own, or a message about events. */
export const isLinkedinError: OwnError = ({ status: said, code, serviceErrorCode, message }, status) =>
  wholeNumber(serviceErrorCode) !== undefined ||
  typeof code === 'string' ||
  (typeof message === 'string' && (wholeNumber(said) === status || NAMES_EVENTS.test(message)));
