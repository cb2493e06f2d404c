// The outcomes queue: time slots whose rows have changed. A hint only: a lost one costs minutes of freshness.
import * as z from 'zod';
import { minuteOf } from '../../../lib/events/domain/time-slot.ts';

export const counterRefreshSchema = z.object({
  merchant: z.string().min(1),
  /** Starts of minute slots, UTC milliseconds. */
  slots: z.array(z.int()).min(1),
});
export type CounterRefresh = z.output<typeof counterRefreshSchema>;

/** One message per merchant, each slot once. */
export function counterRefreshes(
  rows: Iterable<{ readonly merchantId: string; readonly receivedAtMs: number }>,
): CounterRefresh[] {
  const byMerchant = new Map<string, Set<number>>();
  for (const row of rows) {
    const slots = byMerchant.get(row.merchantId);
    if (slots === undefined) byMerchant.set(row.merchantId, new Set([minuteOf(row.receivedAtMs)]));
    else slots.add(minuteOf(row.receivedAtMs));
  }
  return [...byMerchant].map(([merchant, slots]) => ({ merchant, slots: [...slots].sort((a, b) => a - b) }));
}
