// What an event may cost, counted and not priced: units, requests, invocations and answers waited for per event, by rate and
// number of platforms.
// Each limit is what was counted last and a little more, for the folds of counters that vary from run to run. When a change
// makes events cheaper, tighten the limit in the same commit.
import type { Cell, CellKey, Units } from './cost-cell.ts';

export interface Budget extends CellKey {
  readonly limits: Units;
  /** What a million events are to cost, dollars; not held against a run. */
  readonly targetDollars?: number;
}

export const BUDGETS: readonly Budget[] = [
  {
    perSec: 1,
    platforms: 1,
    limits: { writeUnits: 5.7, readUnits: 13.5, sqsRequests: 10.9, invocations: 4.4, platformWaits: 1.05 },
  },
  {
    perSec: 1,
    platforms: 3,
    limits: { writeUnits: 7.8, readUnits: 16, sqsRequests: 17.1, invocations: 6.5, platformWaits: 3.1 },
  },
  {
    perSec: 1,
    platforms: 12,
    limits: { writeUnits: 26.6, readUnits: 44, sqsRequests: 44.6, invocations: 15.7, platformWaits: 12.3 },
  },
  {
    perSec: 33,
    platforms: 1,
    limits: { writeUnits: 3.16, readUnits: 2.9, sqsRequests: 1.51, invocations: 1.13, platformWaits: 0.036 },
  },
  {
    perSec: 33,
    platforms: 3,
    targetDollars: 4,
    limits: { writeUnits: 3.23, readUnits: 4.05, sqsRequests: 1.7, invocations: 1.19, platformWaits: 0.14 },
  },
  {
    perSec: 33,
    platforms: 12,
    targetDollars: 5.6,
    limits: { writeUnits: 3.55, readUnits: 9.6, sqsRequests: 2.56, invocations: 1.48, platformWaits: 0.5 },
  },
  {
    perSec: 1_000,
    platforms: 1,
    limits: { writeUnits: 3.12, readUnits: 2.82, sqsRequests: 1.27, invocations: 1.04, platformWaits: 0.012 },
  },
  {
    perSec: 1_000,
    platforms: 3,
    targetDollars: 3.6,
    limits: { writeUnits: 3.14, readUnits: 3.88, sqsRequests: 1.28, invocations: 1.04, platformWaits: 0.05 },
  },
  {
    perSec: 1_000,
    platforms: 12,
    targetDollars: 4.8,
    limits: { writeUnits: 3.25, readUnits: 8.6, sqsRequests: 1.3, invocations: 1.05, platformWaits: 0.2 },
  },
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
