// Goal: a hint brings a slot up to date or comes back; what is stranded is sent for before the slot's due time moves.
import { expect, it } from 'vitest';
import type { Received } from '#lib/core/ports/queue.ts';
import { MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { type BucketKey, CountersTooLarge } from '#lib/events/ports/counter-store.ts';
import { acceptedRow, store } from '#test/contract/stored-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { STEADY_SHARDS } from '#test/support/memory/config-stores.ts';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { NO_ORDERS_KNOWN } from '#test/support/memory/order-store.ts';
import { type CounterRefresh, type CounterRefreshMessage, refreshesIn } from './message.ts';
import { createAggregateStage } from './stage.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const merchant = 'm';
const slot = (minute = 0, merchantId = merchant): BucketKey => ({
  merchantId,
  grain: 'minute',
  startMs: START_MS + minute * MINUTE_MS,
});

/** One row in each of two minutes, whose messages were lost. */
async function setUp() {
  const events = createMemoryEventStore();
  const rows = [0, 1].map((minute) =>
    acceptedRow({ eventId: `e${minute}`, merchantId: merchant, receivedAtMs: START_MS + minute * MINUTE_MS }),
  );
  await store(events, ...rows);
  const counters = createMemoryCounterStore();
  for (const minute of [0, 1]) await counters.markDue(slot(minute), START_MS + (minute + 1) * MINUTE_MS);
  const clock = createManualClock(START_MS + 3 * MINUTE_MS);
  const redriven: unknown[] = [];
  const problems: string[] = [];
  const waited: number[] = [];
  const ports = {
    events,
    batches: createMemoryBatchStore(),
    orders: NO_ORDERS_KNOWN,
    counters,
    clock,
    config: { connection: async () => null },
    accepted: { send: async (messages: readonly unknown[]) => void redriven.push(...messages) },
    normalized: { send: async () => expect.unreachable() },
    counterRefresh: { send: async () => expect.unreachable() },
    platforms: [],
    shards: STEADY_SHARDS,
    waiting: (rows: number) => void waited.push(rows),
    report: (problem: string) => void problems.push(problem),
  };
  return { ports, redriven, problems, counters, waited };
}

const hint = (...slots: readonly number[]): Received<CounterRefresh> => ({
  body: { merchant, slots: slots.map((minute) => slot(minute).startMs) },
  receiveCount: 1,
  sentAtMs: START_MS + 3 * MINUTE_MS,
});

it('counts a slot once for all the hints of a batch', async () => {
  const { ports, redriven, counters } = await setUp();
  let reads = 0;
  const read = (key: BucketKey) => {
    if (key.grain === 'minute') reads += 1;
    return counters.read(key);
  };
  const stage = createAggregateStage({ ...ports, counters: { ...counters, read } });
  expect(await stage([hint(0), hint(0, 1), hint(1)])).toEqual({ failedIndexes: [] });
  expect(reads).toBe(2);
  expect(redriven).toHaveLength(2);
  expect((await counters.read(slot(0)))?.counters.events).toBe(1);
});

it('leaves the due time where it is when stranded rows cannot be sent for', async () => {
  const { ports, problems, counters } = await setUp();
  const accepted = { send: () => Promise.reject(new Error('away')) };
  const before = await counters.read(slot(0));
  const stage = createAggregateStage({ ...ports, accepted });
  expect(await stage([hint(0)])).toEqual({ failedIndexes: [0] });
  expect(await counters.read(slot(0))).toEqual(before);
  expect(problems).toHaveLength(1);
});

it('fails only the hints of a slot that could not be counted', async () => {
  const { ports, counters } = await setUp();
  const read = async (key: BucketKey) => {
    if (key.startMs === slot(0).startMs && key.grain === 'minute') throw new Error('away');
    return await counters.read(key);
  };
  const stage = createAggregateStage({ ...ports, counters: { ...counters, read } });
  expect(await stage([hint(0), hint(1), hint(1, 0)])).toEqual({ failedIndexes: [0, 2] });
  expect((await counters.read(slot(1)))?.counters.events).toBe(1);
});

it('counts again when another writer was faster, and gives up where that does not end', async () => {
  const { ports, counters } = await setUp();
  let conflicts = 1;
  const write: typeof counters.write = async (row) => {
    if (row.key.grain === 'minute' && conflicts-- > 0) {
      await counters.markDue(row.key, START_MS);
      return false;
    }
    return await counters.write(row);
  };
  const stage = createAggregateStage({ ...ports, counters: { ...counters, write } });
  expect(await stage([hint(0)])).toEqual({ failedIndexes: [] });
  expect((await counters.read(slot(0)))?.counters.events).toBe(1);
  conflicts = Number.POSITIVE_INFINITY;
  expect(await stage([hint(1)])).toEqual({ failedIndexes: [0] });
});

it('tells again what it has no time for, in messages of few slots, and begins none of it', async () => {
  const { ports, counters } = await setUp();
  const told: CounterRefresh[] = [];
  const counterRefresh = {
    send: async (messages: readonly { body: CounterRefreshMessage }[]) =>
      void told.push(...messages.flatMap(({ body }) => refreshesIn(body))),
  };
  const read = async (key: BucketKey) => {
    if (key.grain === 'minute') ports.clock.advance(6_000);
    return await counters.read(key);
  };
  const stage = createAggregateStage({ ...ports, counterRefresh, counters: { ...counters, read } });
  const minutes = Array.from({ length: 45 }, (_, minute) => minute);
  expect(await stage([hint(...minutes)])).toEqual({ failedIndexes: [] });
  expect(told.map(({ slots }) => slots.length)).toEqual([20, 20, 3]);
  expect(told.flatMap(({ slots }) => slots)).toEqual(minutes.slice(2).map((minute) => slot(minute).startMs));
});

it('counts merchants side by side, and the minutes of one after another', async () => {
  const { ports, counters } = await setUp();
  const underWay = new Map<string, number>();
  let together = 0;
  let most = 0;
  const received: typeof ports.events.received = async (query) => {
    const own = (underWay.get(query.merchantId) ?? 0) + 1;
    underWay.set(query.merchantId, own);
    most = Math.max(most, own);
    const now = [...underWay.values()].reduce((sum, count) => sum + count, 0);
    together = Math.max(together, now);
    await new Promise(setImmediate);
    underWay.set(query.merchantId, own - 1);
    return await ports.events.received(query);
  };
  const stage = createAggregateStage({ ...ports, counters, events: { ...ports.events, received } });
  const hints = Array.from({ length: 30 }, (_, i) => ({
    ...hint(0, 1, 2),
    body: { ...hint(0, 1, 2).body, merchant: `m${i}` },
  }));
  expect(await stage(hints)).toEqual({ failedIndexes: [] });
  expect(most).toBe(1);
  expect(together).toBeGreaterThan(8);
  expect(together).toBeLessThanOrEqual(16);
});

it.each(['minute', 'hour', 'day'] as const)(
  'puts off a slot whose %s is larger than an item, instead of counting it anew with every look',
  async (grain) => {
    const { ports, problems, counters } = await setUp();
    const accepted = { send: async () => {} };
    const write: typeof counters.write = async (row) => {
      if (row.key.grain === grain) throw new CountersTooLarge(row.key, 500_000);
      return await counters.write(row);
    };
    const stage = createAggregateStage({ ...ports, accepted, counters: { ...counters, write } });
    expect(await stage([hint(0)])).toEqual({ failedIndexes: [] });
    expect(problems).toEqual(['a slot could not be folded']);
    const { dueAtMs = 0 } = (await counters.read(slot(0))) ?? {};
    expect(dueAtMs).toBeGreaterThanOrEqual(ports.clock.now() + 3_600_000);
  },
);

it('tells of rows that their stage has not taken for twenty minutes', async () => {
  const { ports, waited } = await setUp();
  const stage = createAggregateStage(ports);
  await stage([hint(0)]);
  expect(waited).toEqual([0]);
  ports.clock.advanceTo(START_MS + 21 * MINUTE_MS);
  await stage([{ ...hint(1), sentAtMs: ports.clock.now() }]);
  expect(waited).toEqual([0, 1]);
});
