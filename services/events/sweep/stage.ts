// What is due is told: rows and batches whose retry has come or whose lease has run out, and slots that are to be folded, which is
// where rows are found that lost their messages before anything was tried.
// Guarantees: a row that cannot be read, told or put off delays no other; it is looked at again, ever more rarely.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import { SendFailure } from '../../../lib/core/ports/queue.ts';
import { nextDueMs } from '../../../lib/events/domain/delivery-progress.ts';
import type { EventRow, NormalizedRow } from '../../../lib/events/domain/event-row.ts';
import { packPointers } from '../../../lib/events/domain/pointer.ts';
import { sendApart } from '../../../lib/events/pipeline/recovery/send-apart.ts';
import { BATCH_DUE_SHARDS } from '../../../lib/events/ports/batch-store.ts';
import { SLOT_SHARDS } from '../../../lib/events/ports/counter-store.ts';
import { DUE_SHARDS } from '../../../lib/events/ports/event-store.ts';
import { packRefreshes, slotRefreshes } from '../aggregate/message.ts';
import { backoffMs, UNREADABLE_MAX_MS } from './backoff.ts';
import { sweepBatches } from './batches.ts';
import type { SweepPorts } from './ports.ts';

/** Rows looked at per shard and sweep, so that a flood of held browser events (1,300 a second) delays nobody's retry; what is left is older than the next sweep's first. */
const ROWS_PER_SHARD = 5_000;
/** A query's answer holds no more keys. */
const SLOTS_PER_SHARD = 8_000;
/** All hints of the sweep: where there are many, those of events that were just delivered go first. */
const SLOT_GROUP = 'sweep';
/** Messages of one send. */
const HINTS_AT_ONCE = 500;
const PAGE = 100;
const SHARDS_AT_ONCE = 4;
const WRITES_AT_ONCE = 16;
/** A browser event that has waited for its server copy is told without a write for as long: one sweep, sometimes two. */
const RELEASE_MS = 70_000;

export interface SweepReport {
  readonly rows: number;
  /** Outcomes of batches. */
  readonly batches: number;
  readonly slots: number;
}

export async function runSweep(ports: SweepPorts): Promise<SweepReport> {
  const each = async (shards: number, sweep: typeof sweepRows): Promise<number> => {
    const numbers = Array.from({ length: shards }, (_, shard) => shard);
    const counts = await inParallel(numbers, SHARDS_AT_ONCE, (shard) => sweep(shard, ports));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const [slots, rows, batches] = await Promise.all([
    each(SLOT_SHARDS, sweepSlots),
    each(DUE_SHARDS, sweepRows),
    each(BATCH_DUE_SHARDS, sweepBatches),
  ]);
  return { rows, batches, slots };
}

async function sweepRows(shard: number, ports: SweepPorts): Promise<number> {
  const nowMs = ports.clock.now();
  const due = await ports.events.due(shard, nowMs, ROWS_PER_SHARD);
  for (let at = 0; at < due.length; at += PAGE) {
    const { rows, unreadable } = await ports.events.readMany(
      due.slice(at, at + PAGE).map((entry) => entry.key),
    );
    // The index may lag behind the row: what counts is the row.
    const indexed = rows.filter((row) => isLate(row, nowMs));
    const late = indexed.filter((row) => (nextDueMs(row) ?? nowMs + 1) <= nowMs);
    // First the pointers, then the new due time: a sweeper that dies in between has told too often, not too rarely.
    const messages = packPointers(late.map((row) => row.key));
    await sendApart(ports.normalized, messages, ports.report);
    await eachAlone(indexed, ports, (row) => {
      const next = nextDueMs(row);
      // Its release takes the due time away: a write for it is only worth it where that does not come.
      if (row.heldUntilMs !== undefined && nowMs - row.heldUntilMs < RELEASE_MS) return Promise.resolve(true);
      // Two deliveries that ended at once each saw the other one open: the row asks for less than its due time says.
      if (next === null || next > nowMs) return ports.events.reschedule(row, next, 0);
      return ports.events.reschedule(row, nowMs + backoffMs(row.sweeps), row.sweeps + 1);
    });
    // By key alone, since nothing else of it is known: it must not stand at the head of every sweep.
    await eachAlone(unreadable, ports, async (row) => {
      if (row.dueAtMs === undefined || row.dueAtMs > nowMs) return;
      await ports.events.deferUnreadable(row, nowMs + backoffMs(row.sweeps, UNREADABLE_MAX_MS));
    });
  }
  return due.length;
}

async function eachAlone<Row>(
  rows: readonly Row[],
  { report }: SweepPorts,
  write: (row: Row) => Promise<unknown>,
): Promise<void> {
  await inParallel(rows, WRITES_AT_ONCE, async (row) => {
    try {
      await write(row);
    } catch (error) {
      report('a row could not be put off', error);
    }
  });
}

function isLate(row: EventRow, nowMs: number): row is NormalizedRow {
  return row.state === 'normalized' && row.dueAtMs !== undefined && row.dueAtMs <= nowMs;
}

async function sweepSlots(shard: number, ports: SweepPorts): Promise<number> {
  const due = await ports.counters.due(shard, ports.clock.now(), SLOTS_PER_SHARD);
  const hints = packRefreshes(slotRefreshes(due.map(({ key }) => key)));
  for (let at = 0; at < hints.length; at += HINTS_AT_ONCE)
    try {
      const some = hints.slice(at, at + HINTS_AT_ONCE);
      await ports.counterRefresh.send(some.map((body) => ({ body, groupId: SLOT_GROUP })));
    } catch (error) {
      if (!(error instanceof SendFailure && error.refused)) throw error;
      ports.report('a counter refresh was refused by its queue', error);
    }
  return due.length;
}
