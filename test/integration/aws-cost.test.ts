// Goal: what merchants are told an event costs is what the pipeline is held to, at the prices the cost model names.
import { describe, expect, it } from 'vitest';
import {
  AWS_COST_PARTS,
  AWS_PRICES,
  AWS_UNITS,
  awsCostOf,
  unitsPerEvent,
} from '../../lib/events/domain/billing/aws-cost.ts';
import { BUDGETS, kindOf } from '../performance/cost-budgets.ts';
import { PRICES } from '../performance/cost-model.ts';

describe('the units of an event', () => {
  it('are the budgets, cell by cell', () => {
    const cells = AWS_UNITS.flatMap(({ perSec, byPlatforms }) =>
      byPlatforms.map(([platforms, limits]) => ({ perSec, platforms, limits })),
    );
    const five = BUDGETS.filter(({ gatherers, ...kind }) => gatherers === 5 && kindOf(kind) === '');
    expect(cells).toEqual(five.map(({ perSec, platforms, limits }) => ({ perSec, platforms, limits })));
    for (const { perSec, platforms, limits } of cells) {
      const found = unitsPerEvent(perSec, platforms);
      for (const [name, value] of Object.entries(limits))
        expect(found[name as keyof typeof found], `${name} at ${perSec} to ${platforms}`).toBeCloseTo(
          value,
          9,
        );
    }
  });

  it('are of the rate that was reached, and in proportion between two numbers of platforms', () => {
    expect(unitsPerEvent(0, 1)).toEqual(unitsPerEvent(1 / 60, 1));
    expect(unitsPerEvent(0.9, 1)).toEqual(unitsPerEvent(1 / 60, 1));
    expect(unitsPerEvent(32.9, 3)).toEqual(unitsPerEvent(5, 3));
    expect(unitsPerEvent(1e6, 3)).toEqual(unitsPerEvent(1_000, 3));
    expect(unitsPerEvent(33, 2).readUnits).toBeCloseTo((3.36 + 3.37) / 2, 9);
    expect(unitsPerEvent(33, 0)).toEqual(unitsPerEvent(33, 1));
    expect(unitsPerEvent(33, 40)).toEqual(unitsPerEvent(33, 12));
  });
});

describe('the estimate', () => {
  it('uses the prices of the cost model', () => {
    const { region: _, asOf: __, ...prices } = AWS_PRICES;
    expect(prices).toEqual({
      writeUnit: PRICES.writeUnit,
      readUnit: PRICES.readUnit,
      sqsRequest: expect.closeTo(PRICES.sqsRequest + PRICES.sqsFairRequest, 12),
      lambdaRequest: PRICES.lambdaRequest,
      lambdaGbSec: PRICES.lambdaGbSec,
      storedGbMonth: expect.closeTo(PRICES.tableGbMonth + PRICES.backupGbMonth, 9),
    });
  });

  it('of a million events is that of a run, give or take a fifth, storage and data out apart', () => {
    const five = BUDGETS.filter(({ gatherers, ...kind }) => gatherers === 5 && kindOf(kind) === '');
    for (const { perSec, platforms, dollarsMax } of five) {
      const stored = 1e6;
      const { total, parts } = awsCostOf({
        stored,
        deliveries: stored * platforms,
        seconds: stored / perSec,
      });
      const share = (total - parts.storage) / dollarsMax.processing;
      expect(Math.abs(share - 1), `${perSec} to ${platforms}: ${share}`).toBeLessThan(0.2);
      expect(total).toBeCloseTo(
        AWS_COST_PARTS.reduce((sum, part) => sum + parts[part], 0),
        9,
      );
    }
  });

  it('of nothing is nothing', () => {
    expect(awsCostOf({ stored: 0, deliveries: 0, seconds: 0 }).total).toBe(0);
  });
});
