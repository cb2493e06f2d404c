// Goal: everything due gets a pointer and is put off, and a failing row or message does not hold up others.

import { expect, it } from 'vitest';
import { SendFailure } from '#lib/core/ports/queue.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import type { DueWork } from '#lib/events/domain/deliveries/due-work.ts';
import { PENDING } from '#lib/events/domain/deliveries/progress.ts';
import { lease } from '#lib/events/domain/deliveries/transition.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { type BatchPointer, keysOf, type Pointers } from '#lib/events/domain/pointer.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { BUCKET_SHARDS } from '#lib/events/ports/counter-store.ts';
import { normalizedRow, store } from '#test/contract/stored-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { type CounterRefreshMessage, refreshesIn } from '../aggregate/message.ts';
import { createOldest } from './oldest.ts';
import { runSweep } from './stage.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const NOW_MS = START_MS + 3_600_000;
const MINUTE_MS = 60_000;

/** A retry that is due at `dueAtMs`. */
function retryRow(eventId: string, dueAtMs = NOW_MS - 1, merchantId = 'm'): NormalizedRow {
  const delivery = { ...lease(undefined, START_MS, true), state: 'RETRY', nextAttemptAtMs: dueAtMs } as const;
  const row = normalizedRow({ eventId, merchantId, receivedAtMs: START_MS, deliveries: { meta: delivery } });
  return { ...row, verdicts: { meta: PENDING }, dueAtMs };
}

const slot = (merchantId: string, minute = 0) =>
  ({ merchantId, grain: 'minute', startMs: START_MS + minute * MINUTE_MS }) as const;

async function setUp(...rows: readonly NormalizedRow[]) {
  const events = createMemoryEventStore({ dueShards: 1 });
  await store(events, ...rows);
  const counters = createMemoryCounterStore();
  const told: string[] = [];
  const hints: CounterRefreshMessage[] = [];
  const problems: string[] = [];
  const work: DueWork[] = [];
  const ports = {
    events,
    batches: createMemoryBatchStore(),
    counters,
    normalized: {
      send: async (messages: readonly { readonly body: Pointers | BatchPointer }[]) => {
        for (const { body } of messages)
          told.push(...('rows' in body ? keysOf(body) : []).map(({ eventId }) => eventId));
      },
    },
    counterRefresh: {
      send: async (messages: readonly { readonly body: CounterRefreshMessage }[]) =>
        void hints.push(...messages.map(({ body }) => body)),
    },
    config: { connection: async () => null as Connection | null },
    deliveries: () => null,
    platforms: PLATFORMS,
    work: {
      send: async (messages: readonly { readonly body: DueWork }[]) =>
        void work.push(...messages.map(({ body }) => body)),
    },
    clock: createManualClock(NOW_MS),
    report: (problem: string) => void problems.push(problem),
  };
  const dueIn = (eventId: string): number | undefined => {
    const row = events.rows().find(({ key }) => key.eventId === eventId) as NormalizedRow;
    return row.dueAtMs === undefined ? undefined : row.dueAtMs - ports.clock.now();
  };
  return { ports, events, counters, told, hints, problems, work, dueIn };
}

it('sends the pointers of rows that are due in every shard, and of no others', async () => {
  const due = Array.from({ length: 40 }, (_, i) => retryRow(`e${i}`, NOW_MS - 1, `m${i}`));
  const { ports, told } = await setUp(...due, retryRow('later', NOW_MS + 1));
  expect((await runSweep(ports)).rows).toBe(40);
  expect(told.sort()).toEqual(due.map(({ key }) => key.eventId).sort());
});

