// What each error of the answer means: the first line that fits decides.
import type { ErrorTable } from '../error-table.ts';

/** The Measurement Protocol has no error codes: the status says it all. */
export const GA4_ERRORS: ErrorTable = [];
