// Logs what is stuck: rows and rules that cannot be read, platforms whose code throws. An alarm counts the lines with
// `quarantine`; they contain the arguments for `millrace row`.

import { type ItemQuarantine, UnreadableItem } from '../../core/record/unreadable-item.ts';
import { PlatformDefect } from '../../events/domain/connections/platform-defect.ts';
import type { UnreadableRow } from '../../events/domain/event/row.ts';
import { RuleDefect } from '../../events/domain/rules/defect.ts';
import type { UnreadableBatchItem } from '../../events/ports/batch-store.ts';
import { UnreadablePart } from '../../events/ports/event-vault.ts';
import { UnreadableRecord } from '../../helpdesk/domain/account/unreadable-record.ts';
import type { Logger } from './logger.ts';

const REPEAT_MS = 5 * 60_000;
const REMEMBERED_MAX = 1_000;

/** True for a name that was not passed within this time. */
function onceIn(ms: number, now: () => number): (name: string) => boolean {
  const loggedAtMs = new Map<string, number>();
  return (name) => {
    if (now() - (loggedAtMs.get(name) ?? Number.NEGATIVE_INFINITY) < ms) return false;
    if (loggedAtMs.size >= REMEMBERED_MAX) loggedAtMs.clear();
    loggedAtMs.set(name, now());
    return true;
  };
}

/** Logs a row, or an item of a batch, at most every five minutes. */
export function createQuarantineLog(
  logger: Logger,
  now: () => number,
): (found: UnreadableRow | UnreadableBatchItem) => void {
  const isNew = onceIn(REPEAT_MS, now);
  return (found) => {
    const { problem } = found;
    const names = 'batch' in found ? namesOfItem(found) : { ...found.key, ingestId: found.ingestId };
    if (!isNew(JSON.stringify(names))) return;
    if ('batch' in found)
      logger.error({ quarantine: 'batch', ...names, problem }, 'an item of a batch cannot be read');
    else logger.error({ quarantine: 'row', ...names, problem }, 'a stored row cannot be read');
  };
}

/** Logs an item of the config table, or a list's part of one, at most every five minutes. */
export function createItemQuarantine(logger: Logger, now: () => number): ItemQuarantine {
  const isNew = onceIn(REPEAT_MS, now);
  return (found) => {
    const { what, key, message: problem } = found;
    if (isNew(JSON.stringify([what, key.pk, key.sk])))
      logger.error({ quarantine: 'item', what, ...key, problem }, 'a stored item cannot be read');
  };
}

/** Logs a record or an item of the helpdesk at most every five minutes. */
export function createRecordQuarantine(
  logger: Logger,
  now: () => number,
): (found: UnreadableRecord | UnreadableItem) => void {
  const isNew = onceIn(REPEAT_MS, now);
  const ofItem = createItemQuarantine(logger, now);
  return (found) => {
    if (found instanceof UnreadableItem) return ofItem(found);
    const { kind, workspaceId, id, message: problem } = found;
    if (isNew(JSON.stringify([kind, workspaceId, id])))
      logger.error(
        { quarantine: 'record', kind, workspaceId, id, problem },
        'a stored record cannot be read',
      );
  };
}

/** The arguments of `millrace row`; without a platform it is the manifest. */
function namesOfItem({ batch, platform }: UnreadableBatchItem): object {
  const { merchantId, minuteMs, shard, id } = batch;
  const minute = new Date(minuteMs).toISOString();
  return { merchantId, minute, shard, batch: id, ...(platform === undefined ? {} : { platform }) };
}

/** The stages' reports of failures they recovered from. */
export function createReport(
  logger: Logger,
): (problem: string, error: unknown, context?: Readonly<Record<string, unknown>>) => void {
  return (problem, error, context) => {
    logger.error({ ...quarantineOf(error), err: error, ...context }, problem);
  };
}

function quarantineOf(error: unknown): object {
  if (error instanceof UnreadableItem) return { quarantine: 'item', what: error.what, ...error.key };
  if (error instanceof PlatformDefect) return { quarantine: 'platform', platform: error.platform };
  if (error instanceof RuleDefect)
    return { quarantine: 'rule', merchantId: error.merchantId, rule: error.rule };
  if (error instanceof UnreadableRecord)
    return { quarantine: 'record', kind: error.kind, workspaceId: error.workspaceId, id: error.id };
  return error instanceof UnreadablePart ? { quarantine: 'row' } : {};
}
