// The counter-refresh queue: time slots whose rows have changed. A lost message costs minutes of freshness, nothing else.
import * as z from 'zod';
import { MINUTE_MS, minuteOf } from '../../../lib/core/work/time-slot.ts';
import { merchantSchema } from '../../../lib/events/domain/pointer.ts';

/** The last minute a date can have. */
const SLOT_MAX_MS = 8_640_000_000_000_000 - MINUTE_MS;

export const counterRefreshSchema = z.object({
  merchant: merchantSchema,
  /** Starts of minute slots, UTC milliseconds. One that starts elsewhere would be counted into its hour twice. */
  slots: z.array(z.int().nonnegative().max(SLOT_MAX_MS).multipleOf(MINUTE_MS)).min(1),
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
