// Announces to the counters that rows of a minute and shard are about to appear, once per minute, shard and process. The
// slot stays due until every row in it is over, so whatever happens to a row or to its messages, somebody comes back to
// look. It is the announcement that makes a shard be counted and listed: nobody asks how many there ought to be.

import type { Clock } from '../../../core/ports/clock.ts';
import { DAY_MS, floorTo, MINUTE_MS, minuteOf } from '../../../core/work/time-slot.ts';
import { inShard, shardOf } from '../../domain/shard.ts';
import type { CounterStore, SlotKey } from '../../ports/counter-store.ts';

/** Slots keep being folded for an hour after their end, so within that an announcement need not be repeated. */
const REMEMBERED_MS = 45 * 60_000;
const REMEMBERED_MAX = 10_000;

/** Where a row is counted. */
export interface CountedAt {
  readonly merchantId: string;
  readonly receivedAtMs: number;
  /** Absent = 0. */
  readonly shard?: number;
}

export function countedAt({
  key,
  receivedAtMs,
  shard = 0,
}: Omit<CountedAt, 'merchantId'> & { readonly key: { readonly merchantId: string } }): CountedAt {
  return inShard({ merchantId: key.merchantId, receivedAtMs }, shard);
}

/** The minute slot that counts a row. */
export function slotOf({ merchantId, receivedAtMs, shard = 0 }: CountedAt): SlotKey {
  return inShard({ merchantId, grain: 'minute', startMs: minuteOf(receivedAtMs) }, shard);
}

export interface SlotMarker {
  /** Resolves once the slots of all these rows are due; a slot this process announced before costs nothing. */
  markDue(rows: readonly CountedAt[]): Promise<void>;
  /** The same for a row whose commit took so long that its slot may have been folded without it. */
  markDueAgain(row: CountedAt): Promise<void>;
}

/** `commitMs`: rows of a slot that is over already are committed within this time of their announcement. */
export function createSlotMarker(
  counters: Pick<CounterStore, 'markDue' | 'openShard'>,
  clock: Clock,
  commitMs = 0,
): SlotMarker {
  // Also those under way: a batch of one minute announces it once.
  const touched = new Map<string, Promise<void>>();
  const once = (id: string, untilMs: number, announce: () => Promise<void>): Promise<void> => {
    const known = touched.get(id);
    if (known !== undefined && clock.now() < untilMs) return known;
    if (touched.size >= REMEMBERED_MAX) touched.clear();
    const begun = announce();
    touched.set(id, begun);
    begun.catch(() => {
      if (touched.get(id) === begun) touched.delete(id);
    });
    return begun;
  };
  const touch = async (key: SlotKey): Promise<void> => {
    const { merchantId, startMs } = key;
    const shard = shardOf(key);
    if (shard > 0) {
      const dayMs = floorTo(startMs, DAY_MS);
      await once(`${merchantId}/day/${dayMs}/${shard}`, Number.POSITIVE_INFINITY, () =>
        counters.openShard(merchantId, dayMs, shard),
      );
    }
    await counters.markDue(key, Math.max(startMs + MINUTE_MS, clock.now() + commitMs));
  };
  const touchOnce = (key: SlotKey): Promise<void> =>
    once(`${key.merchantId}/${key.startMs}/${shardOf(key)}`, key.startMs + MINUTE_MS + REMEMBERED_MS, () =>
      touch(key),
    );
  return {
    markDue: async (rows) => {
      await Promise.all(rows.map((row) => touchOnce(slotOf(row))));
    },
    markDueAgain: (row) => touch(slotOf(row)),
  };
}
