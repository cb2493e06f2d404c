// What a page of a filtered list reads, counted on the emulated tables as the bill counts it. A month of a merchant of ten
// events a second: what is rare costs about what it shows, not what lies between.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBatchStore } from '../../lib/adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '../../lib/adapters/dynamodb/events/counter-store.ts';
import { createEventStore } from '../../lib/adapters/dynamodb/events/rows/event-store.ts';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from '../../lib/core/work/time-slot.ts';
import type { BucketCounters } from '../../lib/events/domain/analytics/analytics.ts';
import { sumCounters } from '../../lib/events/domain/analytics/sum.ts';
import type { DeliveryState } from '../../lib/events/domain/deliveries/delivery.ts';
import { createJoinedEventStore } from '../../lib/events/pipeline/outcomes-of-batches.ts';
import { type BucketKey, type CounterStore, GRAIN_MS } from '../../lib/events/ports/counter-store.ts';
import { listEvents, SLUGS } from '../../lib/events/routes/events.ts';
import { type EmulatedTables, openModelledTables } from '../conformance/stores/emulated-table.ts';
import { type ApiHost, bodyOf, MINE, NOW, openApi } from '../contract/api-host.ts';
import { countAt, storeTogether } from '../contract/counted-rows.ts';
import { connectionOf, deliveryIn, normalizedRow } from '../contract/stored-rows.ts';
import { createMemoryOrderStore } from '../support/memory/order-store.ts';
import { createDynamoMeter, type DynamoMeter } from '../support/metering/dynamodb-metering.ts';

const PER_MINUTE = 600;
const BATCH = 100;
const PLATFORMS = ['meta', 'ga4', 'tiktok'];
/** The minutes in which something failed, one event in each. */
const TROUBLE_MS = [NOW - 3 * HOUR_MS, NOW - 20 * DAY_MS].map((atMs) => floorTo(atMs, 10 * MINUTE_MS));
/** Older ones, a week apart, in each of which one event was refused with a code of its own. */
const ODD_MS = Array.from({ length: 8 }, (_, i) => floorTo(NOW - (32 + 7 * i) * DAY_MS, 10 * MINUTE_MS));
const DAYS = 90;

let tables: EmulatedTables;
let meter: DynamoMeter;
let host: ApiHost;
let begunAt = 0;

beforeAll(async () => {
  tables = await openModelledTables(['events', 'batches', 'analytics']);
  meter = createDynamoMeter();
  meter.attach(tables.db, 'list');
  const { db, nameOf } = tables;
  const events = createEventStore(db, nameOf('events'));
  const batches = createBatchStore(db, nameOf('batches'));
  const counters = createCounterStore(db, nameOf('analytics'));
  const orders = createMemoryOrderStore();
  host = await openApi(() => ({
    events: createJoinedEventStore(events, batches),
    stored: { events, batches, orders },
    counters,
    units: {
      // As AWS says it with each answer; the emulator leaves out what an index consumes.
      meter: {
        measured: async (work) => {
          begunAt = meter.usage().readUnits;
          return await work();
        },
        add: () => undefined,
        consumed: () => ({ read: meter.usage().readUnits - begunAt, write: 0 }),
      },
      waitSec: () => null,
      spend: async () => undefined,
    },
  }));
  for (const platform of PLATFORMS) await connectionOf(host, platform);
  for (const atMs of [...TROUBLE_MS, ...ODD_MS]) {
    for (let at = 0; at < PER_MINUTE; at += BATCH)
      await storeTogether(
        { events, batches },
        Array.from({ length: BATCH }, (_, i) => rowAt(atMs, at + i)),
        `batch-${String(at / BATCH).padStart(2, '0')}`,
      );
    const { clock, platforms } = host.ports;
    await countAt(atMs, 0, { events, batches, orders, counters, clock, platforms });
  }
  await countRest(counters);
});
afterAll(() => tables.close());

