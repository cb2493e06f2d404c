// Goal: a merchant with few events is counted exactly and recovered as soon as any other, for a tenth of the writes.
import { expect, it } from 'vitest';
import { acceptedRow, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { NO_ORDERS_KNOWN } from '#test/support/memory/order-store.ts';
import { EMPTY_COUNTERS } from '../../domain/analytics/analytics.ts';
import type { EventRow } from '../../domain/event/row.ts';
import { SPARSE_BUCKET_MS, SPARSE_SHARD } from '../../domain/shard.ts';
import type { BucketKey } from '../../ports/counter-store.ts';
import { recover } from '../recovery/recover.ts';
import { COUNTED_WHEN_READ_MAX, countMinute, type MinuteCount, SEAL_MS, storeCount } from './count-minute.ts';
import { createBucketMarker } from './due-buckets.ts';
import { withOpenBuckets } from './open-buckets.ts';

const START_MS = Date.UTC(2026, 10, 21, 12, 10);
const END_MS = START_MS + SPARSE_BUCKET_MS;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const merchantId = 'm';
const shard = SPARSE_SHARD;
const key: BucketKey = { merchantId, grain: 'minute', startMs: START_MS, shard };
const settled = (eventId: string, afterMs: number) =>
  normalizedRow({ eventId, merchantId, receivedAtMs: START_MS + afterMs, shard });
const accepted = (eventId: string, afterMs: number) =>
  acceptedRow({ eventId, merchantId, receivedAtMs: START_MS + afterMs, shard });

async function setUp(...rows: readonly EventRow[]) {
  const [events, counters, batches] = [
    createMemoryEventStore(),
    createMemoryCounterStore(),
    createMemoryBatchStore(),
  ];
  await store(events, ...rows);
  const clock = createManualClock(START_MS + 1_000);
  const problems: unknown[] = [];
  let writes = 0;
  const counted = {
    ...counters,
    write: async (row: Parameters<typeof counters.write>[0]) => {
      writes += 1;
      return await counters.write(row);
    },
    markDue: async (...mark: Parameters<typeof counters.markDue>) => {
      writes += 1;
      await counters.markDue(...mark);
    },
  };
  const report = (_problem: string, error: unknown): void => void problems.push(error);
  const ports = { events, batches, orders: NO_ORDERS_KNOWN, counters: counted, clock, platforms: [], report };
  const mark = (receivedAtMs: number): Promise<void> =>
    createBucketMarker(counted, clock).markDue([{ merchantId, receivedAtMs, shard }]);
  const count = async (): Promise<MinuteCount> => {
    const answer = await countMinute(
      { merchantId, startMs: START_MS, shard, changedAtMs: clock.now() },
      ports,
    );
    if ('untilMs' in answer) throw new Error('the bucket rests');
    return answer;
  };
  return {
    ports,
    events,
    counters,
    clock,
    problems,
    mark,
    count,
    writes: () => writes,
    look: async () => await storeCount(await count(), ports),
    live: withOpenBuckets(counted.range, ports),
    eventsIn: (grain: BucketKey['grain']) =>
      counters.rows().find((row) => row.key.grain === grain)?.counters.events ?? 0,
  };
}

it('is announced once, by whichever process writes its first row, and looked at from the end of that minute on', async () => {
  const { mark, clock, counters, writes } = await setUp();
  for (let minute = 0; minute < 10; minute++) {
    clock.advanceTo(START_MS + minute * MINUTE_MS + 5_000);
    // Another process each time.
    await mark(clock.now());
  }
  expect((await counters.read(key))?.dueAtMs).toBe(START_MS + MINUTE_MS);
  expect(writes()).toBe(1);
});

it('is announced again where it is due later than its next row may wait', async () => {
  const { mark, clock, counters, writes } = await setUp();
  await mark(clock.now());
  await counters.markDue(key, END_MS + SEAL_MS);
  clock.advanceTo(START_MS + 5 * MINUTE_MS);
  await mark(clock.now());
  expect((await counters.read(key))?.dueAtMs).toBe(START_MS + 6 * MINUTE_MS);
  expect(writes()).toBe(2);
});

it('is looked at every minute without a write, stored when it is over, and sealed an hour later', async () => {
  const { mark, clock, counters, look, writes, eventsIn } = await setUp(
    settled('a', 1_000),
    settled('b', 400_000),
  );
  await mark(clock.now());
  for (let atMs = START_MS + MINUTE_MS; atMs < END_MS + 15_000; atMs += MINUTE_MS) {
    clock.advanceTo(atMs);
    expect(await look()).toBe(true);
  }
  expect(writes()).toBe(1);
  expect((await counters.read(key))?.dueAtMs).toBe(START_MS + MINUTE_MS);
  clock.advanceTo(END_MS + MINUTE_MS);
  await look();
  expect([eventsIn('minute'), eventsIn('hour'), eventsIn('day')]).toEqual([2, 2, 2]);
  expect((await counters.read(key))?.dueAtMs).toBe(END_MS + SEAL_MS);
  clock.advanceTo(END_MS + SEAL_MS);
  await look();
  expect((await counters.read(key))?.dueAtMs).toBeUndefined();
  // Announced, the bucket, its hour, its day, sealed.
  expect(writes()).toBe(5);
});

it('is stored by every look once it has many rows, and goes on being looked at', async () => {
  const rows = Array.from({ length: COUNTED_WHEN_READ_MAX + 1 }, (_, i) => settled(`e${i}`, i));
  const { mark, clock, counters, look, live, eventsIn } = await setUp(...rows);
  await mark(clock.now());
  clock.advanceTo(START_MS + 2 * MINUTE_MS);
  await look();
  expect([eventsIn('minute'), eventsIn('hour'), eventsIn('day')]).toEqual([201, 201, 201]);
  expect((await counters.read(key))?.dueAtMs).toBe(START_MS + MINUTE_MS);
  const shown = await live(merchantId, 'minute', START_MS, END_MS);
  expect(shown.map((row) => row.counters.events)).toEqual([201]);
});

it('sends the pointer of a stranded row after a minute or two, and then once in each doubling of its age', async () => {
  const { mark, clock, count, ports } = await setUp(accepted('lost', 1_000));
  await mark(clock.now());
  const sent: number[] = [];
  const accept = { send: async () => void sent.push(Math.floor((clock.now() - START_MS) / MINUTE_MS)) };
  const nowhere = { send: async () => undefined };
  const recovery = {
    ...ports,
    accepted: accept,
    normalized: nowhere,
    config: { connectionsOf: async () => expect.unreachable(), connection: async () => expect.unreachable() },
  };
  for (let atMs = START_MS + MINUTE_MS; atMs < END_MS; atMs += MINUTE_MS) {
    clock.advanceTo(atMs);
    await recover(await count(), recovery as never);
  }
  expect(sent).toEqual([1, 2, 4, 7]);
});

it('reads no row while it is open but those whose turn it is, and neither the bucket nor its batches', async () => {
  const { mark, clock, ports } = await setUp(settled('a', 1_000), settled('b', 241_000));
  await mark(clock.now());
  const read: string[][] = [];
  const watched = {
    ...ports,
    counters: { ...ports.counters, read: () => expect.unreachable() },
    batches: { ofMinute: () => expect.unreachable(), readMany: () => expect.unreachable() },
    events: {
      ...ports.events,
      readMany: async (...args: Parameters<typeof ports.events.readMany>) => {
        read.push(args[0].map(({ eventId }) => eventId));
        return await ports.events.readMany(...args);
      },
    },
  };
  for (let atMs = START_MS + MINUTE_MS; atMs < END_MS; atMs += MINUTE_MS) {
    clock.advanceTo(atMs);
    await countMinute({ merchantId, startMs: START_MS, shard, changedAtMs: atMs }, watched);
  }
  // The first once in each doubling of its age, the second likewise.
  expect(read).toEqual([['a'], ['a'], ['a'], ['b'], ['b'], ['a'], ['b']]);
});

it('shows the rows of an open bucket in its minutes, hour and day before any of them is stored', async () => {
  const { mark, clock, live, counters } = await setUp(settled('a', 1_000), settled('b', 61_000));
  await mark(clock.now());
  await counters.write({
    key: { merchantId, grain: 'hour', startMs: START_MS - 600_000 },
    version: 1,
    counters: { ...EMPTY_COUNTERS, events: 40 },
  });
  clock.advanceTo(START_MS + 70_000);
  const shown = async (grain: BucketKey['grain'], lengthMs: number) => {
    const fromMs = Math.floor(START_MS / lengthMs) * lengthMs;
    return (await live(merchantId, grain, fromMs, fromMs + lengthMs)).map((row) => row.counters.events);
  };
  // What a stored hour says is no part of the sum: its minutes are.
  expect(await shown('minute', HOUR_MS)).toEqual([2]);
  expect(await shown('hour', HOUR_MS)).toEqual([2]);
  expect(await shown('day', 24 * HOUR_MS)).toEqual([2]);
});

it('shows what is stored of a bucket whose rows cannot be read now, and reports it', async () => {
  const { mark, clock, ports, counters, problems } = await setUp(settled('a', 1_000));
  await mark(clock.now());
  const broken = { ...ports.events, received: () => Promise.reject(new Error('no index')) };
  const live = withOpenBuckets(counters.range, { ...ports, events: broken });
  expect((await live(merchantId, 'minute', START_MS, END_MS)).map((row) => row.counters.events)).toEqual([0]);
  expect(String(problems[0])).toContain('no index');
});

it('reads no rows for a merchant without an open bucket, nor for a time long past', async () => {
  const { clock, ports, counters } = await setUp();
  const unread = { ...ports.events, received: () => expect.unreachable() };
  const live = withOpenBuckets(counters.range, { ...ports, events: unread });
  expect(await live(merchantId, 'day', 0, clock.now() + 1)).toEqual([]);
  expect(await live(merchantId, 'hour', 0, clock.now() - HOUR_MS)).toEqual([]);
});
