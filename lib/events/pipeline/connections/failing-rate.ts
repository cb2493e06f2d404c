// How much of what a place at a platform was sent it did not take, against its own past. Pure, from counters.
import type { BucketCounters } from '../../domain/analytics/analytics.ts';
import { type ConnectionCounts, countsByPlace } from '../../domain/analytics/connection-counts.ts';
import { type DeliveryState, TERMINAL_STATES } from '../../domain/deliveries/delivery.ts';
import type { BucketRow } from '../../ports/counter-store.ts';

export interface Rate {
  /** Delivered, given up, or to be sent again. */
  readonly due: number;
  readonly failed: number;
}

const FAILED: ReadonlySet<string> = new Set<DeliveryState>(['FAILED', 'ERROR', 'RETRY']);
const UNTOLD: ReadonlySet<string> = new Set<DeliveryState>(['SKIPPED']);

/** Of one place. `over`: of deliveries that have ended. */
export function rateOf(
  rows: readonly Pick<BucketRow, 'counters'>[],
  place: string,
  which: 'over' | 'all' = 'all',
): Rate {
  return rateIn(
    rows.flatMap(({ counters }) => countsByPlace(counters).get(place) ?? []),
    which,
  );
}

/** Of each place. */
export const ratesOf = (counters: BucketCounters): readonly (readonly [place: string, Rate])[] =>
  [...countsByPlace(counters)].map(([place, counts]) => [place, rateIn(counts, 'all')]);

function rateIn(counts: readonly ConnectionCounts['deliveries'][], which: 'over' | 'all'): Rate {
  let [due, failed] = [0, 0];
  for (const words of counts.flatMap(Object.values<Readonly<Record<string, number>>>))
    for (const [word, events] of Object.entries(words)) {
      const isOver = TERMINAL_STATES.has(word as DeliveryState) && !UNTOLD.has(word);
      if (!isOver && (which === 'over' || word !== 'RETRY')) continue;
      due += events;
      if (FAILED.has(word)) failed += events;
    }
  return { due, failed };
}

const DUE_MIN = 20;
export const FAILED_MIN = 10;
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

const IN_A_ROW_MIN = 3;
/** Of a busy shop's calls one in so many begins such a row by chance: less than one a day. */
const CHANCE_MAX = 1e-4;

/** So many failures in a row say that something has changed, by how rare they were. */
export const isNoChance = (inARow: number, past: Rate): boolean =>
  inARow >= IN_A_ROW_MIN && shareOf(past) ** inARow < CHANCE_MAX;
