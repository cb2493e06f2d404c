// Goal: each row of a span stands in its count once, whichever way the index and its copies show it.
import { expect, it } from 'vitest';
import { acceptedRow, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { NO_ORDERS_KNOWN } from '#test/support/memory/order-store.ts';
import { recount } from './recount.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const merchantId = 'm';
const at = (second: number) => ({ merchantId, receivedAtMs: START_MS + second * 1_000 });

async function countOf(events: ReturnType<typeof createMemoryEventStore>) {
  return await recount(merchantId, START_MS, START_MS + 60_000, {
    events,
    batches: createMemoryBatchStore(),
    orders: NO_ORDERS_KNOWN,
    platforms: [],
  });
}

it('counts the rows of its span over many pages, and nobody else’s', async () => {
  const events = createMemoryEventStore();
  const rows = Array.from({ length: 250 }, (_, i) => acceptedRow({ eventId: `e${i}`, ...at(i % 60) }));
  const outside = [at(-1), at(60), { ...at(1), merchantId: 'other' }].map((place, i) =>
    acceptedRow({ eventId: `outside${i}`, ...place }),
  );
  await store(events, ...rows, ...outside);
  const count = await countOf(events);
  expect(count.counters.events).toBe(250);
  expect(count.open).toBe(250);
  expect(count.stranded).toHaveLength(250);
});

it('counts a browser event with a server copy as merged, up to a day apart', async () => {
  const events = createMemoryEventStore();
  const day = 86_400;
  await store(
    events,
    ...[1, 2].map((i) => acceptedRow({ eventId: `e${i}`, channel: 'browser', ...at(1) })),
    acceptedRow({ eventId: 'e1', ...at(day) }),
    acceptedRow({ eventId: 'e2', ...at(day + 1) }),
  );
  expect((await countOf(events)).counters).toMatchObject({ events: 1, merged: 1 });
});

it('counts a row once that is in the index twice, on its way into the archive', async () => {
  const events = createMemoryEventStore();
  const row = normalizedRow({ eventId: 'e', ...at(1) });
  await store(events, row);
  await events.archive(row);
  const { keys } = await events.received({
    merchantId,
    fromMs: START_MS,
    toMs: START_MS + 60_000,
    order: 'asc',
    limit: 10,
  });
  expect(keys).toHaveLength(2);
  expect((await countOf(events)).counters.events).toBe(1);
});

it('keeps a row open that cannot be read, and counts the others', async () => {
  const events = createMemoryEventStore();
  await store(
    events,
    acceptedRow({ eventId: 'bad', ...at(1) }),
    normalizedRow({ eventId: 'good', ...at(2) }),
  );
  events.spoil({ merchantId, channel: 'server', eventId: 'bad' });
  const count = await countOf(events);
  expect(count.counters.events).toBe(1);
  expect(count.open).toBe(1);
  expect(count.uncounted.map(({ key }) => key.eventId)).toEqual(['bad']);
  // Its pointer would have no use.
  expect(count.stranded).toEqual([]);
});
