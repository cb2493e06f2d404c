import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { endedIncident, foundIncident } from '#lib/events/domain/connections/incident.ts';
import { EVENT_NAMES } from '#lib/events/domain/event/names.ts';
import type { RefusalName } from '#lib/events/domain/event/refusal.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { getCoverage, getOverview, getVolume } from '#lib/events/routes/analytics/analytics.ts';
import { RANGES } from '#lib/events/routes/analytics/range.ts';
import { type ApiHost, bodyOf, MINE, NOW, openApi, THEIRS } from '#test/contract/api-host.ts';
import { connectionOf, count, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { testMerchant } from '#test/support/ingestion.ts';

const TODAY = floorTo(NOW, DAY_MS);
const THIS_HOUR = floorTo(NOW, HOUR_MS);
let host: ApiHost;
let token = '';
beforeEach(async () => {
  host = await openApi();
  token = host.session('member');
});
const iso = (ms: number): string => new Date(ms).toISOString();
const BROWSER_LIMIT = { events_per_minute: 1_200, reached_at: iso(NOW - MINUTE_MS) };
const NO_DATA = ['delivery_rate', 'health_score', 'revenue_tracked', 'avg_latency_ms'];
const get = (name: string, range?: string) =>
  host.call(`/v1/analytics/${name}${range === undefined ? '' : `?range=${range}`}`, { token });
const overview = async (range?: string) => bodyOf(getOverview, await get('overview', range));
const volume = async (range?: string) => bodyOf(getVolume, await get('volume', range));
const coverage = async (range?: string) => bodyOf(getCoverage, await get('coverage', range));
const connect = (platform: string) => connectionOf(host, platform);

describe('overview', () => {
  it('has every figure of the contract, all zero, for a merchant without events', async () => {
    const nothing = { delivered: 0, waiting: 0, failed: 0, withheld: 0 };
    const steps = ['create_api_key', 'connect_platform', 'send_first_event'];
    for (const range of RANGES) {
      expect(await overview(range)).toEqual({
        browser_limit: BROWSER_LIMIT,
        success: true,
        range,
        time_zone: 'UTC',
        events_24h: 0,
        delivery_rate: 0,
        health_score: 0,
        active_platforms: 0,
        revenue_tracked: 0,
        avg_latency_ms: 0,
        start: expect.any(String),
        end: iso(NOW),
        deltas: {},
        platforms: PLATFORMS.map(({ slug }) => ({ platform: slug, ...nothing })),
        connections: [],
        next_steps: steps.map((code) => expect.objectContaining({ code }) as unknown),
        events: 0,
        bots: 0,
        delivered: 0,
        undelivered: 0,
        waiting: 0,
        due: 0,
        without_data: NO_DATA,
        revenue_currency: null,
        revenue_not_included: [],
        revenue_by_currency: {},
        refused: { total: 0, by_reason: [] },
      });
    }
  });

  it('has what was refused on the days of the range by reason, the most frequent first, and nobody else’s', async () => {
    const { refusals } = host;
    await refusals.add(MINE, TODAY - 7 * DAY_MS, 0, new Map([['forbidden', 50]]));
    await refusals.add(MINE, TODAY - 6 * DAY_MS, 1, new Map([['rate_limited', 2]]));
    const today = { '.event_time': 4, invalid_request: 1, duplicate_event: 1 };
    for (const shard of [0, 3])
      await refusals.add(MINE, TODAY, shard, new Map(Object.entries(today) as [RefusalName, number][]));
    await refusals.add(THEIRS, TODAY, 0, new Map([['merchant_mismatch', 1_000]]));
    expect((await overview('7d')).refused).toEqual({
      total: 14,
      by_reason: [
        { reason: 'invalid_request', field: 'event_time', count: 8 },
        { reason: 'duplicate_event', count: 2 },
        { reason: 'invalid_request', count: 2 },
        { reason: 'rate_limited', count: 2 },
      ],
    });
    expect((await overview('90d')).refused.total).toBe(64);
    // A span that begins and ends within a day has that day whole.
    const [start, end] = [iso(TODAY - 6 * DAY_MS + HOUR_MS), iso(TODAY - 5 * DAY_MS)];
    const { body } = await host.call(`/v1/analytics/overview?start=${start}&end=${end}`, { token });
    expect(body).toMatchObject({ refused: { total: 2 } });
  });

  it('has no delta of a health score that had no past, and one as soon as it had', async () => {
    await connect('meta');
    const deliveries = { meta: { Purchase: { DELIVERED: 9, SKIPPED: 90, FAILED: 1 } } };
    await count(host.counters, 'day', TODAY - DAY_MS, { events: 10, deliveries });
    const first = await overview('7d');
    // What we did not send is nobody's failure.
    expect(first).toMatchObject({ delivery_rate: 0.9, delivered: 9, undelivered: 1 });
    expect(first.health_score).toBeGreaterThan(0);
    expect(first.deltas).not.toHaveProperty('health_score');
    await count(host.counters, 'day', TODAY - 8 * DAY_MS, { events: 1 });
    expect((await overview('7d')).deltas).toHaveProperty('health_score');
  });

  it('sums the range and compares it with the one before', async () => {
    await connect('meta');
    const connection = await connect('tiktok');
    await host.config.pauseConnection(connection, 'auth', NOW);
    await count(host.counters, 'day', TODAY - 2 * DAY_MS, {
      events: 10,
      bots: 1,
      deliveries: { meta: { Purchase: { DELIVERED: 8, FAILED: 1, ERROR: 1, not_connected: 7 } } },
      latency: { count: 8, sumMs: 4_000 },
      revenue: { EUR: { orders: 3, minor: '3005' }, USD: { orders: 1, minor: '999999' } },
    });
    await count(host.counters, 'hour', THIS_HOUR - HOUR_MS, {
      events: 5,
      revenue: { EUR: { orders: 1, minor: '1000' } },
    });
    await count(host.counters, 'minute', NOW - (NOW % MINUTE_MS), { events: 2 });
    await count(host.counters, 'day', TODAY - 9 * DAY_MS, {
      events: 4,
      deliveries: { meta: { Purchase: { DELIVERED: 1, FAILED: 1 } } },
      latency: { count: 1, sumMs: 900 },
      revenue: { EUR: { orders: 1, minor: '1005' } },
    });
    await count(host.counters, 'day', TODAY - 2 * DAY_MS, { events: 1_000 }, THEIRS);
    const body = await overview('7d');
    expect(body).toMatchObject({
      range: '7d',
      events_24h: 7,
      events: 17,
      bots: 1,
      delivered: 8,
      undelivered: 2,
      delivery_rate: 0.8,
      active_platforms: 1,
      avg_latency_ms: 500,
      revenue_tracked: 40.05,
      revenue_currency: 'EUR',
      revenue_by_currency: { EUR: { orders: 4, amount: 40.05 }, USD: { orders: 1, amount: 9999.99 } },
      browser_limit: BROWSER_LIMIT,
    });
    // Nothing came in the day before.
    expect(body.deltas).not.toHaveProperty('events_24h');
    expect(body.deltas).toMatchObject({ delivery_rate: 0.3, revenue_tracked: 30, avg_latency_ms: -400 });
    // 50 x 0.8 + 20 x 0 + 15 x 1 + 15 x 0.5; before it, with half of the deliveries: 50 x 0.5.
    expect([body.health_score, body.deltas.health_score]).toEqual([62.5, 15]);
  });

  it('counts what waits to be sent again as due, and not what has not had its turn', async () => {
    await connect('meta');
    const states = { DELIVERED: 6, ERROR: 1, RETRY: 3, QUEUED: 4, SENDING: 1, SKIPPED: 9 };
    const deliveries = { meta: { Purchase: states } };
    await count(host.counters, 'hour', THIS_HOUR - 5 * HOUR_MS, { events: 10, deliveries });
    const { delivery_rate, delivered, undelivered, waiting, due } = await overview('24h');
    expect([delivery_rate, delivered, undelivered, waiting, due]).toEqual([0.6, 6, 1, 8, 10]);
  });

  it('has no health, and says so, where nothing came: not that of connections nobody used', async () => {
    await connect('meta');
    await count(host.counters, 'hour', THIS_HOUR - HOUR_MS, {
      events: 3,
      deliveries: { meta: { Purchase: { DELIVERED: 3 } } },
      latency: { count: 3, sumMs: 3 },
    });
    const [start, end] = [iso(THIS_HOUR - 3 * HOUR_MS), iso(THIS_HOUR - 2 * HOUR_MS)];
    const reply = await host.call(`/v1/analytics/overview?start=${start}&end=${end}`, { token });
    const body = bodyOf(getOverview, reply);
    expect(body).toMatchObject({ events: 0, health_score: 0, delivery_rate: 0, deltas: {} });
    expect(body.without_data).toEqual(NO_DATA);
    const { without_data, health_score } = await overview('24h');
    expect([without_data, health_score > 0]).toEqual([[], true]);
  });

  it('names each connection that takes no events, though others do', async () => {
    await count(host.counters, 'hour', THIS_HOUR - HOUR_MS, { events: 3 });
    await connect('meta');
    const x = await connect('x');
    const klaviyo = await connect('klaviyo');
    const reddit = await connect('reddit');
    expect((await overview('24h')).next_steps).toEqual([]);
    await host.config.pauseConnection(x, 'auth', NOW);
    await host.config.setCircuit(klaviyo, { openedAtMs: NOW, probes: 0, nextProbeAtMs: NOW + 1 }, NOW);
    await host.config.pauseConnection(reddit, 'manual', NOW);
    expect((await overview('24h')).next_steps).toEqual([
      {
        code: 'repair_connection',
        text:
          'Renew the credentials of X (x): they are refused, and events wait. ' +
          'No good answer comes from Klaviyo (klaviyo): events wait until one does. ' +
          'Resume Reddit (reddit): while a connection is paused, its events wait.',
      },
    ]);
  });

  it('says what is soon too late and which limit is near, while it is', async () => {
    await count(host.counters, 'hour', THIS_HOUR - HOUR_MS, { events: 3 });
    await connect('meta');
    const about = { merchantId: MINE, sinceMs: NOW, facts: {} } as const;
    const window = foundIncident(null, { ...about, kind: 'window', subject: 'meta#2' }, NOW);
    const limit = foundIncident(null, { ...about, kind: 'limit', subject: 'browser_events' }, NOW);
    for (const one of [window, limit]) await host.incidents.writeIncident(one, 0);
    const steps = async () =>
      (await overview('24h')).next_steps.toSorted((a, b) => a.code.localeCompare(b.code));
    expect(await steps()).toEqual([
      {
        code: 'closing_window',
        text: expect.stringMatching(/^Meta will soon be too late for events that wait for it\. Put/),
      },
      { code: 'near_limit', text: expect.stringMatching(/^Events from browsers are near the limit/) },
    ]);
    for (const one of [window, limit]) await host.incidents.writeIncident(endedIncident(one, NOW), 1);
    expect(await steps()).toEqual([]);
  });

  it('takes 7d where no range is given', async () => {
    expect((await overview()).range).toBe('7d');
  });
});

describe('volume', () => {
  it('has 24 hours, the running one last', async () => {
    await count(host.counters, 'hour', THIS_HOUR - 23 * HOUR_MS, { events: 3, bots: 1 });
    await count(host.counters, 'hour', THIS_HOUR - 24 * HOUR_MS, { events: 100 });
    await count(host.counters, 'minute', THIS_HOUR + 5 * MINUTE_MS, {
      events: 2,
      deliveries: { meta: { Lead: { DELIVERED: 2, ERROR: 1 } } },
    });
    const { interval, total, points } = await volume('24h');
    expect([interval, total, points.length]).toEqual(['hour', 5, 24]);
    const [first, last] = [iso(THIS_HOUR - 23 * HOUR_MS), iso(THIS_HOUR)];
    expect(points[0]).toEqual({ start: first, events: 3, bots: 1, delivered: 0, undelivered: 0 });
    expect(points[23]).toEqual({ start: last, events: 2, bots: 0, delivered: 2, undelivered: 1 });
  });

  it.each([
    ['7d', 7],
    ['30d', 30],
    ['90d', 90],
  ])('has one point per UTC day for %s', async (range, days) => {
    await count(host.counters, 'day', TODAY - (days - 1) * DAY_MS, { events: 1 });
    await count(host.counters, 'day', TODAY - days * DAY_MS, { events: 50 });
    // Yesterday has no day row yet: its hours stand for it.
    await count(host.counters, 'hour', TODAY - HOUR_MS, { events: 5 });
    await count(host.counters, 'hour', TODAY, { events: 6 });
    await count(host.counters, 'minute', THIS_HOUR, { events: 7 });
    const { interval, total, points } = await volume(range);
    expect([interval, total, points.length]).toEqual(['day', 19, days]);
    expect(points.map(({ start }) => start)).toEqual(
      Array.from({ length: days }, (_, i) => iso(TODAY - (days - 1 - i) * DAY_MS)),
    );
    expect([points[0], points.at(-2), points.at(-1)].map((point) => point?.events)).toEqual([1, 5, 13]);
  });
});

describe('days of the merchant', () => {
  const shopIn = (timeZone: string) =>
    host.config.putMerchant({ ...testMerchant(), merchantId: MINE, timeZone });
  const two = (at: number) => [at - HOUR_MS, at].map((ms) => iso(ms));

  it('are those of its time zone, and the answer says which', async () => {
    await shopIn('Europe/Berlin');
    // 23 o'clock UTC is the next day there.
    for (const hour of [22, 23])
      await count(host.counters, 'hour', TODAY - DAY_MS + hour * HOUR_MS, {
        events: hour,
        revenue: { EUR: { orders: 1, minor: String(hour) } },
      });
    const { points, time_zone, interval } = await volume('7d');
    expect([time_zone, interval, points.length]).toEqual(['Europe/Berlin', 'day', 7]);
    expect(points.slice(-2).map(({ start, events }) => [start, events])).toEqual([
      [iso(TODAY - DAY_MS - HOUR_MS), 22],
      [iso(TODAY - HOUR_MS), 23],
    ]);
    const figures = await overview('7d');
    expect([figures.time_zone, figures.start, figures.revenue_tracked]).toEqual([
      'Europe/Berlin',
      iso(TODAY - 6 * DAY_MS - HOUR_MS),
      0.45,
    ]);
  });

  it('are another zone’s where it is asked for', async () => {
    await shopIn('Europe/Berlin');
    const { points, time_zone } = bodyOf(getVolume, await get('volume', '7d&time_zone=Asia/Kolkata'));
    expect([time_zone, points.at(-1)?.start]).toEqual(['Asia/Kolkata', iso(TODAY - 5.5 * HOUR_MS)]);
  });

  it.each(['Mars/Phobos', '+02:00', ''])('%j is no zone, and is refused in words', async (zone) => {
    const reply = await get('overview', `7d&time_zone=${encodeURIComponent(zone)}`);
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([
      400,
      expect.stringContaining('must be the name of a time zone, such as Europe/Berlin'),
    ]);
  });

  it('begin lists, too', async () => {
    await shopIn('Europe/Berlin');
    const day = iso(TODAY).slice(0, 10);
    const [before, after] = two(TODAY);
    for (const [eventId, atMs] of [
      ['before', TODAY - HOUR_MS - 1],
      ['in', TODAY - HOUR_MS],
    ] as const)
      await store(host.events, normalizedRow({ eventId, merchantId: MINE, receivedAtMs: atMs }));
    for (const list of ['events', 'orders']) {
      const ids = async (start: string) =>
        JSON.stringify((await host.call(`/v1/${list}?start=${start}`, { token })).body).match(
          /"(before|in)"/g,
        );
      expect([list, new Set(await ids(day))]).toEqual([list, new Set(['"in"'])]);
      expect([list, new Set(await ids(after ?? ''))]).toEqual([list, new Set()]);
      expect([list, new Set(await ids(before ?? ''))]).toEqual([list, new Set(['"in"'])]);
    }
  });
});

describe('coverage', () => {
  it('is event names by platforms, filled with zeros', async () => {
    const { event_names, platforms, matrix, cells } = await coverage();
    expect(event_names).toEqual(EVENT_NAMES);
    expect(platforms).toEqual(PLATFORMS.map(({ slug }) => slug));
    expect(matrix).toEqual(EVENT_NAMES.map(() => PLATFORMS.map(() => 0)));
    expect(cells).toEqual([]);
  });

  it('counts deliveries, and keeps what else happened beside them', async () => {
    await count(host.counters, 'day', TODAY - DAY_MS, {
      deliveries: {
        meta: { Purchase: { DELIVERED: 2, FAILED: 1 } },
        ga4: { PageView: { unmapped: 4 } },
        gone: { Purchase: { DELIVERED: 9 } },
      },
    });
    await count(host.counters, 'minute', THIS_HOUR, { deliveries: { meta: { Purchase: { DELIVERED: 3 } } } });
    const { matrix, platforms, cells } = await coverage('30d');
    const [row, column] = [EVENT_NAMES.indexOf('Purchase'), platforms.indexOf('meta')];
    expect(matrix[row]?.[column]).toBe(5);
    expect(matrix.flat().reduce((sum, value) => sum + value, 0)).toBe(5);
    expect(cells).toEqual([
      { event_name: 'PageView', platform: 'ga4', delivered: 0, counts: { unmapped: 4 } },
      { event_name: 'Purchase', platform: 'meta', delivered: 5, counts: { DELIVERED: 5, FAILED: 1 } },
    ]);
  });
});
