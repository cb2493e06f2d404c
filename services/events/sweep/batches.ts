// Batches whose retries have come, or whose lease has run out, are told by their item: one message for all rows of a platform.
// Guarantees: an item that cannot be read, told or put off delays no other; it is looked at again, ever more rarely.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import type { BatchOutcomes } from '../../../lib/events/domain/batch.ts';
import { nextDueMs, nextOutcomes } from '../../../lib/events/domain/batch-outcomes.ts';
import { packBatches } from '../../../lib/events/domain/pointer.ts';
import { sendApart } from '../../../lib/events/pipeline/recovery/send-apart.ts';
import { backoffMs, UNREADABLE_MAX_MS } from './backoff.ts';
import type { SweepPorts } from './ports.ts';

/** Items looked at per shard and sweep. One stands for up to a hundred rows. */
const ITEMS_PER_SHARD = 1_000;
const PAGE = 100;
const WRITES_AT_ONCE = 16;

/** Returns how many were due. */
export async function sweepBatches(shard: number, ports: SweepPorts): Promise<number> {
  const { batches, clock, normalized, report } = ports;
  const nowMs = clock.now();
  const due = await batches.due(shard, nowMs, ITEMS_PER_SHARD);
  for (let at = 0; at < due.length; at += PAGE) {
    const keys = due.slice(at, at + PAGE).map(({ key }) => key);
    const { outcomes, unreadable } = await batches.readMany({ outcomes: keys }, 'strong');
    // The index may lag behind the item: what counts is the item.
    const indexed = outcomes.filter(({ dueAtMs = nowMs + 1 }) => dueAtMs <= nowMs);
    const late = indexed.filter(({ groups }) => (nextDueMs(groups) ?? nowMs + 1) <= nowMs);
    // First the pointers, then the new due time: a crash in between tells them again, which is harmless.
    const messages = late.flatMap(({ batch, platform }) =>
      packBatches([batch]).map((pointer) => ({ ...pointer, platform })),
    );
    await sendApart(normalized, messages, report);
    await eachAlone(indexed, report, async (seen) => {
      await batches.writeOutcomes(late.includes(seen) ? later(seen, nowMs) : asDue(seen), seen.version);
    });
    await eachAlone(unreadable, report, async (seen) => {
      if (seen.dueAtMs === undefined || seen.dueAtMs > nowMs) return;
      await batches.deferUnreadable(seen, nowMs + backoffMs(seen.sweeps, UNREADABLE_MAX_MS));
    });
  }
  return due.length;
}

const later = (seen: BatchOutcomes, nowMs: number): BatchOutcomes => ({
  ...seen,
  version: seen.version + 1,
  dueAtMs: nowMs + backoffMs(seen.sweeps),
  sweeps: seen.sweeps + 1,
});

/** It asks for less than its due time says. */
const asDue = (seen: BatchOutcomes): BatchOutcomes => nextOutcomes(seen, new Map());

async function eachAlone<Item>(
  items: readonly Item[],
  report: SweepPorts['report'],
  write: (item: Item) => Promise<void>,
): Promise<void> {
  await inParallel(items, WRITES_AT_ONCE, async (item) => {
    try {
      await write(item);
    } catch (error) {
      report('a batch could not be put off', error);
    }
  });
}
