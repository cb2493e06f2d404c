// Announces to the counters that rows of a minute are about to appear, once per minute and process. The slot stays due
// until every row in it is over, so whatever happens to a row or to its messages, somebody comes back to look.

import type { Clock } from '../../../core/ports/clock.ts';
import { MINUTE_MS, minuteOf } from '../../../core/work/time-slot.ts';
import type { CounterStore } from '../../ports/counter-store.ts';

/** Slots keep being folded for an hour after their end, so within that an announcement need not be repeated. */
const REMEMBERED_MS = 45 * 60_000;
const REMEMBERED_MAX = 10_000;

/** Where a row is counted. */
export interface CountedAt {
  readonly merchantId: string;
  readonly receivedAtMs: number;
}

export interface SlotMarker {
  /** Resolves once the slots of all these rows are due; a slot this process announced before costs nothing. */
  markDue(rows: readonly CountedAt[]): Promise<void>;
  /** The same for a row whose commit took so long that its slot may have been folded without it. */
  markDueAgain(row: CountedAt): Promise<void>;
}

/** `commitMs`: rows of a slot that is over already are committed within this time of their announcement. */
export function createSlotMarker(
  counters: Pick<CounterStore, 'markDue'>,
  clock: Clock,
  commitMs = 0,
): SlotMarker {
  // Also those under way: a batch of one minute announces it once.
  const touched = new Map<string, Promise<void>>();
  const touch = (merchantId: string, startMs: number): Promise<void> => {
    const dueAtMs = Math.max(startMs + MINUTE_MS, clock.now() + commitMs);
    return counters.markDue({ merchantId, grain: 'minute', startMs }, dueAtMs);
  };
  const touchOnce = (merchantId: string, startMs: number): Promise<void> => {
    const id = `${merchantId}/${startMs}`;
    const known = touched.get(id);
    if (known !== undefined && clock.now() < startMs + MINUTE_MS + REMEMBERED_MS) return known;
    if (touched.size >= REMEMBERED_MAX) touched.clear();
    const begun = touch(merchantId, startMs);
    touched.set(id, begun);
    begun.catch(() => {
      if (touched.get(id) === begun) touched.delete(id);
    });
    return begun;
  };
  return {
    markDue: async (rows) => {
      await Promise.all(rows.map((row) => touchOnce(row.merchantId, minuteOf(row.receivedAtMs))));
    },
    markDueAgain: (row) => touch(row.merchantId, minuteOf(row.receivedAtMs)),
  };
}
