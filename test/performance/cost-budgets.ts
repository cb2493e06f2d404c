// What an event may cost, counted and not priced: units, requests, invocations and answers waited for per event, by rate and
// number of platforms.
// Each limit is what was counted last and a little more: several processes write one row in no fixed order. When a change makes
// events cheaper, tighten the limit in the same commit.
import type { Cell, CellKey, Units } from './cost-cell.ts';

export interface Budget extends CellKey {
  readonly limits: Units;
  /** What a million events are to cost, dollars; not held against a run. */
  readonly targetDollars?: number;
}

const budget = (
  [perSec, platforms]: readonly [number, number],
  [writeUnits, readUnits, sqsRequests, invocations, platformWaits]: readonly [
    number,
    number,
    number,
    number,
    number,
  ],
  targetDollars?: number,
): Budget => ({
  perSec,
  platforms,
  limits: { writeUnits, readUnits, sqsRequests, invocations, platformWaits },
  ...(targetDollars === undefined ? {} : { targetDollars }),
});

export const BUDGETS: readonly Budget[] = [
  budget([1, 1], [5.9, 13, 10.7, 4.4, 1.05]),
  budget([1, 3], [7.9, 16, 16.8, 6.4, 3.1]),
  budget([1, 12], [26.7, 43, 44.2, 15.5, 12.3]),
  budget([33, 1], [3.16, 2.9, 1.51, 1.13, 0.036]),
  budget([33, 3], [3.23, 4.05, 1.7, 1.19, 0.14], 4),
  budget([33, 12], [3.55, 9.6, 2.56, 1.48, 0.5], 5.6),
  budget([1_000, 1], [3.12, 2.82, 1.27, 1.04, 0.012]),
  budget([1_000, 3], [3.14, 3.88, 1.28, 1.04, 0.05], 3.6),
  budget([1_000, 12], [3.25, 8.6, 1.3, 1.05, 0.2], 4.8),
];

/** A sentence for each limit that is exceeded. */
export function exceeded({
  perSec,
  platforms,
  units,
}: Pick<Cell, keyof CellKey | 'units'>): readonly string[] {
  const budget = budgetOf({ perSec, platforms });
  if (budget === undefined) return [];
  return Object.entries(budget.limits).flatMap(([name, limit]) => {
    const value = units[name as keyof Units];
    return value <= limit
      ? []
      : [
          `${value.toFixed(3)} ${name} per event at ${perSec} a second to ${platforms}: the limit is ${limit}`,
        ];
  });
}

export const budgetOf = ({ perSec, platforms }: CellKey): Budget | undefined =>
  BUDGETS.find((budget) => budget.perSec === perSec && budget.platforms === platforms);