it('leaves a row alone for one minute, then two, four … an hour, so that a backlog does not multiply', async () => {
  const { ports, told, dueIn } = await setUp(retryRow('e'));
  const waits: (number | undefined)[] = [];
  for (let sweep = 1; sweep <= 8; sweep++) {
    await runSweep(ports);
    expect(told).toHaveLength(sweep);
    waits.push(dueIn('e'));
    ports.clock.advance((dueIn('e') ?? 0) + 1);
  }
  expect(waits.map((ms) => (ms ?? 0) / MINUTE_MS)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
});

it('steps over a merchant with more than a page, hands it over, and tells every other one', async () => {
  const large = Array.from({ length: 60 }, (_, i) => retryRow(`l${i}`, NOW_MS - 1, 'large'));
  const others = Array.from({ length: 30 }, (_, i) => retryRow(`o${i}`, NOW_MS - 1, `m${i}`));
  const { ports, told, work } = await setUp(...large, ...others);
  await runSweep(ports);
  expect(told.sort()).toEqual(others.map(({ key }) => key.eventId).sort());
  expect(work).toEqual([{ task: 'due', table: 'events', merchant: 'large', shard: 0 }]);
});

it('tells what a large group has due itself where that is less than a page', async () => {
  const rows = Array.from({ length: 100 }, (_, i) => retryRow(`e${i}`, NOW_MS - 3 + i));
  const { ports, told, work } = await setUp(...rows);
  await runSweep(ports);
  expect(told.sort()).toEqual(['e0', 'e1', 'e2', 'e3']);
  expect(work).toEqual([]);
});

it('ends when its time is over, and hands over the rest of the shard behind the last group it saw', async () => {
  const rows = Array.from({ length: 100 }, (_, i) => retryRow(`e${i}`, NOW_MS - 1, `m${1_000 + i}`));
  const { ports, told, work } = await setUp(...rows);
  const slow: typeof ports.events.readMany = async (...args) => {
    ports.clock.advance(20_000);
    return await ports.events.readMany(...args);
  };
  await runSweep({ ...ports, events: { ...ports.events, readMany: slow } });
  expect(told).toHaveLength(39);
  expect(work).toEqual([{ task: 'scan', table: 'events', merchant: 'm1038', shard: 0 }]);
});

it('takes the due time from a row that needs none, without a message', async () => {
  const row = retryRow('e');
  const delivered = { ...lease(undefined, START_MS, true), state: 'DELIVERED' } as const;
  const { ports, told, dueIn } = await setUp({ ...row, deliveries: { meta: delivered } });
  await runSweep(ports);
  expect(told).toEqual([]);
  expect(dueIn('e')).toBeUndefined();
});

it('moves no due time where the queue is away: nobody was told', async () => {
  const { ports, dueIn } = await setUp(retryRow('e'));
  const away = { send: () => Promise.reject(new Error('away')) };
  await expect(runSweep({ ...ports, normalized: away })).rejects.toThrow('away');
  expect(dueIn('e')).toBe(-1);
});

it('puts off a row that cannot be read, and one that cannot be written, without holding up the others', async () => {
  const rows = ['bad', 'stuck', 'e'].map((id) => retryRow(id));
  const { ports, events, told, problems, dueIn } = await setUp(...rows);
  events.spoil({ merchantId: 'm', channel: 'server', eventId: 'bad' });
  const reschedule: typeof events.reschedule = async (row, ...rest) => {
    if (row.key.eventId === 'stuck') throw new Error('away');
    return await events.reschedule(row, ...rest);
  };
  await runSweep({ ...ports, events: { ...events, reschedule } });
  expect(told.sort()).toEqual(['e', 'stuck']);
  expect([dueIn('bad'), dueIn('stuck'), dueIn('e')]).toEqual([MINUTE_MS, -1, MINUTE_MS]);
  expect(problems).toEqual(['what is due of events could not be put off']);
});

it('asks for a count of every slot that is due, few in a message, however many merchants', async () => {
  const { ports, counters, hints } = await setUp();
  for (const merchantId of ['a', 'b'])
    for (const minute of [0, 1, 2]) await counters.markDue(slot(merchantId, minute), NOW_MS - 1);
  await counters.markDue(slot('a', 3), NOW_MS + 1);
  expect((await runSweep(ports)).slots).toBe(6);
  const minuteOf = (startMs: unknown) => (Number(startMs) - START_MS) / MINUTE_MS;
  const asked = hints
    .flatMap(refreshesIn)
    .flatMap(({ merchant, slots }) => slots.map((startMs) => `${merchant}${minuteOf(startMs)}`));
  expect(asked.sort()).toEqual(['a0', 'a1', 'a2', 'b0', 'b1', 'b2']);
});

it('packs the slots of many merchants into few messages, and never many slots into one', async () => {
  const { ports, counters, hints } = await setUp();
  for (let i = 0; i < 600; i++) await counters.markDue(slot(`m${i}`), NOW_MS - 1);
  for (let i = 0; i < 100; i++) await counters.markDue(slot('m', -i), NOW_MS - 1);
  expect((await runSweep(ports)).slots).toBe(700);
  expect(hints.length).toBeLessThan(200);
  const slotsIn = hints.map((hint) => refreshesIn(hint).flatMap(({ slots }) => slots).length);
  expect(slotsIn.reduce((sum, count) => sum + count, 0)).toBe(700);
  expect(Math.max(...slotsIn)).toBeLessThanOrEqual(20);
});

it('reports a counter refresh the queue refuses, and still sweeps the rows', async () => {
  const { ports, counters, told, problems } = await setUp(retryRow('e'));
  await counters.markDue(slot('m'), NOW_MS - 1);
  const refusing = { send: () => Promise.reject(new SendFailure([0], true, new Error('refused'))) };
  await runSweep({ ...ports, counterRefresh: refusing });
  expect(told).toEqual(['e']);
  expect(problems).toEqual(['a counter refresh was refused by its queue']);
});

it('names since when the oldest row is due, and the oldest minute that is not over', async () => {
  const { ports, counters } = await setUp(retryRow('late', NOW_MS - 7 * MINUTE_MS), retryRow('just now'));
  ports.clock.advance(3 * 60 * MINUTE_MS);
  await counters.markDue(slot('m', 5), ports.clock.now() - 1);
  await counters.markDue(slot('m'), ports.clock.now() - 1);
  const oldest = createOldest(ports.clock);
  await runSweep({ ...ports, ...oldest });
  expect(oldest.measured()).toEqual({ OldestDue: 187 * 60, OldestUnfinished: 4 * 3_600 });
});

it('counts what has waited for too long: told five times and never worked, or not even told', async () => {
  const unworked = { ...retryRow('unworked'), sweeps: 5 };
  const { ports, counters } = await setUp(
    { ...retryRow('worked', NOW_MS - 1, 'm2'), sweeps: 4 },
    unworked,
    retryRow('untold', NOW_MS - 20 * MINUTE_MS, 'm3'),
  );
  await counters.markDue(slot('m'), NOW_MS - 20 * MINUTE_MS);
  await counters.markDue(slot('m', 1), NOW_MS - 19 * MINUTE_MS);
  expect(await runSweep(ports)).toEqual({ rows: 3, batches: 0, slots: 2, waiting: 3 });
});

it('releases a place with a quota by itself, so that the others of its rows go at their own speed', async () => {
  const delivery = {
    ...lease(undefined, START_MS, false),
    state: 'RETRY',
    reason: 'platform_limit',
  } as const;
  const deliveries = { klaviyo: delivery, meta: delivery, x: delivery };
  const row = normalizedRow({ eventId: 'e', merchantId: 'm', receivedAtMs: START_MS, deliveries });
  const verdicts = { klaviyo: PENDING, meta: PENDING, x: PENDING };
  const parkedFor = 'klaviyo+meta+x';
  const { ports, work } = await setUp({ ...row, verdicts, dueAtMs: NOW_MS + MINUTE_MS, parkedFor });
  await runSweep({ ...ports, config: { connection: async () => ({ status: 'active' }) as Connection } });
  const release = { task: 'release', table: 'events', merchant: 'm', shard: 0, parkedFor };
  expect(work).toEqual([release, { ...release, paced: 'klaviyo' }, { ...release, paced: 'x' }]);
});

it('asks for slots beyond a page, and ends between pages when its time is over', async () => {
  const { ports, counters, hints } = await setUp();
  for (let i = 0; i < 400; i++) await counters.markDue(slot(`m${i}`), NOW_MS - 1);
  let pages = 0;
  const due: typeof counters.due = (shard, beforeMs, { cursor }) => {
    pages += 1;
    return counters.due(shard, beforeMs, { pageMax: 2, cursor });
  };
  expect((await runSweep({ ...ports, counters: { ...counters, due } })).slots).toBe(400);
  expect(hints.flatMap(refreshesIn).length).toBe(400);
  pages = 0;
  const late: typeof counters.due = (...args) => {
    ports.clock.advance(20_000);
    return due(...args);
  };
  await runSweep({ ...ports, counters: { ...counters, due: late } });
  expect(pages).toBe(BUCKET_SHARDS);
});
