// What became of deliveries at each platform, summed over merchants, from the counters of the last day: nothing is counted for it.
import { floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import { addNumbers, type Numbers } from '#lib/events/domain/analytics/numbers.ts';
import { readCounters, total } from '#lib/events/pipeline/counting/counter-range.ts';
import type { BucketRow } from '#lib/events/ports/counter-store.ts';
import type { OperatorPorts } from '../ports.ts';

/** Beside the hour that runs: whole hours are few rows. */
const HOURS = 24;
const CODES_SHOWN = 3;

export const figuresSinceMs = (nowMs: number): number => floorTo(nowMs, HOUR_MS) - HOURS * HOUR_MS;

/** None where the product of events is not deployed. */
export async function countedSince(
  merchantId: string,
  { counters, clock }: Pick<OperatorPorts, 'counters' | 'clock'>,
): Promise<readonly BucketRow[]> {
  if (counters === null) return [];
  const nowMs = clock.now();
  const span = { fromMs: figuresSinceMs(nowMs), toMs: nowMs + 1 };
  return await readCounters(merchantId, span, { counters }, 'hour');
}

/** Of platforms to which anything was to be sent, by name. */
export function platformFigures(rows: readonly BucketRow[]) {
  const { deliveries, codes = {} } = total(rows);
  return Object.keys(deliveries)
    .sort()
    .flatMap((platform) => {
      const words: Numbers = {};
      for (const counted of Object.values(deliveries[platform] ?? {})) addNumbers(words, counted);
      const { DELIVERED: delivered = 0, FAILED: refused = 0, ERROR: given_up = 0 } = words;
      const waiting = (words.QUEUED ?? 0) + (words.SENDING ?? 0) + (words.RETRY ?? 0);
      if (delivered + refused + given_up + waiting === 0) return [];
      const most = Object.entries(codes[platform] ?? {}).sort(([, a], [, b]) => b - a);
      return [
        {
          ...{ platform, delivered, refused, given_up, waiting },
          codes: Object.fromEntries(most.slice(0, CODES_SHOWN)),
        },
      ];
    });
}
