// What stands still although everything around it runs: rows and rules that cannot be read, platforms whose code throws. An alarm
// counts the lines that carry `quarantine`; whoever it wakes finds in them what `npm run show-row` wants to know.

import type { UnreadableRow } from '../../events/domain/event-row.ts';
import { PlatformDefect } from '../../events/domain/platform-defect.ts';
import { RuleDefect } from '../../events/domain/rule-defect.ts';
import type { UnreadableBatchItem } from '../../events/ports/batch-store.ts';
import { UnreadablePart } from '../../events/ports/event-vault.ts';
import { UnreadableRecord } from '../../helpdesk/domain/unreadable-record.ts';
import type { Logger } from './logger.ts';

const REPEAT_MS = 5 * 60_000;
const REMEMBERED_MAX = 1_000;

/** Logs a row, or an item of a batch, at most every five minutes. */
export function createQuarantineLog(
  logger: Logger,
  now: () => number,
): (found: UnreadableRow | UnreadableBatchItem) => void {
  const loggedAtMs = new Map<string, number>();
  return (found) => {
    const { problem } = found;
    const names = 'batch' in found ? namesOfItem(found) : { ...found.key, ingestId: found.ingestId };
    const id = JSON.stringify(names);
    if (now() - (loggedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return;
    if (loggedAtMs.size >= REMEMBERED_MAX) loggedAtMs.clear();
    loggedAtMs.set(id, now());
    if ('batch' in found)
      logger.error({ quarantine: 'batch', ...names, problem }, 'an item of a batch cannot be read');
    else logger.error({ quarantine: 'row', ...names, problem }, 'a stored row cannot be read');
  };
}

/** Logs a record of the helpdesk at most every five minutes. */
export function createRecordQuarantine(logger: Logger, now: () => number): (found: UnreadableRecord) => void {
  const loggedAtMs = new Map<string, number>();
  return (found) => {
    const { kind, workspaceId, id, message: problem } = found;
    const name = JSON.stringify([kind, workspaceId, id]);
    if (now() - (loggedAtMs.get(name) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return;
    if (loggedAtMs.size >= REMEMBERED_MAX) loggedAtMs.clear();
    loggedAtMs.set(name, now());
    logger.error({ quarantine: 'record', kind, workspaceId, id, problem }, 'a stored record cannot be read');
  };
}

/** As `npm run show-row` wants them; without a platform it is the manifest. */
function namesOfItem({ batch, platform }: UnreadableBatchItem): object {
  const { merchantId, minuteMs, shard, id } = batch;
  const minute = new Date(minuteMs).toISOString();
  return { merchantId, minute, shard, batch: id, ...(platform === undefined ? {} : { platform }) };
}

/** How stages report what they got over. */
export function createReport(logger: Logger): (problem: string, error: unknown) => void {
  return (problem, error) => {
    logger.error({ ...quarantineOf(error), err: error }, problem);
  };
}

function quarantineOf(error: unknown): object {
  if (error instanceof PlatformDefect) return { quarantine: 'platform', platform: error.platform };
  if (error instanceof RuleDefect)
    return { quarantine: 'rule', merchantId: error.merchantId, rule: error.rule };
  if (error instanceof UnreadableRecord)
    return { quarantine: 'record', kind: error.kind, workspaceId: error.workspaceId, id: error.id };
  return error instanceof UnreadablePart ? { quarantine: 'row' } : {};
}
