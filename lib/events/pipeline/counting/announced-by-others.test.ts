// Goal: where many processes mark the same slot, one write serves them all; and no order of writes, reads and folds
// leaves a row in a slot that is not counted.
import { expect, it } from 'vitest';
import { normalizedRow, store } from '#test/contract/stored-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { NO_ORDERS_KNOWN } from '#test/support/memory/order-store.ts';
import { inShard } from '../../domain/shard.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import { countMinute, type MinuteCount, SEAL_MS, storeCount } from './count-minute.ts';
import { createBucketMarker } from './due-buckets.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const END_MS = START_MS + 60_000;
const DAY_MS = Date.UTC(2026, 10, 21);
const merchantId = 'm';
const key = { merchantId, grain: 'minute', startMs: START_MS } as const;
const row = { merchantId, receivedAtMs: START_MS + 1_000 };

const WRITES = ['markDue', 'openShard'];

/** A process whose writes can be refused, and what it asked of the store. */
function setUp({ ahead }: { readonly ahead?: number } = {}) {
  const clock = createManualClock(START_MS + 1_000);
  const counters = createMemoryCounterStore();
  const asked: string[] = [];
  let refusing = false;
  const noted =
    <Args extends readonly unknown[], Answer>(name: string, ask: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      asked.push(name);
      if (refusing && WRITES.includes(name)) throw new Error('throttled');
      return await ask(...args);
    };
  const port: Pick<CounterStore, 'markDue' | 'openShard' | 'read' | 'openedShards'> = {
    markDue: noted('markDue', counters.markDue),
    openShard: noted('openShard', counters.openShard),
    read: noted('read', counters.read),
    openedShards: noted('openedShards', counters.openedShards),
  };
  const random = ahead === undefined ? undefined : { next: () => ahead };
  const slots = createBucketMarker(port, clock, 0, random);
  return { clock, counters, asked, refuse: (yes = true) => (refusing = yes), slots };
}

it('relies on what another process announced where its own write is refused, and remembers it', async () => {
  const { slots, counters, asked, refuse } = setUp();
  await counters.markDue(key, END_MS);
  refuse();
  await slots.markDue([row]);
  await slots.markDue([row]);
  expect(asked).toEqual(['markDue', 'read']);
});

it('relies on an announcement that left a commit its time', async () => {
  const { slots, counters, refuse } = setUp();
  await counters.markDue(key, END_MS + 59_000);
  refuse();
  await slots.markDue([row]);
});

async function counted(store: CounterStore): Promise<void> {
  await store.markDue(key, END_MS);
  const slot = (await store.read(key)) ?? expect.unreachable();
  await store.write({ key, version: slot.version + 1, counters: slot.counters });
}

it.each([
  ['nobody announced', async () => undefined, 0],
  ['the minute is over', (c: CounterStore) => c.markDue(key, END_MS), 59_000],
  ['the slot is due an hour later', (c: CounterStore) => c.markDue(key, END_MS + SEAL_MS), 0],
  ['the slot is not due', counted, 0],
])('passes the refusal on where %s', async (_, prepare, laterMs) => {
  const { slots, counters, clock, refuse } = setUp();
  await prepare(counters);
  clock.advance(laterMs);
  refuse();
  await expect(slots.markDue([row])).rejects.toThrow('throttled');
  refuse(false);
  await slots.markDue([row]);
  expect((await counters.read(key))?.dueAtMs).toBe(Math.max(END_MS, clock.now()));
});

it('reads nothing for a merchant with one shard whose writes are taken', async () => {
  const { slots, asked, clock } = setUp({ ahead: 0 });
  clock.advance(10_000);
  for (let minute = 0; minute < 5; minute++) {
    for (const second of [1, 20, 50])
      await slots.markDue([{ merchantId, receivedAtMs: START_MS + minute * 60_000 + second * 1_000 }]);
    clock.advance(60_000);
  }
  expect(asked).toEqual(Array.from({ length: 5 }, () => 'markDue'));
});

it('looks before it writes in the first seconds of a process, when a thousand may have started for one merchant', async () => {
  const { slots, counters, asked, clock } = setUp({ ahead: 0 });
  await counters.markDue(key, END_MS);
  clock.advance(9_999);
  await slots.markDue([row]);
  expect(asked).toEqual(['read']);
  clock.advance(1);
  await slots.markDue([{ merchantId: 'n', receivedAtMs: START_MS + 1_000 }]);
  expect(asked).toEqual(['read', 'markDue']);
});

it('looks before it writes where a merchant has shards, and opens no day twice', async () => {
  const first = setUp();
  const inSeventh = inShard(row, 7);
  await first.slots.markDue([inSeventh]);
  expect(first.asked).toEqual(['openedShards', 'openShard', 'read', 'markDue']);
  const second = setUp();
  await second.counters.openShard(merchantId, DAY_MS, 7);
  await second.counters.markDue(inShard(key, 7), END_MS);
  await second.slots.markDue([inSeventh]);
  expect(second.asked).toEqual(['openedShards', 'read']);
});

it('takes no other shard, and no other day, for its own', async () => {
  const { slots, counters, asked } = setUp();
  await counters.openShard(merchantId, DAY_MS - 86_400_000, 7);
  await counters.openShard(merchantId, DAY_MS, 8);
  await counters.markDue(inShard(key, 8), END_MS);
  await slots.markDue([inShard(row, 7)]);
  expect(asked).toEqual(['openedShards', 'openShard', 'read', 'markDue']);
});

