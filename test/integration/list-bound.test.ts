// Goal: no page of a list reads more than 60 units, whatever it is filtered by and wherever the matches lie, and its cursors lead
// to each match once. Matches are one in thousands: in a minute of very many events, a day that was never counted, and minutes all
// over 90 days.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from '../../lib/core/work/time-slot.ts';
import type { BucketCounters } from '../../lib/events/domain/analytics/analytics.ts';
import { sumCounters } from '../../lib/events/domain/analytics/sum.ts';
import type { BucketKey } from '../../lib/events/ports/counter-store.ts';
import { listDeliveries } from '../../lib/events/routes/deliveries.ts';
import { listEvents, SLUGS } from '../../lib/events/routes/events.ts';
import { bodyOf, NOW } from '../contract/api-host.ts';
import { countAt, countRest, storeTogether } from '../contract/counted-rows.ts';
import { type MeteredApi, openMeteredApi } from '../contract/metered-api.ts';
import { connectionOf, deliveryIn, normalizedRow, store } from '../contract/stored-rows.ts';

const PLATFORMS = ['meta', 'ga4', 'tiktok'];
const BATCH = 100;
const DAYS = 90;
const UNITS_MAX = 60;
const DENSE = 3_000;
const UNCOUNTED = 400;
const DENSE_MS = floorTo(NOW - 3 * HOUR_MS, HOUR_MS) + 20 * MINUTE_MS;
const UNCOUNTED_MS = floorTo(NOW - 2 * DAY_MS, DAY_MS);
const SCATTERED_MS = Array.from({ length: 8 }, (_, i) => floorTo(NOW - (5 + 10 * i) * DAY_MS, HOUR_MS));
const FEW = 40;

let api: MeteredApi;

const idOf = (atMs: number, i: number) => `${atMs}-${String(i).padStart(6, '0')}`;
const oddOf = (count: number) => Array.from({ length: count }, (_, i) => i).filter((i) => i % 1_400 === 17);

function rowAt(atMs: number, i: number, stepMs: number) {
  const isOdd = i % 1_400 === 17;
  return normalizedRow({
    eventId: isOdd ? `odd-${idOf(atMs, i)}` : idOf(atMs, i),
    receivedAtMs: atMs + Math.floor(i * stepMs),
    event: {
      ...{ name: isOdd ? 'Lead' : 'PageView', source: isOdd ? 'app' : 'server' },
      ...(isOdd ? { orderId: `order-${atMs}-${i}` } : {}),
    },
    deliveries: {
      meta: deliveryIn(isOdd ? 'FAILED' : 'DELIVERED', isOdd ? { reason: 'meta.190' } : {}),
      ga4: deliveryIn('DELIVERED'),
      tiktok: deliveryIn('DELIVERED'),
    },
  });
}

const ODD_OF_DENSE = oddOf(DENSE).length;
/** Newest first. */
const ODD = [
  ...oddOf(DENSE)
    .map((i) => [DENSE_MS, i] as const)
    .reverse(),
  ...oddOf(UNCOUNTED)
    .map((i) => [UNCOUNTED_MS, i] as const)
    .reverse(),
  ...SCATTERED_MS.map((atMs) => [atMs, 17] as const),
].map(([atMs, i]) => `odd-${idOf(atMs, i)}`);

beforeAll(async () => {
  api = await openMeteredApi();
  const { host, stores } = api;
  for (const platform of PLATFORMS) await connectionOf(host, platform);
  for (const [atMs, rows] of [[DENSE_MS, DENSE], ...SCATTERED_MS.map((one) => [one, FEW])] as const) {
    for (let at = 0; at < (rows ?? 0); at += BATCH) {
      const size = Math.min(BATCH, (rows ?? 0) - at);
      const some = Array.from({ length: size }, (_, i) => rowAt(atMs ?? 0, at + i, MINUTE_MS / (rows ?? 1)));
      await storeTogether(stores, some, `batch${String(at / BATCH).padStart(3, '0')}`);
    }
    await countAt(atMs ?? 0, 0, stores);
  }
  for (let i = 0; i < UNCOUNTED; i++) await store(stores.events, rowAt(UNCOUNTED_MS, i, MINUTE_MS));
  await countRest(stores.counters, DAYS, [DENSE_MS, ...SCATTERED_MS], restOf);
}, 120_000);
afterAll(() => api.close());