function rowAt(atMs: number, i: number) {
  const fate = (state: DeliveryState, reason?: string) =>
    deliveryIn(state as 'FAILED', reason === undefined ? {} : { reason });
  const isOdd = ODD_MS.includes(atMs);
  return normalizedRow({
    eventId: `${atMs}-${String(i).padStart(28, '0')}`,
    receivedAtMs: atMs + i * 100,
    event: { name: i % 50 === 0 ? 'Purchase' : 'PageView' },
    deliveries: {
      meta: i === 317 ? fate('FAILED', isOdd ? 'meta.7' : 'meta.190') : fate('DELIVERED'),
      ga4: fate('DELIVERED'),
      // One in five.
      tiktok: i % 5 === 2 ? fate('SKIPPED', 'invalid:user_data') : fate('DELIVERED'),
    },
  });
}

/** Everything else of the month went well: it is in the counters, and no list has to look at its rows. */
async function countRest(counters: CounterStore): Promise<void> {
  const month = floorTo(NOW - DAYS * DAY_MS, DAY_MS);
  const spans: [BucketKey['grain'], number, number][] = [['day', month, NOW + 1]];
  for (const atMs of new Set([...TROUBLE_MS, ...ODD_MS, NOW].map((atMs) => floorTo(atMs, DAY_MS))))
    spans.push(['hour', atMs, Math.min(atMs + DAY_MS, NOW + 1)]);
  for (const atMs of new Set([...TROUBLE_MS, ...ODD_MS, NOW].map((atMs) => floorTo(atMs, HOUR_MS))))
    spans.push(['minute', atMs, Math.min(atMs + HOUR_MS, NOW - 10 * MINUTE_MS)]);
  for (const [grain, fromMs, toMs] of spans) {
    const counted = await counters.range(MINE, grain, fromMs, toMs);
    const byStart = new Map(counted.map((row) => [row.key.startMs, row]));
    const minutes = GRAIN_MS[grain] / MINUTE_MS;
    for (let startMs = fromMs; startMs < toMs; startMs += GRAIN_MS[grain]) {
      const row = byStart.get(startMs);
      const rest = wellOf((minutes - (row === undefined ? 0 : 1)) * PER_MINUTE);
      if (row !== undefined && grain === 'minute') continue;
      const key = { merchantId: MINE, grain, startMs };
      const foldedAtMs = startMs + GRAIN_MS[grain] + HOUR_MS;
      await counters.write({
        ...{ key, foldedAtMs, version: (row?.version ?? 0) + 1 },
        counters: sumCounters([rest, ...(row === undefined ? [] : [row.counters])]),
      });
    }
  }
}

/** All taken by every platform but a fifth at TikTok, one in fifty a purchase. */
function wellOf(events: number): BucketCounters {
  const byName = { PageView: events - events / 50, Purchase: events / 50 };
  const all = (word: string) =>
    Object.fromEntries(Object.entries(byName).map(([name, count]) => [name, { [word]: count }]));
  const skipped = events / 5;
  const atTiktok = {
    ...all('DELIVERED'),
    PageView: { DELIVERED: byName.PageView - skipped, SKIPPED: skipped },
  };
  return {
    ...sumCounters([]),
    ...{ events, byName, bySource: { server: events } },
    deliveries: {
      ...Object.fromEntries(
        SLUGS.map((slug) => [slug, all(PLATFORMS.includes(slug) ? 'DELIVERED' : 'not_connected')]),
      ),
      tiktok: atTiktok,
    },
    codes: { tiktok: { 'invalid:user_data': skipped } },
    latency: { count: 3 * events, sumMs: 3_000 * events },
  };
}

async function page(query: Readonly<Record<string, string>>) {
  const before = meter.usage().readUnits;
  const url = `/v1/events?${new URLSearchParams(query)}`;
  const body = bodyOf(listEvents, await host.call(url, { token: host.session('member') }));
  return { body, units: meter.usage().readUnits - before };
}

it('reads about what it shows of what is frequent, and says how many there are', async () => {
  const [startMs = 0] = TROUBLE_MS;
  const range = { start: String(startMs), end: String(startMs + 10 * MINUTE_MS) };
  const { body, units } = await page({ event_name: 'Purchase', limit: '8', orderDirection: 'asc', ...range });
  expect([body.events.length, body.total, body.total_is_exact]).toEqual([8, 10 * 12, true]);
  expect(body.next_cursor).not.toBeNull();
  expect(units).toBeLessThanOrEqual(60);
});

