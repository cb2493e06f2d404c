// Goal: no row is stored in a slot that is not due, and one process does not pay twice for marking it.
import { expect, it } from 'vitest';
import { createManualClock } from '#test/support/memory/clock.ts';
import { inShard } from '../../domain/shard.ts';
import type { BucketKey } from '../../ports/counter-store.ts';
import { createBucketMarker } from './due-buckets.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const row = (second: number, merchantId = 'm') => ({ merchantId, receivedAtMs: START_MS + second * 1_000 });

function setUp(commitMs?: number) {
  const clock = createManualClock(START_MS);
  const marked: [BucketKey, number][] = [];
  let failures = 0;
  let openFailures = 0;
  const opened: [string, number, number][] = [];
  const counters = {
    read: async () => null,
    openedShards: async () => [],
    openShard: async (...shard: [string, number, number]) => {
      if (openFailures-- > 0) throw new Error('away');
      opened.push(shard);
    },
    markDue: async (key: BucketKey, dueAtMs: number) => {
      if (failures-- > 0) throw new Error('away');
      marked.push([key, dueAtMs]);
    },
  };
  const fail = () => {
    failures = 1;
  };
  const failOpening = () => {
    openFailures = 1;
  };
  return { clock, marked, opened, fail, failOpening, slots: createBucketMarker(counters, clock, commitMs) };
}

it('makes a slot due at its end, once for all its rows', async () => {
  const { slots, marked } = setUp();
  await slots.markDue([row(1), row(59)]);
  await slots.markDue([row(30)]);
  expect(marked).toEqual([[{ merchantId: 'm', grain: 'minute', startMs: START_MS }, START_MS + 60_000]]);
});

it('marks every minute and every merchant for itself', async () => {
  const { slots, marked } = setUp();
  await slots.markDue([row(1), row(60), row(1, 'other')]);
  const slotOf = ([{ merchantId, startMs }]: (typeof marked)[number]) => [merchantId, startMs - START_MS];
  expect(marked.map(slotOf)).toEqual([
    ['m', 0],
    ['m', 60_000],
    ['other', 0],
  ]);
});

it('tries again after a failure, which whoever stores the row sees', async () => {
  const { slots, marked, fail } = setUp();
  fail();
  await expect(slots.markDue([row(1)])).rejects.toThrow('away');
  await slots.markDue([row(1)]);
  expect(marked).toHaveLength(1);
});

it('marks again where a commit took long, and when the slot may be sealed soon', async () => {
  const { slots, marked, clock } = setUp();
  await slots.markDue([row(1)]);
  await slots.markDueAgain(row(1));
  expect(marked).toHaveLength(2);
  clock.advance(46 * 60_000);
  await slots.markDue([row(1)]);
  expect(marked).toHaveLength(3);
  // A slot that is over is due at once.
  expect(marked[2]?.[1]).toBe(clock.now());
});

it('leaves a commit to a slot that is over the time it may take', async () => {
  const { slots, marked, clock } = setUp(5_000);
  clock.advance(120_000);
  await slots.markDue([row(1)]);
  expect(marked[0]?.[1]).toBe(clock.now() + 5_000);
});

it('announces each shard by itself: its day before its minute, once', async () => {
  const { slots, marked, opened } = setUp();
  await slots.markDue([inShard(row(1), 0), inShard(row(1), 7)]);
  await slots.markDue([inShard(row(70), 7), inShard(row(2), 7)]);
  const dayMs = Date.UTC(2026, 10, 21);
  expect(opened).toEqual([['m', dayMs, 7]]);
  const minute = { merchantId: 'm', grain: 'minute', startMs: START_MS };
  expect(marked.map(([key]) => key)).toEqual([
    minute,
    { ...minute, shard: 7 },
    { ...minute, startMs: START_MS + 60_000, shard: 7 },
  ]);
});

it('makes no slot due of a shard whose day could not be announced', async () => {
  const { slots, marked, failOpening } = setUp();
  failOpening();
  await expect(slots.markDue([inShard(row(1), 7)])).rejects.toThrow('away');
  expect(marked).toEqual([]);
  await slots.markDue([inShard(row(1), 7)]);
  expect(marked).toHaveLength(1);
});