/** Well but for one platform, which failed in every other hour, and a source that sent in the others. */
function restOf(minutes: number, { startMs, grain }: BucketKey): BucketCounters | null {
  if (grain === 'day' && startMs === UNCOUNTED_MS) return null;
  const events = minutes * 10;
  const isEven = (startMs / HOUR_MS) % 2 === 0;
  const failed = grain === 'day' ? minutes / 2 : isEven ? minutes : 0;
  const byTill = grain === 'day' ? minutes / 2 : isEven ? 0 : minutes;
  const all = Object.fromEntries(
    SLUGS.map((slug) => [
      slug,
      { PageView: PLATFORMS.includes(slug) ? { DELIVERED: events } : { not_connected: events } },
    ]),
  );
  const atGa4 = { PageView: { DELIVERED: events - failed, FAILED: failed } };
  return {
    ...sumCounters([]),
    ...{ events, byName: { PageView: events }, bySource: { server: events - byTill, till: byTill } },
    deliveries: { ...all, ga4: atGa4 },
    codes: { ga4: { 'ga4.500': failed } },
  };
}

const since = { start: String(NOW - (DAYS - 1) * DAY_MS) };
type Query = Readonly<Record<string, string>>;

/** Follows the cursors. `already`: units that each request has read before. */
async function walk(query: Query, already = 0) {
  const found: string[] = [];
  const units: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const asked = { ...since, ...query, ...(cursor === '' ? {} : { cursor }) };
    const one = await api.ask(listEvents, asked, already);
    const body = bodyOf(listEvents, one.answer);
    found.push(...body.events.map(({ event_id }) => event_id));
    units.push(one.units);
    cursor = body.next_cursor;
    const isShort = body.events.length < body.limit;
    expect(body.searched_until !== undefined).toBe(isShort && cursor !== null);
    if (cursor === null && !body.total_is_exact) expect(body.total).toBeLessThanOrEqual(found.length);
  }
  return { found, over: units.filter((one) => one > UNITS_MAX) };
}

it.each<[string, Query, readonly string[]]>([
  ['status', { status: 'FAILED', platform: 'meta' }, ODD],
  [
    'status, the oldest first',
    { status: 'FAILED', platform: 'meta', orderDirection: 'asc' },
    ODD.toReversed(),
  ],
  ['source', { source: 'app' }, ODD],
  ['search', { search: 'odd-', start: String(DENSE_MS - HOUR_MS) }, ODD.slice(0, ODD_OF_DENSE)],
  ['what days hold and no hour does', { source: 'till', platform: 'ga4', status: 'FAILED' }, []],
])(
  '%s: each page reads at most 60 units, and together they show each match once',
  async (_, query, expected) => {
    const { found, over } = await walk(query);
    expect(over).toEqual([]);
    expect(found).toEqual(expected);
  },
);

/** Each of them is true of the same events. */
const RARE = {
  status: 'FAILED',
  outcome: 'failed',
  event_name: 'Lead',
  source: 'app',
  code: 'meta.190',
  search: 'odd-',
} as const;

it('together pages show each match once, in order, whatever is asked for and however early they end', async () => {
  const asked = fc.record({
    by: fc.subarray(Object.keys(RARE) as (keyof typeof RARE)[], { minLength: 1 }),
    orderDirection: fc.constantFrom('asc', 'desc'),
    limit: fc.integer({ min: 1, max: 100 }),
    already: fc.integer({ min: 0, max: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ by, orderDirection, limit, already }) => {
      const rare = Object.fromEntries(by.map((name) => [name, RARE[name]]));
      const query = { ...rare, platform: 'meta', orderDirection, limit: String(limit) };
      const { found, over } = await walk(query, already);
      expect(over).toEqual([]);
      expect(found).toEqual(orderDirection === 'desc' ? ODD : ODD.toReversed());
    }),
    { numRuns: 6 },
  );
}, 120_000);

