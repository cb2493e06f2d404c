// Goal: a clock that outruns the archive destroys nothing: expiry ends in time, and begins again when all have caught up.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#lib/core/work/time-slot.ts';
import { ROW_MS } from '#lib/events/domain/event/row-expiry.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createPagedWorld } from '#test/support/pages/paged-world.ts';
import type { Horizon } from '../../ports/page-store.ts';
import { createExpiryGuard, noteSchedule } from './guard-expiry.ts';

const DAY = Date.UTC(2026, 10, 2);

function open(archives = true) {
  const clock = createManualClock(DAY + 8 * DAY_MS);
  const stored = new Map<string, Horizon>([['m', { merchantId: 'm', dayMs: DAY }]]);
  const horizons = {
    horizon: async (id: string) => stored.get(id) ?? null,
    async *horizons() {
      yield* stored.values();
    },
    moveHorizon: async (seen: Horizon | null, next: Horizon) => {
      if ((stored.get(next.merchantId)?.dayMs ?? null) !== (seen?.dayMs ?? null)) return false;
      stored.set(next.merchantId, next);
      return true;
    },
  };
  /** `restored`: one of the tables is off, because it is a copy; `on` is the other. */
  const expiry = { on: true, restored: false, fails: false, turned: 0 };
  const problems: string[] = [];
  const guard = createExpiryGuard({
    ...{ archives, horizons, clock, report: (problem: string) => void problems.push(problem) },
    expiry: {
      isOn: async () => expiry.on,
      turn: async (on) => {
        if (on === expiry.on && on !== expiry.restored) return;
        expiry.turned += 1;
        if (expiry.fails) throw new Error('within the hour');
        expiry.on = on;
        if (on) expiry.restored = false;
      },
    },
  });
  return { clock, stored, horizons, expiry, problems, guard };
}

describe('expiry', () => {
  it('ends at two days behind, before any row of the day expires, and begins again behind the archive', async () => {
    const { clock, stored, horizons, expiry, problems, guard } = open();
    const words: [late: number, on: boolean][] = [];
    for (let hours = 0; hours < 3 * 24; hours++) {
      await noteSchedule({ horizons, clock });
      words.push([await guard(), expiry.on]);
      if (expiry.on) expect(clock.now()).toBeLessThan(DAY + ROW_MS);
      clock.advance(HOUR_MS);
    }
    expect(words.findIndex(([late]) => late === 1)).toBe(24);
    expect(words.findIndex(([, on]) => !on)).toBe(48);
    expect(problems).toEqual(['the archive is late: the tables delete nothing until it has caught up']);
    stored.set('m', { merchantId: 'm', dayMs: DAY + 3 * DAY_MS });
    expect([await guard(), expiry.on]).toEqual([0, true]);
    expect(expiry.turned).toBe(2);
  });

  it('ends for good where the archive is switched off, and nothing is late', async () => {
    const { clock, stored, expiry, problems, guard } = open(false);
    for (let hours = 0; hours < 5 * 24; hours++) {
      expect(await guard()).toBe(0);
      if (expiry.on) expect(clock.now()).toBeLessThan(DAY + ROW_MS);
      clock.advance(HOUR_MS);
    }
    expect([expiry.on, problems, [...stored.keys()]]).toEqual([false, [], ['m']]);
    // Where it never was on, rows were stored for long, and expire as ever.
    const never = open(false);
    never.stored.clear();
    expect([await never.guard(), never.expiry.on, never.stored.size]).toEqual([0, true, 0]);
  });

  it('ends where no schedule of the archive runs, though no merchant is known to be late', async () => {
    const { clock, stored, expiry, guard } = open();
    stored.clear();
    await guard();
    expect([...stored.keys()]).toEqual(['*']);
    clock.advance(3 * DAY_MS - HOUR_MS);
    await guard();
    expect(expiry.on).toBe(true);
    clock.advance(HOUR_MS);
    expect([await guard(), expiry.on]).toEqual([1, false]);
  });

  it('ends at once where a horizon cannot be read, which may be behind by any time, and begins again when it can', async () => {
    const world = createPagedWorld(DAY);
    const { clock, expiry, guard, horizons, tables } = world;
    await noteSchedule({ horizons, clock });
    const broken = { pk: 'HORIZON', sk: 'broken', day: 'tomorrow' };
    await tables.db.send(new PutCommand({ TableName: 'config', Item: broken }));
    await horizons.moveHorizon(null, { merchantId: 'well', dayMs: DAY });
    expect([await guard(), expiry.isOn]).toEqual([1, false]);
    await expect(horizons.horizon('broken')).rejects.toThrow('horizon of a merchant');
    await tables.db.send(new PutCommand({ TableName: 'config', Item: { ...broken, day: '2026-11-02' } }));
    clock.advance(HOUR_MS);
    expect([await guard(), expiry.isOn]).toEqual([0, true]);
  });

  it('begins at a table that was restored beside one that is on, once nothing is late', async () => {
    const { clock, stored, horizons, expiry, guard } = open();
    expiry.restored = true;
    clock.advance(DAY_MS);
    await noteSchedule({ horizons, clock });
    await guard();
    expect(expiry.restored).toBe(true);
    stored.set('m', { merchantId: 'm', dayMs: DAY + DAY_MS });
    clock.advance(HOUR_MS);
    await guard();
    expect(expiry).toMatchObject({ on: true, restored: false, turned: 1 });
  });

  it('is asked for again where it could not be switched', async () => {
    const { clock, expiry, problems, guard } = open();
    clock.advance(2 * DAY_MS);
    expiry.fails = true;
    await guard();
    await guard();
    expect(expiry).toMatchObject({ on: true, turned: 1 });
    expect(problems.at(-1)).toBe('expiry could not be looked after');
    expiry.fails = false;
    clock.advance(HOUR_MS);
    await guard();
    expect(expiry.on).toBe(false);
  });
});
