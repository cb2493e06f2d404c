// What each error of the answer means: the first line that fits decides.
import type { ErrorTable } from '../error-table.ts';

/** `code` beside a status. A 404 with a code is the ad account, one without is nobody's. */
export const PINTEREST_ERRORS: ErrorTable = [[404, '+', '*', 'auth', 'no such ad account']];
