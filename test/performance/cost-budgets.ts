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
  more: Partial<Pick<Budget, 'targetDollars' | 'merchants' | 'source' | 'orders' | 'together'>> = {},
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

// Google is of the twelve: a write unit with its success, of a row alone or a batch. The two of its answer half an hour on are in
// the limit, and not in a run.
export const BUDGETS: readonly Budget[] = [
  budget(
    [ONE_A_MINUTE, 1, 5],
    [6, 12.6, 10.4, 4.5, 1.05],
    { processing: 12.75, all: 13.75 },
    { merchants: 1_000 },
  ),
  budget(
    [ONE_A_MINUTE, 3, 5],
    [6, 12.6, 10.4, 4.5, 1.05],
    { processing: 12.75, all: 13.9 },
    { merchants: 1_000 },
  ),
  // As they are where there are many: what one poller takes holds events of several of them.
  budget(
    [ONE_A_MINUTE, 3, 5],
    [5.85, 12.2, 2.4, 1.43, 0.32],
    { processing: 7.45, all: 8.7 },
    { merchants: 1_000, together: true, targetDollars: 6.5 },
  ),
  budget(
    [ONE_A_MINUTE, 12, 5],
    [9.05, 15.1, 10.8, 4.5, 1.1],
    { processing: 14.9, all: 16.4 },
    { merchants: 1_000 },
  ),
  budget([1, 1, 5], [5.45, 10.6, 7.1, 3.4, 1.05], { processing: 10.2, all: 10.95 }),
  budget([1, 3, 5], [5.45, 10.6, 7.1, 3.4, 1.05], { processing: 10.2, all: 11.1 }),
  budget([1, 12, 5], [6.55, 12.7, 7.2, 3.4, 1.1], { processing: 11.2, all: 12.35 }),
  budget([5, 1, 5], [4.75, 5, 3.85, 2.13, 0.52], { processing: 6.6, all: 7.35 }),
  budget([5, 3, 5], [5.75, 5.15, 3.85, 2.13, 0.52], { processing: 7.25, all: 8.2 }),
  // Klaviyo's and Google's quotas put some off.
  budget([5, 12, 5], [9.2, 7.2, 4.4, 2.3, 0.55], { processing: 10, all: 11.5 }),
  budget([33, 1, 5], [3.73, 3.36, 1.6, 1.2, 0.09], { processing: 4.03, all: 4.67 }),
  budget([33, 3, 5], [3.89, 3.37, 1.6, 1.2, 0.09], { processing: 4.14, all: 4.9 }, { targetDollars: 5 }),
  budget([33, 3, 5], [8.45, 11.6, 1.6, 1.2, 0.09], { processing: 8.15, all: 11.25 }, { orders: true }),
  // Without copies from servers: each reads whether there is one, and writes what limits its visitor.
  budget([1, 3, 5], [6.5, 16.8, 7.1, 3.4, 1.05], { processing: 11.7, all: 12.6 }, BROWSER),
  budget([33, 3, 5], [4.98, 8.95, 1.62, 1.2, 0.085], { processing: 5.65, all: 6.43 }, BROWSER),
  budget([33, 12, 5], [4.65, 4.12, 1.8, 1.27, 0.16], { processing: 4.9, all: 5.95 }, { targetDollars: 6.2 }),
  budget([33, 3, 1], [3.65, 3.15, 1.33, 1.07, 0.055], { processing: 3.78, all: 4.52 }, { targetDollars: 5 }),
  budget([33, 12, 1], [3.95, 3.75, 1.43, 1.1, 0.11], { processing: 4.15, all: 5.15 }, { targetDollars: 6.2 }),
  budget([1_000, 1, 5], [3.59, 3.1, 1.28, 1.05, 0.012], { processing: 3.66, all: 4.28 }),
  budget(
    [1_000, 3, 5],
    [3.6, 3.1, 1.28, 1.05, 0.06],
    { processing: 3.7, all: 4.42 },
    { targetDollars: 4.25 },
  ),
  budget(
    [1_000, 12, 5],
    [3.9, 5.7, 1.54, 1.14, 0.14],
    { processing: 4.45, all: 5.45 },
    { targetDollars: 5.4 },
  ),
];

/** A sentence for each limit that is exceeded. */
export function exceeded(cell: Pick<Cell, keyof CellKey | 'units' | 'dollarsPerMillion'>): readonly string[] {
  const budget = budgetOf(cell);
  if (budget === undefined) return [];
  const where = `at ${cell.perSec} a second to ${cell.platforms}, ${cell.gatherers} pollers${kindOf(cell)}`;
  const over = Object.entries(budget.limits).flatMap(([name, limit]) => {
    const value = cell.units[name as keyof Units];
    return value <= limit ? [] : [`${value.toFixed(3)} ${name} per event ${where}: the limit is ${limit}`];
  });
  const max = budget.dollarsMax.all;
  if (cell.dollarsPerMillion > max)
    over.push(`$${cell.dollarsPerMillion.toFixed(2)} a million events ${where}: the limit is $${max}`);
  return over;
}

export const budgetOf = (cell: CellKey): Budget | undefined =>
  BUDGETS.find(
    (budget) =>
      budget.perSec === cell.perSec &&
      budget.platforms === cell.platforms &&
      budget.gatherers === cell.gatherers &&
      kindOf(budget) === kindOf(cell),
  );

/** What tells cells of one rate apart, in words. */
export const kindOf = ({
  source,
  orders,
  together,
}: Pick<CellKey, 'source' | 'orders' | 'together'>): string =>
  [
    source === undefined ? '' : ', from browsers',
    orders === true ? ', orders alone' : '',
    together === true ? ', together' : '',
  ].join('');
