// How much of what a platform was sent it did not take, against its own past. Pure, from counters.
import { type DeliveryState, TERMINAL_STATES } from '../../domain/deliveries/delivery.ts';
import type { BucketRow } from '../../ports/counter-store.ts';

export interface Rate {
  /** Delivered, given up, or to be sent again. */
  readonly due: number;
  readonly failed: number;
}

const FAILED: ReadonlySet<string> = new Set<DeliveryState>(['FAILED', 'ERROR', 'RETRY']);
const UNTOLD: ReadonlySet<string> = new Set<DeliveryState>(['SKIPPED']);

/** `over`: of deliveries that have ended. */
export function rateOf(
  rows: readonly Pick<BucketRow, 'counters'>[],
  platform: string,
  which: 'over' | 'all' = 'all',
): Rate {
  let [due, failed] = [0, 0];
  for (const { counters } of rows)
    for (const words of Object.values(counters.deliveries[platform] ?? {}))
      for (const [word, events] of Object.entries(words)) {
        const isOver = TERMINAL_STATES.has(word as DeliveryState) && !UNTOLD.has(word);
        if (!isOver && (which === 'over' || word !== 'RETRY')) continue;
        due += events;
        if (FAILED.has(word)) failed += events;
      }
  return { due, failed };
}

const DUE_MIN = 20;
const FAILED_MIN = 10;
const BEGINS = { share: 0.1, times: 3, plus: 0.05 };
const ENDS = { share: 0.05, times: 1.5, plus: 0.02 };

const shareOf = ({ due, failed }: Rate): number => (due === 0 ? 0 : failed / due);
const above = (past: Rate, { share, times, plus }: typeof BEGINS): number =>
  Math.max(share, times * shareOf(past) + plus);

/** `goesOn`: it was before, and is until the share is well below what began it. */
export function isFailingRate(now: Rate, past: Rate, goesOn: boolean): boolean {
  if (goesOn) return shareOf(now) > above(past, ENDS);
  return now.due >= DUE_MIN && now.failed >= FAILED_MIN && shareOf(now) >= above(past, BEGINS);
}