it('writes a late row again, whoever announced it', async () => {
  const { slots, counters, refuse } = setUp();
  await counters.markDue(key, END_MS);
  await slots.markDueAgain(row);
  expect((await counters.read(key))?.version).toBe(2);
  refuse();
  await expect(slots.markDueAgain(row)).rejects.toThrow('throttled');
});

it('announces the next minute of a busy merchant once, at its own moment of the one before', async () => {
  const { slots, counters, asked, clock } = setUp({ ahead: 0.5 });
  const inSeventh = inShard(row, 7);
  const next = inShard({ ...key, startMs: END_MS }, 7);
  await slots.markDue([inSeventh]);
  clock.advanceTo(START_MS + 29_999);
  await slots.markDue([inSeventh]);
  expect(await counters.read(next)).toBeNull();
  clock.advanceTo(START_MS + 30_000);
  await slots.markDue([inSeventh, inSeventh]);
  await slots.markDue([inSeventh]);
  expect(await counters.read(next)).toMatchObject({ version: 1, dueAtMs: END_MS + 60_000 });
  const before = asked.length;
  clock.advanceTo(END_MS);
  await slots.markDue([inShard({ merchantId, receivedAtMs: END_MS }, 7)]);
  expect(asked).toHaveLength(before);
});

it('accepts the row all the same where the next minute cannot be announced, and announces that one when it comes', async () => {
  const { slots, counters, clock, refuse } = setUp({ ahead: 0 });
  const inSeventh = inShard(row, 7);
  await slots.markDue([inSeventh]);
  clock.advanceTo(END_MS - 1);
  refuse();
  await slots.markDue([inSeventh]);
  refuse(false);
  clock.advanceTo(END_MS);
  await slots.markDue([inShard({ merchantId, receivedAtMs: END_MS }, 7)]);
  expect(await counters.read(inShard({ ...key, startMs: END_MS }, 7))).toMatchObject({ version: 1 });
});

/** What happens beside the process, in this order: folds that read and store, and time. */
const BESIDE = [
  ...(['fold', END_MS - 1, 'count', END_MS, 'store', 'fold', END_MS + 20_000, 'fold', 'count'] as const),
  ...([END_MS + SEAL_MS - 1, 'fold', END_MS + SEAL_MS, 'store', 'fold'] as const),
];
/** Of the process: the refused write, the look, the put of the row. */
const STEPS = 3;
/** Far longer than a request lasts. */
const REQUEST_MAX_MS = 30 * 60_000;

it('leaves no row uncounted, wherever folds come between the refused write, the look and the put', async () => {
  let stored = 0;
  let refused = 0;
  for (const order of mergesOf(STEPS, BESIDE.length)) {
    const outcome = await play(order);
    if (outcome.isLate) continue;
    expect({ order, counted: outcome.counted }).toEqual({ order, counted: outcome.isStored ? 1 : 0 });
    if (outcome.isStored) stored += 1;
    else refused += 1;
  }
  expect(stored).toBeGreaterThan(20);
  expect(refused).toBeGreaterThan(20);
});

/** Every way to put so many steps between the others: how many of the others come before each. */
function* mergesOf(steps: number, others: number, from = 0): Generator<readonly number[]> {
  if (steps === 0) return yield [];
  for (let at = from; at <= others; at++)
    for (const rest of mergesOf(steps - 1, others, at)) yield [at, ...rest];
}

async function play(order: readonly number[]) {
  const clock = createManualClock(START_MS + 1_000);
  const counters = createMemoryCounterStore();
  const events = createMemoryEventStore();
  const batches = createMemoryBatchStore();
  const report = () => expect.unreachable();
  const ports = { events, batches, orders: NO_ORDERS_KNOWN, counters, clock, platforms: [], report };
  await counters.markDue(key, END_MS);
  let go = (): void => undefined;
  const turn = (): Promise<void> => new Promise((resolve) => (go = resolve));
  const markDue = async () => {
    await turn();
    throw new Error('throttled');
  };
  const read: typeof counters.read = async (slot) => {
    await turn();
    return await counters.read(slot);
  };
  const slots = createBucketMarker({ ...counters, markDue, read }, clock);
  const times: number[] = [];
  let isStored = false;
  const request = slots.markDue([row]).then(
    async () => {
      await turn();
      await store(events, normalizedRow({ eventId: 'a', ...row }));
      isStored = true;
    },
    () => undefined,
  );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const step = async (): Promise<void> => {
    await settle();
    times.push(clock.now());
    go();
    await settle();
  };
  let count: MinuteCount | undefined;
  const countNow = async (): Promise<void> => {
    const answer = await countMinute({ merchantId, startMs: START_MS, changedAtMs: clock.now() }, ports);
    count = 'untilMs' in answer ? undefined : answer;
  };
  const storeNow = async (): Promise<void> => {
    if (count !== undefined) await storeCount(count, ports);
    count = undefined;
  };
  const waiting = [...order];
  for (let at = 0; at <= BESIDE.length; at++) {
    for (; waiting[0] === at; waiting.shift()) await step();
    const act = BESIDE[at];
    if (typeof act === 'number') clock.advanceTo(act);
    if (act === 'count' || act === 'fold') await countNow();
    if (act === 'store' || act === 'fold') await storeNow();
  }
  await request;
  for (let slot = await counters.read(key); slot?.dueAtMs !== undefined; slot = await counters.read(key)) {
    clock.advanceTo(Math.max(clock.now(), slot.dueAtMs));
    await countNow();
    await storeNow();
  }
  const [, lookedAtMs = 0, putAtMs = 0] = times;
  const counted = (await counters.read(key))?.counters.events;
  return { isStored, counted, isLate: putAtMs - lookedAtMs > REQUEST_MAX_MS };
}
