// Goal: over which shards a merchant's rows are spread shows nowhere: the same counters, the same lists, the same pages.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS, minuteOf } from '../../lib/core/work/time-slot.ts';
import type { EventRow } from '../../lib/events/domain/event/row.ts';
import { inShard, shardOf } from '../../lib/events/domain/shard.ts';
import { countMinute, storeCount } from '../../lib/events/pipeline/counting/count-minute.ts';
import { readCounters } from '../../lib/events/pipeline/counting/counter-range.ts';
import { countedAt, createBucketMarker } from '../../lib/events/pipeline/counting/due-buckets.ts';
import { rollUpHour } from '../../lib/events/pipeline/counting/roll-up.ts';
import type { ReceivedQuery } from '../../lib/events/ports/event-store.ts';
import { listDeliveries } from '../../lib/events/routes/deliveries.ts';
import { listEvents } from '../../lib/events/routes/events.ts';
import { type ApiHost, bodyOf, MINE, NOW, openApi } from '../contract/api-host.ts';
import { acceptedRow, normalizedRow, store } from '../contract/stored-rows.ts';
import { createMemoryBatchStore } from '../support/memory/batch-store.ts';
import { NO_ORDERS_KNOWN } from '../support/memory/order-store.ts';

const START_MS = NOW - 2 * DAY_MS;

/** A row, and the shard it is in when there are many. */
const placed = fc.record({
  minute: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 * 24 * 60 - 1 })),
  second: fc.integer({ min: 0, max: 59 }),
  shard: fc.oneof(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 63 })),
  isNormalized: fc.boolean(),
  isBrowser: fc.boolean(),
});

async function hostOf(rows: readonly EventRow[]): Promise<ApiHost> {
  const host = await openApi();
  await createBucketMarker(host.counters, host.clock).markDue(rows.map(countedAt));
  await store(host.events, ...rows);
  return host;
}

/** As the sweep and the aggregate stage do: whatever slot there is, then the hours that are due. */
async function countAll({ events, counters, clock }: ApiHost): Promise<void> {
  const batches = createMemoryBatchStore();
  const report = () => expect.unreachable();
  const ports = { events, batches, orders: NO_ORDERS_KNOWN, counters, clock, platforms: [], report };
  for (const { key } of counters.rows().filter(({ key }) => key.grain === 'minute')) {
    const count = await countMinute({ ...key, changedAtMs: clock.now() }, ports);
    if ('untilMs' in count) throw new Error('the slot rests');
    expect(await storeCount(count, ports)).toBe(true);
  }
  for (const { key } of counters
    .rows()
    .filter(({ key, dueAtMs }) => key.grain === 'hour' && dueAtMs !== undefined))
    await rollUpHour(key, ports);
}

const byGrain = (host: ApiHost, grain: string) =>
  host.counters
    .rows()
    .filter(({ key }) => key.grain === grain)
    .map(({ key, counters }) => [key.startMs, counters])
    .sort(([a], [b]) => Number(a) - Number(b));

async function pagesOf(host: ApiHost, path: string, query: Record<string, string>) {
  const token = host.session('member');
  const pages: unknown[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const url = `${path}?${new URLSearchParams({ ...query, ...(cursor === '' ? {} : { cursor }) })}`;
    const reply = await host.call(url, { token });
    const body = bodyOf(path.endsWith('deliveries') ? listDeliveries : listEvents, reply);
    pages.push(body);
    cursor = body.next_cursor ?? null;
    if (pages.length > 200) throw new Error('endless');
  }
  return pages;
}

it('counts and lists rows in random shards as it does in one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(placed, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 7 }),
      async (places, limit) => {
        const one = places.map(({ minute, second, isNormalized, isBrowser }, i) =>
          (isNormalized ? normalizedRow : acceptedRow)({
            eventId: `e${i}`,
            channel: isBrowser ? 'browser' : 'server',
            receivedAtMs: START_MS + minute * MINUTE_MS + second * 1_000,
          }),
        );
        const many = one.map((row, i) => inShard(row, places[i]?.shard ?? 0));
        const hosts = await Promise.all([hostOf(one), hostOf(many)]);
        const [inOne, inMany] = hosts;
        for (const host of hosts) await countAll(host);
        for (const grain of ['hour', 'day']) expect(byGrain(inMany, grain)).toEqual(byGrain(inOne, grain));
        const sums = await Promise.all(
          hosts.map(async ({ counters }) => {
            const rows = await readCounters(
              MINE,
              { fromMs: START_MS, toMs: START_MS + 90 * MINUTE_MS },
              { counters },
            );
            return rows.reduce((sum, row) => sum + row.counters.events, 0);
          }),
        );
        expect(sums[1]).toBe(sums[0]);
        for (const query of [{}, { orderDirection: 'asc' }, { event_name: 'Purchase' }]) {
          const asked = { ...query, limit: String(limit) };
          expect(await pagesOf(inMany, '/v1/events', asked)).toEqual(
            await pagesOf(inOne, '/v1/events', asked),
          );
        }
        const asked = { limit: String(limit) };
        expect(await pagesOf(inMany, '/v1/deliveries', asked)).toEqual(
          await pagesOf(inOne, '/v1/deliveries', asked),
        );
      },
    ),
    { numRuns: 40 },
  );
});

it('goes on with a cursor from before a shard was opened', async () => {
  const rows = Array.from({ length: 6 }, (_, i) =>
    acceptedRow({ eventId: `e${i}`, receivedAtMs: NOW - (i + 1) * MINUTE_MS }),
  );
  const host = await hostOf(rows);
  const token = host.session('member');
  const first = bodyOf(listEvents, await host.call('/v1/events?limit=2', { token }));
  const late = inShard(acceptedRow({ eventId: 'late', receivedAtMs: NOW - 3.5 * MINUTE_MS }), 5);
  await createBucketMarker(host.counters, host.clock).markDue([countedAt(late)]);
  await store(host.events, late);
  const next = bodyOf(
    listEvents,
    await host.call(`/v1/events?limit=3&cursor=${first.next_cursor}`, { token }),
  );
  expect(next.events.map(({ event_id }) => event_id)).toEqual(['e2', 'late', 'e3']);
});

it('asks one shard as before, with no query more than the one for its shards', async () => {
  const queries: ReceivedQuery[] = [];
  const host = await openApi(({ events }) => ({
    events: {
      ...events,
      received: (query) => {
        queries.push(query);
        return events.received(query);
      },
    },
  }));
  await store(host.events, acceptedRow({ eventId: 'e' }));
  await host.call('/v1/events', { token: host.session('member') });
  const [fromMs, toMs] = [NOW + 1 - 30 * DAY_MS, NOW + 1];
  expect(queries).toEqual([{ merchantId: MINE, fromMs, toMs, order: 'desc', limit: 500 }]);
});

it('counts a minute in the shard it is asked for alone', async () => {
  const rows = [0, 1, 1, 40].map((shard, i) =>
    inShard(acceptedRow({ eventId: `e${i}`, receivedAtMs: minuteOf(START_MS) + i }), shard),
  );
  const host = await hostOf(rows);
  await countAll(host);
  const minutes = host.counters.rows().filter(({ key }) => key.grain === 'minute');
  expect(minutes.map(({ key, counters }) => [shardOf(key), counters.events]).sort()).toEqual([
    [0, 1],
    [1, 2],
    [40, 1],
  ]);
});
