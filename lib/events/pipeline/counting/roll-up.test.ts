// Goal: an hour of many shards is not summed with each of its minutes, and still says what its minutes say.
import { expect, it } from 'vitest';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { EMPTY_COUNTERS } from '../../domain/analytics/analytics.ts';
import { inShard } from '../../domain/shard.ts';
import type { BucketKey } from '../../ports/counter-store.ts';
import { rollUp, rollUpHour } from './roll-up.ts';

const HOUR: BucketKey = { merchantId: 'm', grain: 'hour', startMs: Date.UTC(2026, 10, 21, 12) };
const DAY: BucketKey = { ...HOUR, grain: 'day', startMs: Date.UTC(2026, 10, 21) };
const NOW_MS = HOUR.startMs + 90_000;

function setUp() {
  const counters = createMemoryCounterStore();
  const sums: number[] = [];
  const ports = {
    counters: {
      ...counters,
      range: async (...args: Parameters<typeof counters.range>) => {
        if (args[1] === 'minute') sums.push(args[2]);
        return await counters.range(...args);
      },
    },
    clock: createManualClock(NOW_MS),
    report: () => expect.unreachable(),
  };
  const minute = async (shard: number, events: number): Promise<void> => {
    const key = inShard({ ...HOUR, grain: 'minute' } as const, shard);
    const version = ((await counters.read(key))?.version ?? 0) + 1;
    await counters.write({ key, version, counters: { ...EMPTY_COUNTERS, events } });
    await rollUp(key, ports);
  };
  const eventsOf = async (key: BucketKey) => (await counters.read(key))?.counters.events;
  return { counters, ports, sums, minute, eventsOf };
}

it('sums an hour of four shards with every minute, and makes nothing due', async () => {
  const { minute, sums, counters, eventsOf } = setUp();
  for (const shard of [0, 1, 2, 3]) await minute(shard, 1);
  expect(sums).toHaveLength(4);
  expect(await Promise.all([HOUR, DAY].map(eventsOf))).toEqual([4, 4]);
  expect(counters.rows().filter(({ dueAtMs }) => dueAtMs !== undefined)).toEqual([]);
  expect((await counters.read(HOUR))?.shards).toBeUndefined();
});

it('makes an hour of five shards due instead, once it is known to have them', async () => {
  const { minute, sums, counters, ports, eventsOf } = setUp();
  for (const shard of [4, 0, 1]) await minute(shard, 1);
  // Shard 0 sums it once, since the number of shards is not known yet.
  expect(sums).toHaveLength(1);
  expect(await counters.read(HOUR)).toMatchObject({ shards: 5, dueAtMs: NOW_MS });
  await minute(1, 10);
  expect(sums).toHaveLength(1);
  await rollUpHour(HOUR, ports);
  expect(await Promise.all([HOUR, DAY].map(eventsOf))).toEqual([12, 12]);
  expect(await counters.read(HOUR)).toMatchObject({ shards: 5 });
  expect((await counters.read(HOUR))?.dueAtMs).toBeUndefined();
  await rollUpHour(HOUR, ports);
  expect(sums).toHaveLength(2);
});

it('leaves the hour due where a minute came while it was summed, or where its day could not be written', async () => {
  const { minute, counters, ports, eventsOf } = setUp();
  await minute(4, 1);
  let late = true;
  const range = async (...args: Parameters<typeof counters.range>) => {
    const rows = await counters.range(...args);
    if (late && args[1] === 'minute') {
      late = false;
      await minute(5, 1);
    }
    return rows;
  };
  await rollUpHour(HOUR, { ...ports, counters: { ...ports.counters, range } });
  expect(await Promise.all([HOUR, DAY].map(eventsOf))).toEqual([2, 2]);
  await minute(6, 1);
  const write = async (row: Parameters<typeof counters.write>[0]) => {
    if (row.key.grain === 'day') throw new Error('away');
    return await counters.write(row);
  };
  await expect(rollUpHour(HOUR, { ...ports, counters: { ...ports.counters, write } })).rejects.toThrow(
    'away',
  );
  expect((await counters.read(HOUR))?.dueAtMs).toBe(NOW_MS);
  await rollUpHour(HOUR, ports);
  expect(await Promise.all([HOUR, DAY].map(eventsOf))).toEqual([3, 3]);
});
