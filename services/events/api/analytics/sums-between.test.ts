import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { SPARSE_BUCKET_MS } from '#lib/events/domain/shard.ts';
import { dayStarts } from '#lib/events/domain/time-zone.ts';
import { readCounters, total } from '#lib/events/pipeline/counting/counter-range.ts';
import { rollUp } from '#lib/events/pipeline/counting/roll-up.ts';
import { MINE, NOW } from '#test/contract/api-host.ts';
import { count } from '#test/contract/stored-rows.ts';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { sumsBetween } from './sums-between.ts';

const TODAY = floorTo(NOW, DAY_MS);

function counted() {
  const store = createMemoryCounterStore();
  const used = { queries: 0, rows: 0, minutes: 0 };
  const range: typeof store.range = async (...query) => {
    const rows = await store.range(...query);
    used.queries++;
    used.rows += rows.length;
    if (query[1] === 'minute') used.minutes += rows.length;
    return rows;
  };
  const plant = async (startMs: number, events = 1): Promise<void> => {
    await count(store, 'minute', startMs, {
      events,
      revenue: { EUR: { orders: events, minor: String(events) } },
    });
    const ports = { counters: store, clock: { now: () => NOW }, report: () => {} };
    await rollUp({ merchantId: MINE, grain: 'minute', startMs }, ports);
  };
  const partsOfDays: typeof store.partsOfDays = async (...query) => {
    used.queries++;
    return await store.partsOfDays(...query);
  };
  return { store, used, ports: { counters: { range, partsOfDays } }, plant };
}

describe('sumsBetween', () => {
  it.each([
    ['UTC', 0],
    ['Europe/Berlin', 0],
    ['Asia/Kolkata', 0],
    ['Australia/Lord_Howe', 0],
    ['Europe/Moscow', 0],
  ])('of 90 days in %s reads the days of UTC, and hours of today alone', async (zone, minutes) => {
    const { plant, used, ports } = counted();
    for (let atMs = TODAY - 90 * DAY_MS; atMs < TODAY; atMs += 7 * HOUR_MS + 10 * MINUTE_MS)
      await plant(atMs);
    const starts = dayStarts(zone, TODAY - 88 * DAY_MS, TODAY);
    const edges = [...starts, TODAY + DAY_MS];
    const sums = await sumsBetween(MINE, edges, ports);
    expect(used.queries).toBeLessThanOrEqual(4);
    expect(used.minutes).toBe(minutes);
    const whole = total(await readCounters(MINE, { fromMs: edges[0] ?? 0, toMs: TODAY + DAY_MS }, ports));
    expect(sums.reduce((sum, { events }) => sum + events, 0)).toBe(whole.events);
  });

  it('counts each minute once, in the time that it falls into, whatever is summed already', async () => {
    const length = 4 * 144;
    const base = TODAY - 4 * DAY_MS;
    const at = (i: number): number => base + i * SPARSE_BUCKET_MS;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 0, max: length - 1 }), { maxLength: 40 }),
        fc.uniqueArray(fc.integer({ min: 0, max: length }), { minLength: 2, maxLength: 6 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }),
        fc.array(fc.integer({ min: 0, max: 95 }), { maxLength: 20 }),
        async (slots, cuts, lost, without) => {
          const { store, plant, ports } = counted();
          for (const slot of slots) await plant(at(slot));
          // As an earlier release left them.
          for (const { key, version, counters } of store.rows())
            if (
              (key.grain === 'day' && lost.some((day) => base + day * DAY_MS === key.startMs)) ||
              (key.grain === 'hour' && without.some((hour) => base + hour * HOUR_MS === key.startMs))
            )
              await store.write({ key, version: version + 1, counters });
          const edges = cuts.toSorted((a, b) => a - b).map(at);
          const sums = await sumsBetween(MINE, edges, ports);
          const expected = edges.slice(1).map((toMs, i) => {
            const own = slots.filter((slot) => at(slot) >= (edges[i] ?? 0) && at(slot) < toMs).length;
            return [own, own === 0 ? undefined : { orders: own, minor: String(own) }];
          });
          expect(sums.map(({ events, revenue }) => [events, revenue.EUR])).toEqual(expected);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('reads nothing of parts that were written with other counters', async () => {
    const { store, plant, ports } = counted();
    await plant(TODAY - HOUR_MS);
    const day = { merchantId: MINE, grain: 'day' as const, startMs: TODAY - DAY_MS };
    const seen = await store.read(day);
    const parts = await store.partsOfDays(MINE, [{ key: day, cut: seen?.cut ?? '' }]);
    expect([...parts].map(([startMs, own]) => [startMs, Object.keys(own)])).toEqual([[day.startMs, ['23']]]);
    await store.write({ key: day, version: (seen?.version ?? 0) + 1, counters: EMPTY_COUNTERS });
    const sums = await sumsBetween(MINE, [TODAY - 2 * HOUR_MS, TODAY], ports);
    expect(sums[0]?.events).toBe(1);
  });

  it('takes days that were read already for days', async () => {
    const { plant, used, ports } = counted();
    for (const day of [3, 2, 1]) await plant(TODAY - day * DAY_MS + HOUR_MS);
    const rows = await readCounters(MINE, { fromMs: TODAY - 3 * DAY_MS, toMs: TODAY }, ports);
    used.queries = 0;
    const edges = [TODAY - 3 * DAY_MS, TODAY - 2 * DAY_MS + 2 * HOUR_MS, TODAY];
    expect((await sumsBetween(MINE, edges, ports, rows)).map(({ events }) => events)).toEqual([2, 1]);
    expect(used.queries).toBe(1);
  });
});
