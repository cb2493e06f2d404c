// Rows that are due: their pointers are sent, and they are put off, so that a backlog does not multiply itself.
// Guarantees: first the pointers, then the new due time, so that a crash in between tells a row too often, not too rarely;
// a row that cannot be read, told or put off delays no other; it is looked at again, ever more rarely.
import type { Clock } from '../../../core/ports/clock.ts';
import type { MessageSender } from '../../../core/ports/queue.ts';
import { nextDueMs } from '../../domain/delivery-progress.ts';
import type { EventKey, EventRow, NormalizedRow } from '../../domain/event-row.ts';
import { POINTERS_MAX, type Pointers, packPointers } from '../../domain/pointer.ts';
import type { EventStore } from '../../ports/event-store.ts';
import { sendApart } from './send-apart.ts';

const WRITES_AT_ONCE = 16;
/** A row that was told again is left alone for a minute, then two, four … an hour. */
const BACKOFF_MIN_MS = 60_000;
const BACKOFF_MAX_MS = 3_600_000;
/** A row that cannot be read waits for a release that can: four looks a day find that out soon enough. */
const UNREADABLE_MAX_MS = 6 * 3_600_000;
/** A browser event that has waited for its server copy is told without a write for as long: one sweep, sometimes two. */
const RELEASE_MS = 70_000;

export interface TellPorts {
  readonly events: Pick<EventStore, 'readMany' | 'reschedule' | 'deferUnreadable'>;
  readonly normalized: MessageSender<Pointers>;
  readonly clock: Clock;
  /** Reports what the queue will not have, and what could not be put off. */
  readonly report: (problem: string, error: unknown) => void;
}

/** `keys`: what the index says is due at `nowMs`. It may lag behind: what counts is the row. */
export async function tellDue(keys: readonly EventKey[], nowMs: number, ports: TellPorts): Promise<void> {
  for (let at = 0; at < keys.length; at += POINTERS_MAX) {
    const { rows, unreadable } = await ports.events.readMany(keys.slice(at, at + POINTERS_MAX));
    const indexed = rows.filter((row) => isLate(row, nowMs));
    const late = indexed.filter((row) => (nextDueMs(row) ?? nowMs + 1) <= nowMs);
    await sendApart(ports.normalized, packPointers(late.map((row) => row.key)), ports.report);
    await eachAlone(indexed, ports, (row) => putOff(row, nowMs, ports));
    // By key alone, since nothing else of it is known: it must not stand at the head of every sweep.
    await eachAlone(unreadable, ports, async (row) => {
      if (row.dueAtMs === undefined || row.dueAtMs > nowMs) return;
      await ports.events.deferUnreadable(row, nowMs + backoffMs(row.sweeps, UNREADABLE_MAX_MS));
    });
  }
}

async function putOff(row: NormalizedRow, nowMs: number, { events }: TellPorts): Promise<void> {
  const next = nextDueMs(row);
  // Its release takes the due time away: a write for it is only worth it where that does not come.
  if (row.heldUntilMs !== undefined && nowMs - row.heldUntilMs < RELEASE_MS) return;
  // Two deliveries that ended at once each saw the other one open: the row asks for less than its due time says.
  if (next === null || next > nowMs) await events.reschedule(row, next, 0);
  else await events.reschedule(row, nowMs + backoffMs(row.sweeps, BACKOFF_MAX_MS), row.sweeps + 1);
}

async function eachAlone<Row>(
  rows: readonly Row[],
  { report }: Pick<TellPorts, 'report'>,
  write: (row: Row) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += WRITES_AT_ONCE)
    await Promise.all(
      rows
        .slice(at, at + WRITES_AT_ONCE)
        .map((row) => write(row).catch((error: unknown) => report('a row could not be put off', error))),
    );
}

function isLate(row: EventRow, nowMs: number): row is NormalizedRow {
  return row.state === 'normalized' && row.dueAtMs !== undefined && row.dueAtMs <= nowMs;
}

function backoffMs(sweeps: number, maxMs: number): number {
  return Math.min(BACKOFF_MIN_MS * 2 ** Math.min(Math.max(sweeps, 0), 10), maxMs);
}
