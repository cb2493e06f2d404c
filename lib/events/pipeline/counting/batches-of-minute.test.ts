// Goal: a count over many minutes reads the items of each minute once, and misses none that came later.
import { expect, it } from 'vitest';
import { batchOf, outcomesOf } from '#test/conformance/stores/batch-items.ts';
import { delivered, T0 } from '#test/conformance/stores/event-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import type { BatchKey } from '../../domain/deliveries/batch.ts';
import { outcomesByMinute } from './batches-of-minute.ts';

const PLATFORMS = ['meta', 'x'];
const groups = [{ positions: [0], delivery: delivered(T0) }];

async function setUp() {
  const store = createMemoryBatchStore();
  const write = async (batch: BatchKey): Promise<void> => {
    for (const platform of PLATFORMS) await store.writeOutcomes(outcomesOf(batch, groups, { platform }), 0);
  };
  const reads = { minutes: 0, items: 0 };
  const counted = outcomesByMinute({
    ofMinute: async (query) => {
      reads.minutes += 1;
      return await store.ofMinute(query);
    },
    readMany: async (keys, consistency) => {
      reads.items += keys.outcomes?.length ?? 0;
      return await store.readMany(keys, consistency);
    },
  });
  const found = async (batches: readonly BatchKey[]): Promise<readonly string[]> => {
    const outcomes = batches.flatMap((batch) => PLATFORMS.map((platform) => ({ batch, platform })));
    const read = await counted.readMany({ outcomes }, 'eventual');
    expect(read.manifests).toEqual([]);
    return [...read.outcomes, ...read.unreadable]
      .map(({ batch, platform }) => `${batch.id} ${platform}`)
      .sort();
  };
  return { store, write, reads, found };
}

const named = (...batches: readonly BatchKey[]) =>
  batches.flatMap(({ id }) => PLATFORMS.map((platform) => `${id} ${platform}`)).sort();

it('reads each minute and shard once, whatever is asked of it and how often', async () => {
  const { write, reads, found } = await setUp();
  const first = batchOf('m');
  const beside = batchOf('m');
  const batches = [first, beside, batchOf('m', { shard: 1 }), batchOf('m', { minuteMs: T0 + 60_000 })];
  for (const batch of batches) await write(batch);
  expect(await found([first])).toEqual(named(first));
  expect(await found(batches)).toEqual(named(...batches));
  expect(await found([beside])).toEqual(named(beside));
  expect(reads).toEqual({ minutes: 3, items: 0 });
});

it('asks for a batch that was written after its minute was read, and tells what cannot be read', async () => {
  const { store, write, reads, found } = await setUp();
  const first = batchOf('m');
  const late = batchOf('m');
  await write(first);
  store.spoil(first, 'x');
  expect(await found([first])).toEqual(named(first));
  await write(late);
  expect(await found([late])).toEqual(named(late));
  expect(reads).toEqual({ minutes: 1, items: 2 });
});
