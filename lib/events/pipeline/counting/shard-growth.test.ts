// Goal: the number of shards follows what minutes hold, with few writes, and with none for a merchant that needs one shard.
import { beforeEach, expect, it } from 'vitest';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { EMPTY_COUNTERS } from '../../domain/analytics/analytics.ts';
import { inShard } from '../../domain/shard.ts';
import type { BucketKey } from '../../ports/counter-store.ts';
import { createShardGrowth, ROWS_MAX, ROWS_MIN, type ShardGrowth } from './shard-growth.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;
let asked: unknown[][] = [];
let problems: string[] = [];
let growth: ShardGrowth;
let counters = createMemoryCounterStore();
beforeEach(() => {
  asked = [];
  problems = [];
  counters = createMemoryCounterStore();
  const ask =
    (question: string) =>
    async (...args: unknown[]) => {
      asked.push([question, ...args.slice(1)]);
      if (question === 'halve' && args[0] === 'broken') throw new Error('away');
    };
  const shards = { raiseShards: ask('raise'), keepShards: ask('keep'), halveShards: ask('halve') };
  growth = createShardGrowth({ counters, shards, report: (problem) => problems.push(problem) });
});

/** The slot is stored with so many rows, and counted. */
async function counted(rows: number, shard: number, minute = 0, merchantId = 'm', lateMs = 0): Promise<void> {
  const startMs = START_MS + minute * MINUTE_MS;
  const key: BucketKey = inShard({ merchantId, grain: 'minute', startMs }, shard);
  const slot = { ...EMPTY_COUNTERS, events: rows - 2, bots: 1, merged: 1 };
  await counters.write({ key, version: 1, counters: slot });
  await growth.counted({ key, counters: slot, countedAtMs: startMs + MINUTE_MS + lateMs });
}

it('asks nothing for shard 0 of a minute that one shard can hold', async () => {
  for (const [minute, rows] of [2, ROWS_MIN, ROWS_MAX].entries()) await counted(rows, 0, minute);
  expect(asked).toEqual([]);
});

it('doubles until a minute would have fitted, once a minute', async () => {
  await counted(ROWS_MAX + 1, 0);
  await counted(ROWS_MAX + 1, 0);
  await counted(5 * ROWS_MAX, 0, 1);
  await counted(40 * ROWS_MAX, 0, 2);
  expect(asked).toEqual([
    ['raise', 2, START_MS],
    ['raise', 8, START_MS + MINUTE_MS],
    ['raise', 64, START_MS + 2 * MINUTE_MS],
  ]);
});

it('reckons with all shards of the minute, however unequal', async () => {
  await counted(ROWS_MAX, 0);
  await counted(ROWS_MAX, 1);
  await counted(ROWS_MAX + 1, 2);
  expect(asked).toContainEqual(['raise', 4, START_MS]);
});

it('learns of rows that their writers spread, when their minute is over, where one shard could not hold them', async () => {
  for (let shard = 0; shard < 16; shard++) await counted(ROWS_MAX - 5_000, shard, 0, 'm', -1);
  expect(asked).toEqual([['keep', START_MS]]);
  for (let shard = 0; shard < 16; shard++) await counted(ROWS_MAX - 5_000, shard);
  for (let shard = 0; shard < 16; shard++) await counted(ROWS_MAX - 5_000, shard);
  await counted(ROWS_MAX / 2, 0, 1);
  await counted(ROWS_MAX / 2, 1, 1);
  expect(asked).toEqual([
    ['keep', START_MS],
    ['raise', 16, START_MS],
  ]);
});

it('says once an hour that shards are needed, or asks whether they are', async () => {
  for (let minute = 0; minute < 60; minute++) {
    await counted(ROWS_MIN + 1, 1, minute);
    await counted(ROWS_MIN, 2, minute);
  }
  expect(asked).toEqual([
    ['keep', START_MS],
    ['halve', START_MS],
  ]);
});

it('draws nothing from a minute long past', async () => {
  await counted(1_000_000, 1, 0, 'm', 11 * MINUTE_MS);
  expect(asked).toEqual([]);
});

it('reports a number that could not be changed, and fails nobody', async () => {
  await counted(2, 1, 0, 'broken');
  expect(problems).toEqual(['a number of shards was not changed']);
});