it('reads at most 60 units for the first page of all events, and says about how many there are', async () => {
  const { answer, units } = await api.ask(listEvents, since);
  const body = bodyOf(listEvents, answer);
  expect([body.events.length, body.total_is_exact]).toEqual([50, false]);
  expect(body.total).toBeGreaterThan(1_000_000);
  expect(units).toBeLessThanOrEqual(UNITS_MAX);
  const large = await api.ask(listEvents, { ...since, limit: '100' });
  expect(bodyOf(listEvents, large.answer).events.length).toBeGreaterThan(80);
  expect(large.units).toBeLessThanOrEqual(UNITS_MAX);
});

it('answers an offset in full, at the price of what it skips', async () => {
  const shown = async (query: Query) => {
    const { answer } = await api.ask(listEvents, { ...since, ...query });
    return bodyOf(listEvents, answer);
  };
  const { next_cursor: second } = await shown({ limit: '100' });
  const { events } = await shown({ limit: '100', cursor: String(second) });
  expect((await shown({ limit: '20', offset: '130' })).events).toEqual(events.slice(30, 50));
  expect((await shown({ offset: '2500' })).events).toHaveLength(50);
  const rare = await shown({ offset: '2', event_name: 'Lead' });
  expect([rare.events.map(({ event_id }) => event_id), rare.next_cursor]).toEqual([ODD.slice(2), null]);
});

it('shows a whole page of events that came alone, whose outcomes cost units of their own', async () => {
  const other = await openMeteredApi();
  try {
    for (const platform of PLATFORMS) await connectionOf(other.host, platform);
    const atMs = floorTo(NOW - 2 * HOUR_MS, HOUR_MS);
    for (let i = 0; i < 60; i++)
      await storeTogether(other.stores, [rowAt(atMs, 100 + i, 500)], `alone${String(i).padStart(3, '0')}`);
    await countAt(atMs, 0, other.stores);
    for (const query of [
      {},
      { platform: 'meta', status: 'DELIVERED' },
      { source: 'server' },
    ] satisfies Query[]) {
      const { answer } = await other.ask(listEvents, { ...since, ...query });
      const body = bodyOf(listEvents, answer);
      expect([body.events.length, body.searched_until]).toEqual([50, undefined]);
    }
    // What every request reads, of its person and connections, may be more than a page.
    const late = await other.ask(listEvents, { ...since, source: 'server' }, 100);
    expect(bodyOf(listEvents, late.answer).events).toHaveLength(50);
    const none = bodyOf(listEvents, (await other.ask(listEvents, { ...since, source: 'app' })).answer);
    expect([none.events, none.next_cursor]).toEqual([[], null]);
    const { answer } = await other.ask(listDeliveries, { ...since, platform: 'meta' });
    expect(bodyOf(listDeliveries, answer).deliveries).toHaveLength(50);
  } finally {
    await other.close();
  }
}, 120_000);

it('lists deliveries with at most 60 units a page, each once', async () => {
  const found: string[] = [];
  const units: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = { ...since, reason: 'meta.190', ...(cursor === '' ? {} : { cursor }) };
    const one = await api.ask(listDeliveries, query);
    const body = bodyOf(listDeliveries, one.answer);
    found.push(...body.deliveries.map(({ event_id }) => event_id));
    units.push(one.units);
    cursor = body.next_cursor;
    expect(body.searched_until !== undefined).toBe(cursor !== null);
  }
  expect(units.filter((one) => one > UNITS_MAX)).toEqual([]);
  expect(found).toEqual(ODD);
});