it.each<[string, Record<string, string>]>([
  ['a name', { event_name: 'PageView' }],
  ['what was delivered', { status: 'delivered' }],
  ['what one platform took', { outcome: 'delivered', platform: 'meta' }],
  ['a source', { source: 'server' }],
])('reads at most 60 units for a whole page of %s, and for the next', async (_, query) => {
  const [startMs = 0] = TROUBLE_MS;
  const range = { start: String(startMs), end: String(startMs + 10 * MINUTE_MS), limit: '50' };
  const first = await page({ ...query, ...range });
  const next = await page({ ...query, ...range, cursor: first.body.next_cursor ?? '' });
  expect([first.body.events.length, next.body.events.length]).toEqual([50, 50]);
  expect([first.units, next.units].map((units) => (units <= 60 ? '' : units))).toEqual(['', '']);
});

it.each<[string, Record<string, string>, number]>([
  ['what failed', { status: 'FAILED' }, 2],
  ['what failed at one platform', { outcome: 'failed', platform: 'meta' }, 2],
  ['what failed where nothing did', { outcome: 'failed', platform: 'ga4' }, 0],
  ['a name that never came', { event_name: 'Lead' }, 0],
])('reads at most 60 units for %s in a month of 26 million events', async (_, query, found) => {
  const { body, units } = await page(query);
  expect([body.events.length, body.total, body.total_is_exact, body.next_cursor]).toEqual([
    found,
    found,
    true,
    null,
  ]);

  expect(units).toBeLessThanOrEqual(60);
});

const since = { start: String(NOW - (DAYS - 1) * DAY_MS) };

/** Follows the cursors. */
async function pages(query: Readonly<Record<string, string>>) {
  const found: string[] = [];
  const units: number[] = [];
  const { body: first } = await page(query);
  for (let cursor: string | null = ''; cursor !== null; ) {
    const one = await page({ ...query, ...(cursor === '' ? {} : { cursor }) });
    found.push(...one.body.events.map(({ event_id }) => event_id));
    units.push(one.units);
    cursor = one.body.next_cursor;
  }
  return { found, units, total: first.total };
}

const oddId = (atMs: number): string => `${atMs}-${'317'.padStart(28, '0')}`;

it.each<[string, Record<string, string>, readonly number[]]>([
  ['rare', { code: '190', platform: 'meta' }, TROUBLE_MS],
  ['rare, wherever it was,', { code: 'meta.190' }, TROUBLE_MS],
  ['scattered', { code: '7', platform: 'meta' }, ODD_MS],
  [
    'scattered, the oldest first,',
    { code: '7', platform: 'meta', orderDirection: 'asc' },
    ODD_MS.toReversed(),
  ],
  ['that is not there', { code: 'no_such_code' }, []],
  ['of another platform', { code: 'meta.190', platform: 'ga4' }, []],
  ['that nothing was withheld for', { code: 'consent_denied' }, []],
  ['that is frequent there, of a rare name,', { code: 'invalid', event_name: 'Lead' }, []],
])(
  'reads at most 60 units for each page of a code %s in 90 days of 78 million events',
  async (_, query, at) => {
    const { found, units, total } = await pages({ ...query, ...since });
    expect(found).toEqual(at.map(oddId));
    expect(units.filter((one) => one > 60)).toEqual([]);
    if (query.platform !== undefined) expect(total).toBe(at.length);
    if (at.length === 0) expect(units).toHaveLength(1);
  },
);

it('reads at most 60 units for each page of a frequent code, and says how many there are', async () => {
  const [startMs = 0] = TROUBLE_MS;
  const query = { code: 'invalid', platform: 'tiktok', limit: '50', orderDirection: 'asc' };
  const range = { start: String(startMs), end: String(startMs + 10 * MINUTE_MS) };
  const first = await page({ ...query, ...range });
  expect([first.body.events.length > 20, first.body.total]).toEqual([true, 10 * 120]);
  const next = await page({ ...query, ...range, cursor: first.body.next_cursor ?? '' });
  expect([first.units, next.units].map((units) => (units <= 60 ? '' : units))).toEqual(['', '']);
  const all = await page({ code: 'invalid', ...since });
  expect(all.units).toBeLessThanOrEqual(60);
});
