// What an event may cost, counted and not priced: units, requests and invocations per event, by rate and number of platforms.
// Each limit is what was counted last and a little more, for the folds of counters that vary from run to run. When a change
// makes events cheaper, tighten the limit in the same commit.
import type { Cell, CellKey, Units } from './cost-cell.ts';

export interface Budget extends CellKey {
  readonly limits: Units;
  /** What a million events are to cost, dollars; not held against a run. */
  readonly targetDollars?: number;
}

export const BUDGETS: readonly Budget[] = [];

/** A sentence for each limit that is exceeded. */
export function exceeded({ perSec, platforms, units }: Cell): readonly string[] {
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
