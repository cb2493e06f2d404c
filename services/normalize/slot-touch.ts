// Announces to the counters that rows of a minute are about to appear, once per minute and process.

import { MINUTE_MS, minuteOf } from '../../lib/domain/time-slot.ts';
import type { Clock } from '../../lib/ports/clock.ts';
import type { CounterStore } from '../../lib/ports/counter-store.ts';

/** A slot is folded this long after its end, whatever became of the hints. */
const FIRST_FOLD_MS = 120_000;
/** Rows announced late are committed within this time, or their message is redelivered and announces them again. */
const LATE_COMMIT_MS = 60_000;
/** Slots keep being folded for an hour after their end, so within that an announcement need not be repeated. */
const REMEMBERED_MS = 45 * 60_000;
const REMEMBERED_MAX = 10_000;

export type SlotTouch = (
  rows: readonly { readonly merchantId: string; readonly receivedAtMs: number }[],
) => Promise<void>;

export function createSlotTouch(counters: Pick<CounterStore, 'touch'>, clock: Clock): SlotTouch {
  const touched = new Set<string>();
  return async (rows) => {
    const nowMs = clock.now();
    const fresh = new Map<string, { merchantId: string; startMs: number }>();
    for (const row of rows) {
      const startMs = minuteOf(row.receivedAtMs);
      const id = `${row.merchantId}/${startMs}`;
      const settled = touched.has(id) && nowMs < startMs + MINUTE_MS + REMEMBERED_MS;
      if (!settled) fresh.set(id, { merchantId: row.merchantId, startMs });
    }
    for (const [id, { merchantId, startMs }] of fresh) {
      const dueAtMs = Math.max(startMs + MINUTE_MS + FIRST_FOLD_MS, nowMs + LATE_COMMIT_MS);
      await counters.touch({ merchantId, grain: 'minute', startMs }, dueAtMs);
      if (touched.size >= REMEMBERED_MAX) touched.clear();
      touched.add(id);
    }
  };
}
