import { describe, expect, it } from 'vitest';
import { createMemoryLeaseStore } from '#test/support/memory/lease-store.ts';
import { DAY_MS } from '../work/time-slot.ts';
import { createUnitBudget } from './unit-budget.ts';

const NOON = 20_000 * DAY_MS + DAY_MS / 2;

describe('a budget of units', () => {
  it('is one for all processes but their free shares, by merchant and kind', async () => {
    const store = createMemoryLeaseStore();
    const processes = [0, 1, 2].map(() => createUnitBudget(store, { read: 1_000, write: 1_000 }));
    let spent = 0;
    for (let turn = 0; processes.some((one) => one.waitSec('a', NOON) === null) && turn < 1_000; turn++)
      for (const one of processes)
        if (one.waitSec('a', NOON) === null) {
          await one.spend('a', { read: 7, write: 0 }, NOON);
          spent += 7;
        }
    expect(spent).toBeGreaterThanOrEqual(1_000);
    // A free share each, and the last call of each.
    expect(spent).toBeLessThanOrEqual(1_000 + 3 * (2 + 7));
    expect(processes.map((one) => one.waitSec('a', NOON))).toEqual([43_200, 43_200, 43_200]);
    expect(processes.map((one) => one.waitSec('b', NOON))).toEqual([null, null, null]);
    expect(processes.map((one) => one.waitSec('a', NOON + DAY_MS / 2))).toEqual([null, null, null]);
  });

  it('writes nothing for a merchant who asks little', async () => {
    const store = createMemoryLeaseStore();
    const budget = createUnitBudget(store, { read: 10_000_000, write: 1_000_000 });
    for (let n = 0; n < 1_000; n++) await budget.spend('a', { read: 15.5, write: 2 }, NOON);
    expect(store.leased()).toBe(0);
  });
});
