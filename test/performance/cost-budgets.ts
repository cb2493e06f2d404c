// What an event may cost: units, requests, invocations and answers waited for, counted per event; and dollars a million, all
// in. By rate, number of platforms and pollers of a queue.
// Each limit is what was counted last and a little more: several processes write one row in no fixed order. When a change makes
// events cheaper, tighten the limit in the same commit.
import type { Cell, CellKey, Units } from './cost-cell.ts';

export interface Budget extends CellKey {
  readonly limits: Units;
  /**
   * A million events, at most. `all`, with data out and ninety days of keeping them, is held against a run; `processing` is what
   * the estimate for merchants is compared with.
   */
  readonly dollarsMax: { readonly processing: number; readonly all: number };
  /** What they are to cost; not held against a run. */
  readonly targetDollars?: number;
}

type Limits = readonly [
  writeUnits: number,
  readUnits: number,
  sqsRequests: number,
  invocations: number,
  platformWaits: number,
];

const budget = (
  [perSec, platforms, gatherers]: readonly [number, number, 1 | 5],
  [writeUnits, readUnits, sqsRequests, invocations, platformWaits]: Limits,
  dollarsMax: Budget['dollarsMax'],
  more: Partial<Pick<Budget, 'targetDollars' | 'merchants' | 'source'>> = {},
): Budget => ({
  perSec,
  platforms,
  gatherers,
  merchants: 1,
  limits: { writeUnits, readUnits, sqsRequests, invocations, platformWaits },
  dollarsMax,
  ...more,
});

/** One event a minute, as most merchants have: a thousand of them. */
const ONE_A_MINUTE = 1 / 60;

const BROWSER = { source: 'browser', targetDollars: 6.5 } as const;

export const BUDGETS: readonly Budget[] = [
  budget(
    [ONE_A_MINUTE, 1, 5],
    [19.2, 30.8, 18.2, 7.1, 1.05],
    { processing: 29.4, all: 32.9 },
    { merchants: 1_000 },
  ),
  budget(
    [ONE_A_MINUTE, 3, 5],
    [21.2, 33.8, 24.2, 9.1, 3.05],
    { processing: 36.7, all: 40.6 },
    { merchants: 1_000, targetDollars: 6.5 },
  ),
  budget(
    [ONE_A_MINUTE, 12, 5],
    [39.8, 60.6, 51.5, 18.2, 12.5],
    { processing: 77.5, all: 83 },
    { merchants: 1_000 },
  ),
  budget([1, 1, 5], [5.9, 14.2, 12.7, 5.0, 1.05], { processing: 14.4, all: 16.5 }),
  budget([1, 3, 5], [7.9, 17.2, 18.8, 7.0, 3.1], { processing: 21.7, all: 24.2 }),
  budget([1, 12, 5], [26.7, 44.2, 46.2, 16.2, 12.3], { processing: 62.4, all: 66.6 }),
  budget([5, 3, 5], [6.4, 13.5, 16.9, 6.3, 3.1], { processing: 18.8, all: 21.1 }),
  budget([33, 1, 5], [3.41, 3.35, 2.54, 1.53, 0.165], { processing: 4.47, all: 6.36 }),
  budget([33, 3, 5], [3.72, 4.9, 3.49, 1.85, 0.49], { processing: 5.74, all: 8 }, { targetDollars: 5 }),
  // Without copies from servers: each reads whether there is one, and writes what limits its visitor.
  budget([1, 3, 5], [9, 26, 19, 7.1, 3.1], { processing: 23.4, all: 25.8 }, BROWSER),
  budget([33, 3, 5], [4.76, 15.5, 3.6, 1.95, 0.5], { processing: 7.9, all: 10.1 }, BROWSER),
  budget([33, 12, 5], [5.4, 14.1, 8.1, 3.38, 2.0], { processing: 12.1, all: 15.9 }, { targetDollars: 6.2 }),
  budget([33, 3, 1], [3.23, 4.05, 1.7, 1.19, 0.14], { processing: 3.93, all: 6.02 }, { targetDollars: 5 }),
  budget([33, 12, 1], [3.6, 9.6, 2.62, 1.5, 0.52], { processing: 5.75, all: 9.1 }, { targetDollars: 6.2 }),
  budget([1_000, 1, 5], [3.12, 2.8, 1.28, 1.05, 0.012], { processing: 3.32, all: 5.1 }),
  budget(
    [1_000, 3, 5],
    [3.14, 3.85, 1.31, 1.06, 0.06],
    { processing: 3.55, all: 5.6 },
    { targetDollars: 4.25 },
  ),
  budget([1_000, 12, 5], [3.28, 8.9, 1.7, 1.19, 0.26], { processing: 4.7, all: 7.9 }, { targetDollars: 5.4 }),
];

/** A sentence for each limit that is exceeded. */
export function exceeded(cell: Pick<Cell, keyof CellKey | 'units' | 'dollarsPerMillion'>): readonly string[] {
  const budget = budgetOf(cell);
  if (budget === undefined) return [];
  const from = cell.source === undefined ? '' : `, from ${cell.source}s`;
  const where = `at ${cell.perSec} a second to ${cell.platforms}, ${cell.gatherers} pollers${from}`;
  const over = Object.entries(budget.limits).flatMap(([name, limit]) => {
    const value = cell.units[name as keyof Units];
    return value <= limit ? [] : [`${value.toFixed(3)} ${name} per event ${where}: the limit is ${limit}`];
  });
  const max = budget.dollarsMax.all;
  if (cell.dollarsPerMillion > max)
    over.push(`$${cell.dollarsPerMillion.toFixed(2)} a million events ${where}: the limit is $${max}`);
  return over;
}

export const budgetOf = ({ perSec, platforms, gatherers, source }: CellKey): Budget | undefined =>
  BUDGETS.find(
    (budget) =>
      budget.perSec === perSec &&
      budget.platforms === platforms &&
      budget.gatherers === gatherers &&
      budget.source === source,
  );
