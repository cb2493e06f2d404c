import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { MINE, NOW } from '#test/contract/api-host.ts';
import { count } from '#test/contract/stored-rows.ts';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { readCounters } from './counter-range.ts';

const TODAY = floorTo(NOW, DAY_MS);
const LENGTH_MS = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

/** Counts the queries and the rows they return. */
function counted() {
  const store = createMemoryCounterStore();
  const used = { queries: 0, rows: 0 };
  const range: typeof store.range = async (...query) => {
    const rows = await store.range(...query);
    used.queries++;
    used.rows += rows.length;
    return rows;
  };
  return { store, used, range };
}

describe('readCounters', () => {
  it('reads days whole, hours around them and minutes at the edges', async () => {
    const { store, range } = counted();
    for (let day = 0; day < 7; day++) await count(store, 'day', TODAY - day * DAY_MS, { events: 1 });
    for (let hour = 0; hour < 48; hour++)
      await count(store, 'hour', TODAY - DAY_MS + hour * HOUR_MS, { events: 1 });
    for (let minute = 0; minute < 60; minute++) {
      await count(store, 'minute', floorTo(NOW, HOUR_MS) + minute * MINUTE_MS, { events: 1 });
    }
    const rows = await readCounters(MINE, { fromMs: TODAY - 6 * DAY_MS, toMs: NOW }, { counters: { range } });
    const grains = Map.groupBy(rows, ({ key }) => key.grain);
    const counts = [...grains].map(([grain, { length }]) => `${grain} ${length}`);
    expect(counts).toEqual(['day 6', 'hour 12', 'minute 35']);
  });

  it('needs one query for a range of whole days that are all there', async () => {
    const { store, used, range } = counted();
    for (let day = 0; day < 90; day++) await count(store, 'day', TODAY - day * DAY_MS, { events: 1 });
    const whole = { fromMs: TODAY - 89 * DAY_MS, toMs: TODAY + DAY_MS };
    expect(await readCounters(MINE, whole, { counters: { range } })).toHaveLength(90);
    expect(used).toEqual({ queries: 1, rows: 90 });
  });

  it('needs three queries for a merchant without a single event', async () => {
    const { used, range } = counted();
    const asked = { fromMs: TODAY - 89 * DAY_MS, toMs: NOW };
    expect(await readCounters(MINE, asked, { counters: { range } })).toEqual([]);
    expect(used).toEqual({ queries: 3, rows: 0 });
  });

  it('counts every minute once, whichever rows of whichever grain exist', async () => {
    const slots = fc.uniqueArray(fc.integer({ min: 0, max: 3 * 24 * 60 - 1 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        slots,
        fc.array(fc.integer({ min: 0, max: 71 }), { maxLength: 40 }),
        fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 3 }),
        fc.integer({ min: 0, max: 3 * 24 * 60 }),
        fc.integer({ min: 0, max: 3 * 24 * 60 }),
        async (minutes, hours, days, a, b) => {
          const store = createMemoryCounterStore();
          const base = TODAY - 3 * DAY_MS;
          const sumOf = (fromMin: number, toMin: number) =>
            minutes.filter((m) => m >= fromMin && m < toMin).length;
          for (const m of minutes) await count(store, 'minute', base + m * MINUTE_MS, { events: 1 });
          for (const h of new Set(hours)) {
            await count(store, 'hour', base + h * HOUR_MS, { events: sumOf(h * 60, h * 60 + 60) });
          }
          for (const d of new Set(days)) {
            await count(store, 'day', base + d * DAY_MS, { events: sumOf(d * 1440, d * 1440 + 1440) });
          }
          const [from, to] = [Math.min(a, b), Math.max(a, b)];
          const asked = { fromMs: base + from * MINUTE_MS, toMs: base + to * MINUTE_MS };
          const rows = await readCounters(MINE, asked, { counters: store });
          expect(rows.reduce((sum, { counters }) => sum + counters.events, 0)).toBe(sumOf(from, to));
          for (const [i, { key }] of rows.entries()) {
            const next = rows[i + 1];
            if (next) expect(key.startMs + LENGTH_MS[key.grain]).toBeLessThanOrEqual(next.key.startMs);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
