import { describe, expect, it } from 'vitest';
import { createMemoryLeaseStore } from '#test/support/memory/lease-store.ts';
import { DAY_MS } from './time-slot.ts';
import { createUnitBudget, createUnitMeter } from './unit-budget.ts';

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

describe('a meter', () => {
  it('adds up what belongs to a call, side by side with others, and where it fails', async () => {
    const meter = createUnitMeter();
    const found: Record<string, unknown> = {};
    const call = async (name: string, read: number) =>
      await meter.measured(
        async () => {
          for (let n = 0; n < 3; n++) {
            await new Promise((resolve) => setImmediate(resolve));
            meter.add('read', read);
          }
          meter.add('write', 1);
          if (name === 'b') throw new Error('failed');
          return name;
        },
        async (units) => {
          found[name] = units;
        },
      );
    meter.add('read', 99);
    const [a, b] = await Promise.allSettled([call('a', 1), call('b', 10)]);
    expect([a.status, b.status]).toEqual(['fulfilled', 'rejected']);
    expect(found).toEqual({ a: { read: 3, write: 1 }, b: { read: 30, write: 1 } });
  });
});
