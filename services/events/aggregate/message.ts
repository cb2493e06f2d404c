// The counter-refresh queue: time slots whose rows have changed. A lost message costs minutes of freshness, nothing else.
import * as z from 'zod';
import { minuteOf } from '../../../lib/core/work/time-slot.ts';
import { merchantSchema, minuteSchema } from '../../../lib/events/domain/pointer.ts';

export const counterRefreshSchema = z.object({
  merchant: merchantSchema,
  /** Starts of minute slots. One that starts elsewhere would be counted into its hour twice. */
  slots: z.array(minuteSchema).min(1),
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
