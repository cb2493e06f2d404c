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
    [19.2, 30.8, 15.3, 6.1, 1.05],
    { processing: 27.5, all: 31 },
    { merchants: 1_000 },
  ),
  budget(
    [ONE_A_MINUTE, 3, 5],
    [19.2, 30.8, 15.4, 6.1, 1.05],
    { processing: 27.6, all: 31.5 },
    { merchants: 1_000, targetDollars: 6.5 },
  ),
  budget(
    [ONE_A_MINUTE, 12, 5],
    [20.3, 32.8, 15.4, 6.1, 1.15],
    { processing: 28.6, all: 34.1 },
    { merchants: 1_000 },
  ),
  budget([1, 1, 5], [5.9, 13.9, 9.8, 4.05, 1.05], { processing: 12.5, all: 14.6 }),
  budget([1, 3, 5], [5.9, 13.9, 9.8, 4.05, 1.05], { processing: 12.5, all: 14.9 }),
  budget([1, 12, 5], [6.95, 15.9, 9.8, 4.05, 1.1], { processing: 13.5, all: 17.5 }),
  budget([5, 1, 5], [4.45, 10, 7.9, 3.35, 1.05], { processing: 9.7, all: 11.6 }),
  budget([5, 3, 5], [4.45, 10, 7.9, 3.35, 1.05], { processing: 9.7, all: 11.9 }),
  budget([5, 12, 5], [5.45, 12.1, 7.9, 3.35, 1.1], { processing: 10.7, all: 14.5 }),
  budget([33, 1, 5], [3.41, 3.3, 2.09, 1.39, 0.165], { processing: 4.18, all: 6.1 }),
  budget([33, 3, 5], [3.73, 3.32, 2.09, 1.39, 0.165], { processing: 4.4, all: 6.7 }, { targetDollars: 5 }),
  // Without copies from servers: each reads whether there is one, and writes what limits its visitor.
  budget([1, 3, 5], [7, 22.4, 9.8, 4.05, 1.05], { processing: 14.4, all: 16.8 }, BROWSER),
  budget([33, 3, 5], [4.76, 13.8, 2.15, 1.41, 0.165], { processing: 6.5, all: 8.8 }, BROWSER),
  budget([33, 12, 5], [5.2, 3.95, 2.2, 1.42, 0.18], { processing: 5.5, all: 9.3 }, { targetDollars: 6.2 }),
  budget([33, 3, 1], [3.25, 2.82, 1.43, 1.1, 0.07], { processing: 3.57, all: 5.7 }, { targetDollars: 5 }),
  budget([33, 12, 1], [3.6, 2.95, 1.45, 1.11, 0.14], { processing: 3.87, all: 7.2 }, { targetDollars: 6.2 }),
  budget([1_000, 1, 5], [3.12, 2.75, 1.28, 1.05, 0.012], { processing: 3.32, all: 5.1 }),
  budget(
    [1_000, 3, 5],
    [3.14, 2.75, 1.28, 1.05, 0.06],
    { processing: 3.37, all: 5.45 },
    { targetDollars: 4.25 },
  ),
  budget(
    [1_000, 12, 5],
    [3.28, 2.83, 1.33, 1.07, 0.14],
    { processing: 3.56, all: 6.8 },
    { targetDollars: 5.4 },
  ),
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
