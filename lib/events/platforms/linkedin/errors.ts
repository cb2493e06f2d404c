// What each error of the answer means: the first line that fits decides.
import type { ErrorTable } from '../error-table.ts';

/** Statuses say it all but for 426: this monthly version is no longer served, or not yet. */
export const LINKEDIN_ERRORS: ErrorTable = [[426, '*', '*', 'auth', 'the version is no longer served']];
