// Goal: what is stored is what the rows say, or nothing is stored; and a slot is due until nothing in it can change.
import { expect, it } from 'vitest';
import { delivered, retrying } from '#test/conformance/stores/event-rows.ts';
import { acceptedRow, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { NO_ORDERS_KNOWN } from '#test/support/memory/order-store.ts';
import { PENDING } from '../../domain/deliveries/progress.ts';
import type { EventRow } from '../../domain/event/row.ts';
import { ROWS_KEPT_MIN_MS } from '../../domain/event/row-expiry.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { EventStore } from '../../ports/event-store.ts';
import { countMinute, type MinuteCount, SEAL_MS, storeCount } from './count-minute.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const END_MS = START_MS + 60_000;
const merchantId = 'm';
const key = { merchantId, grain: 'minute', startMs: START_MS } as const;
const settled = (eventId: string) => normalizedRow({ eventId, merchantId, receivedAtMs: START_MS + 1_000 });
const accepted = (eventId: string) => acceptedRow({ eventId, merchantId, receivedAtMs: START_MS + 1_000 });

async function setUp(...rows: readonly (ReturnType<typeof settled> | ReturnType<typeof accepted>)[]) {
  const events = createMemoryEventStore();
  await store(events, ...rows);
  const counters = createMemoryCounterStore();
  const clock = createManualClock(START_MS + 2_000);
  const batches = createMemoryBatchStore();
  const report = () => expect.unreachable();
  const ports = { events, batches, orders: NO_ORDERS_KNOWN, counters, clock, platforms: [], report };
  const count = async (): Promise<MinuteCount> => {
    const answer = await countMinute({ merchantId, startMs: START_MS, changedAtMs: clock.now() }, ports);
    if ('untilMs' in answer) throw new Error('the slot rests');
    return answer;
  };
  const dueAtMs = async () => (await counters.read(key))?.dueAtMs;
  return { events, counters, clock, ports, count, dueAtMs, store: (c: MinuteCount) => storeCount(c, ports) };
}

it('stores the minute with its hour and its day', async () => {
  const minute = await setUp(settled('a'), settled('b'));
  expect(await minute.store(await minute.count())).toBe(true);
  expect(minute.counters.rows().map(({ key: { grain }, counters }) => [grain, counters.events])).toEqual([
    ['minute', 2],
    ['hour', 2],
    ['day', 2],
  ]);
});

it('stores nothing where a row was announced after the slot was read', async () => {
  const minute = await setUp(settled('a'));
  const count = await minute.count();
  await minute.counters.markDue(key, END_MS);
  await store(minute.events, settled('b'));
  expect(await minute.store(count)).toBe(false);
  expect((await minute.counters.read(key))?.counters.events).toBe(0);
  expect(await minute.store(await minute.count())).toBe(true);
  expect((await minute.counters.read(key))?.counters.events).toBe(2);
});

it('reads the slot before its rows: a row that comes between is counted or refuses the write', async () => {
  const minute = await setUp(settled('a'));
  const order: string[] = [];
  const counters: CounterStore = {
    ...minute.counters,
    read: (slot) => {
      order.push('slot');
      return minute.counters.read(slot);
    },
  };
  const events: EventStore = {
    ...minute.events,
    received: (query) => {
      order.push('rows');
      return minute.events.received(query);
    },
  };
  await countMinute({ merchantId, startMs: START_MS, changedAtMs: 0 }, { ...minute.ports, counters, events });
  expect(order).toEqual(['slot', 'rows']);
});

it('says to recovery that a slot is due when its time has come, and only then', async () => {
  const minute = await setUp(accepted('a'));
  expect((await minute.count()).due).toBe(true);
  await minute.counters.markDue(key, END_MS);
  expect((await minute.count()).due).toBe(false);
  minute.clock.advanceTo(END_MS);
  expect((await minute.count()).due).toBe(true);
});

it('keeps a slot due while a row in it is open, and lets it go when it is over and sealed', async () => {
  const minute = await setUp(accepted('a'));
  await minute.counters.markDue(key, END_MS);
  minute.clock.advanceTo(END_MS + SEAL_MS + 1);
  expect(await minute.store(await minute.count())).toBe(true);
  expect(await minute.dueAtMs()).toBeGreaterThan(minute.clock.now());
  const row = minute.events.rows()[0] as EventRow;
  await minute.events.normalize({ ...settled('a'), ingestId: row.ingestId });
  minute.clock.advanceTo((await minute.dueAtMs()) ?? 0);
  expect(await minute.store(await minute.count())).toBe(true);
  expect(await minute.dueAtMs()).toBeUndefined();
});

it('looks ever more seldom at a minute whose open rows are all parked, and at any other sooner', async () => {
  const waiting = (eventId: string, reason: string) => ({
    ...normalizedRow({
      eventId,
      merchantId,
      receivedAtMs: START_MS + 1_000,
      verdicts: { meta: PENDING, x: PENDING },
      deliveries: { meta: delivered(START_MS), x: { ...retrying(START_MS), reason } },
    }),
    dueAtMs: END_MS + 91 * 86_400_000,
  });
  const looks = async (days: number, ...rows: readonly ReturnType<typeof settled>[]): Promise<number> => {
    const minute = await setUp(...rows);
    await minute.counters.markDue(key, END_MS);
    minute.clock.advanceTo(END_MS + 60_000);
    for (let count = 0; ; count++) {
      expect(await minute.store(await minute.count())).toBe(true);
      minute.clock.advanceTo((await minute.dueAtMs()) ?? Number.NaN);
      if (minute.clock.now() > END_MS + days * 86_400_000) return count;
    }
  };
  const parked = [settled('a'), waiting('b', 'connection_paused'), waiting('c', 'circuit_open')];
  expect(await looks(1, ...parked)).toBe(9);
  expect(await looks(7, ...parked)).toBe(17);
  expect(await looks(90, ...parked)).toBe(29);
  expect(await looks(7, waiting('b', 'connection_paused'), waiting('c', 'status_500'))).toBe(48);
});

it('leaves a due time alone that lies ahead: somebody announced rows for it', async () => {
  const minute = await setUp(settled('a'));
  await minute.counters.markDue(key, END_MS);
  expect(await minute.store(await minute.count())).toBe(true);
  expect(await minute.dueAtMs()).toBe(END_MS);
});

it('leaves the count of a slot whose rows have expired as it is, and looks no more', async () => {
  const minute = await setUp(settled('a'), settled('b'));
  await minute.store(await minute.count());
  const events = createMemoryEventStore();
  await store(events, settled('b'));
  const ports = { ...minute.ports, events };
  minute.clock.advance(ROWS_KEPT_MIN_MS + 120_000);
  await minute.counters.markDue(key, minute.clock.now());
  const count = await countMinute({ merchantId, startMs: START_MS, changedAtMs: minute.clock.now() }, ports);
  if ('untilMs' in count) throw new Error('the slot rests');
  expect(count.counters.events).toBe(1);
  expect(await storeCount(count, ports)).toBe(true);
  expect((await minute.counters.read(key))?.counters.events).toBe(2);
  expect(await minute.dueAtMs()).toBeUndefined();
});

it('counts a slot that lost rows before they may expire as they are', async () => {
  const minute = await setUp(settled('a'), settled('b'));
  await minute.store(await minute.count());
  const events = createMemoryEventStore();
  await store(events, settled('b'));
  const ports = { ...minute.ports, events };
  minute.clock.advance(ROWS_KEPT_MIN_MS - 120_000);
  await minute.counters.markDue(key, minute.clock.now());
  const count = await countMinute({ merchantId, startMs: START_MS, changedAtMs: minute.clock.now() }, ports);
  if ('untilMs' in count) throw new Error('the slot rests');
  await storeCount(count, ports);
  expect((await minute.counters.read(key))?.counters.events).toBe(1);
});
