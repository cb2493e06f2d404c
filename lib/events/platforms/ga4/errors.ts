// What each error of the answer means: the first line that fits decides.
import type { ErrorTable, OwnError } from '../error-table.ts';

/** The Measurement Protocol has no error codes: the status says it all. */
export const GA4_ERRORS: ErrorTable = [];

/** The Measurement Protocol refuses nothing: only the validation server says what it dislikes. */
export const isGa4Error: OwnError = ({ validationMessages }) => Array.isArray(validationMessages);
