// What stands still although everything around it runs: rows that cannot be read, platforms whose code throws. An alarm
// counts the lines that carry `quarantine`; whoever it wakes finds in them what `npm run show-row` wants to know.

import type { UnreadableRow } from '../../events/domain/event-row.ts';
import { PlatformDefect } from '../../events/domain/platform-defect.ts';
import { UnreadablePart } from '../../events/ports/event-vault.ts';
import type { Logger } from './logger.ts';

const REPEAT_MS = 5 * 60_000;
const REMEMBERED_MAX = 1_000;

/** Logs a row at most every five minutes. */
export function createQuarantineLog(logger: Logger, now: () => number): (row: UnreadableRow) => void {
  const loggedAtMs = new Map<string, number>();
  return ({ key, ingestId, problem }) => {
    const id = JSON.stringify(key);
    if (now() - (loggedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return;
    if (loggedAtMs.size >= REMEMBERED_MAX) loggedAtMs.clear();
    loggedAtMs.set(id, now());
    logger.error({ quarantine: 'row', ...key, ingestId, problem }, 'a stored row cannot be read');
  };
}

/** How stages report what they got over. */
export function createReport(logger: Logger): (problem: string, error: unknown) => void {
  return (problem, error) => {
    logger.error({ ...quarantineOf(error), err: error }, problem);
  };
}

function quarantineOf(error: unknown): object {
  if (error instanceof PlatformDefect) return { quarantine: 'platform', platform: error.platform };
  return error instanceof UnreadablePart ? { quarantine: 'row' } : {};
}
