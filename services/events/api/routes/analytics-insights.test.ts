// Goal: quality, funnel and attribution say what was counted, zero-filled, for any range, and never another merchant's.
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { KNOWN_FIELDS } from '#lib/events/domain/event/known-fields.ts';
import { rowsKeptMs } from '#lib/events/domain/event/row-expiry.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { getOverview, getVolume } from '#lib/events/routes/analytics/analytics.ts';
import {
  getFunnel,
  getQuality,
  getRevenueAttribution,
  VERIFIED_ROWS_MAX,
  verifyAnalytics,
} from '#lib/events/routes/analytics/insights.ts';
import { RANGES } from '#lib/events/routes/analytics/range.ts';
import { type ApiHost, bodyOf, MINE, NOW, openApi, THEIRS } from '#test/contract/api-host.ts';
import { connectionOf, count, normalizedRow, store } from '#test/contract/stored-rows.ts';

const TODAY = floorTo(NOW, DAY_MS);
const THIS_MINUTE = floorTo(NOW, MINUTE_MS);
let host: ApiHost;
let token = '';
beforeEach(async () => {
  host = await openApi();
  token = host.session('member');
});
const get = (name: string, query = '') => host.call(`/v1/analytics/${name}${query}`, { token });
const at = (ms: number): string => new Date(ms).toISOString();
const post = (body: unknown) => host.call('/v1/analytics/verify', { method: 'POST', token, body });
const quality = async (query?: string) => bodyOf(getQuality, await get('quality', query));
const funnel = async (query?: string) => bodyOf(getFunnel, await get('funnel', query));
const attribution = async (query?: string) =>
  bodyOf(getRevenueAttribution, await get('revenue-attribution', query));
const verify = async (body: unknown) => bodyOf(verifyAnalytics, await post(body));

describe('an empty merchant', () => {
  it.each(RANGES)('has every figure, all zero, and is told what to do first: %s', async (range) => {
    const query = `?range=${range}`;
    const answers = [await quality(query), await funnel(query), await attribution(query)] as const;
    for (const { next_steps, end } of answers) {
      const steps = next_steps.map(({ code }) => code);
      expect(steps).toEqual(['create_api_key', 'connect_platform', 'send_first_event']);
      expect(end).toBe(at(NOW));
    }
    const [q, f, a] = answers;
    expect([q.score, q.events, q.deltas, q.issues, q.hints]).toEqual([0, 0, {}, [], []]);
    expect(q.completeness).toEqual(KNOWN_FIELDS.map((field) => ({ field, events: 0, share: 0 })));
    const none = {
      server_orders: 0,
      with_click_id: 0,
      gained_from_page: 0,
      gained_from_earlier: 0,
      share: 0,
    };
    expect(q.click_ids).toEqual(none);
    const unknown = { mean_sec: null, page_after_p50_sec: null, page_after_p90_sec: null };
    expect(q.page_wait).toEqual({ orders: 0, completed: 0, in_vain: 0, ...unknown });
    const stages = ['PageView', 'ViewContent', 'AddToCart', 'InitiateCheckout', 'AddPaymentInfo', 'Purchase'];
    expect(f.stages.map(({ name, ...zeros }) => [name, ...Object.values(zeros)])).toEqual(
      stages.map((name) => [name, 0, 0, 0, 0]),
    );
    const nothing = { orders: 0, unlinked_orders: 0, revenue: {}, reported: null };
    const slugs = [...PLATFORMS.map(({ slug }) => slug), 'direct'];
    expect(a.platforms).toEqual(slugs.map((platform) => ({ platform, ...nothing, deltas: {} })));
    expect([a.total, a.repeated_orders]).toEqual([nothing, 0]);
    expect(await verify({ range })).toMatchObject({ drift: 0, rows: 0, next_start: null, settling: false });
  });

  it('with a key and a platform that wants credentials is told what is left', async () => {
    const steps = async () => (await funnel()).next_steps.map(({ code }) => code);
    await host.keyFor(['events:write'], MINE, { expiresAtMs: NOW });
    expect(await steps()).toContain('create_api_key');
    await host.keyFor(['events:write']);
    const meta = await connectionOf(host, 'meta');
    expect(await steps()).toEqual(['send_first_event']);
    await host.config.pauseConnection(meta, 'auth', NOW);
    expect(await steps()).toEqual(['repair_connection', 'send_first_event']);
    await count(host.counters, 'minute', THIS_MINUTE, { events: 1 });
    expect(await steps()).toEqual([]);
    const { next_steps } = bodyOf(getOverview, await get('overview'));
    expect(next_steps.map(({ code }) => code)).toEqual(['repair_connection']);
  });
});

describe('quality', () => {
  it('says which field would help most, and shows events that lack it', async () => {
    await count(host.counters, 'day', TODAY - DAY_MS, {
      events: 10,
      completeness: { email: 10, phone: 5 },
      examples: {
        'missing:phone': [
          [5, 'e5'],
          [4, 'e4'],
        ],
        'missing:external_id': [[1, 'a']],
      },
    });
    const { score, hints, completeness, deltas } = await quality('?range=7d');
    expect(score).toBe(40);
    expect(hints.slice(0, 2)).toMatchObject([
      { field: 'phone', affected: 5, expected_gain: 10, example_event_ids: ['e5', 'e4'] },
      { field: 'external_id', affected: 10, expected_gain: 10, example_event_ids: ['a'] },
    ]);
    expect(hints.map(({ field }) => field)).not.toContain('email');
    expect(completeness).toContainEqual({ field: 'phone', events: 5, share: 0.5 });
    expect(deltas).toEqual({});
    await count(host.counters, 'day', TODAY - 8 * DAY_MS, { events: 1, completeness: {} });
    expect((await quality('?range=7d')).deltas).toEqual({ score: 40 });
  });

  it('says how many orders of servers carry a click id, and how many gained one from their page or earlier events', async () => {
    const day = { orders: 7, clicked: 4, gained: 3 };
    await count(host.counters, 'day', TODAY - DAY_MS, { events: 9, serverOrders: day });
    await count(host.counters, 'day', TODAY - 2 * DAY_MS, { events: 1 });
    const minute = { orders: 1, clicked: 1, gained: 0, joined: 1 };
    await count(host.counters, 'minute', THIS_MINUTE, { events: 1, serverOrders: minute });
    const gains = { gained_from_page: 3, gained_from_earlier: 1 };
    const expected = { server_orders: 8, with_click_id: 5, ...gains, share: 0.625 };
    expect((await quality('?range=7d')).click_ids).toEqual(expected);
  });

  it('says how many orders waited for their page, for how long, and after how long it came', async () => {
    const day = { orders: 12, sumMs: 50_000, completed: { 10: 1, 2: 4, 1: 3 } };
    await count(host.counters, 'day', TODAY - DAY_MS, { events: 12, pageWaits: day });
    await count(host.counters, 'day', TODAY - 2 * DAY_MS, { events: 1 });
    const minute = { orders: 3, sumMs: 11_049, completed: { 2: 1, 3: 1 } };
    await count(host.counters, 'minute', THIS_MINUTE, { events: 3, pageWaits: minute });
    expect((await quality('?range=7d')).page_wait).toEqual({
      ...{ orders: 15, completed: 10, in_vain: 5, mean_sec: 4.1 },
      ...{ page_after_p50_sec: 2, page_after_p90_sec: 3 },
    });
  });

  it('lists the ten commonest issues, the newest events of each, and what to do', async () => {
    const fields = Array.from({ length: 14 }, (_, i) => [`custom.f${i}:malformed`, i + 1]);
    const examples = { 'custom.f13:malformed': [[1, 'x'] as const] };
    const issues = Object.fromEntries(fields);
    await count(host.counters, 'day', TODAY - DAY_MS, { events: 20, issues, examples });
    await count(host.counters, 'minute', THIS_MINUTE, {
      events: 4,
      issues: { 'custom.f13:malformed': 3, 'order_id:repeated_order': 1 },
      examples: {
        'custom.f13:malformed': [
          [9, 'z'],
          [8, 'y'],
          [7, 'w'],
        ],
      },
    });
    const found = (await quality()).issues;
    expect(found).toHaveLength(10);
    const newest = { field: 'custom.f13', code: 'malformed', example_event_ids: ['z', 'y', 'w'] };
    expect(found[0]).toMatchObject({ ...newest, events: 17 });
    expect(found.every(({ fix }) => fix.length > 10)).toBe(true);
    expect(found.map(({ events }) => events)).toEqual([17, 13, 12, 11, 10, 9, 8, 7, 6, 5]);
  });
});

it('funnel: counts, what is lost on the way, and nothing negative; no replays', async () => {
  await count(host.counters, 'day', TODAY - DAY_MS, {
    events: 168,
    byName: { PageView: 100, ViewContent: 40, AddToCart: 50, Purchase: 10, Lead: 3 },
    replays: 2,
  });
  await count(host.counters, 'day', TODAY - DAY_MS, { events: 5, byName: { PageView: 5 } }, THEIRS);
  const { stages, deltas } = await funnel('?range=7d');
  expect(stages.map(({ name: _, ...figures }) => Object.values(figures))).toEqual([
    [100, 0, 0, 1],
    [40, 60, 0.6, 0.4],
    [50, 0, 0, 0.5],
    [0, 50, 1, 0],
    [0, 0, 0, 0],
    [10, 0, 0, 0.1],
  ]);
  expect(deltas).toEqual({});
  await count(host.counters, 'day', TODAY - 8 * DAY_MS, { events: 1, byName: { PageView: 30 } });
  expect((await funnel('?range=7d')).deltas).toMatchObject({ PageView: 70, Purchase: 10 });
});

it('attribution: exact money in every currency, platforms that are no more, and the orders behind all of it', async () => {
  const huge = '123456789012345678901234567890';
  await count(host.counters, 'day', TODAY - DAY_MS, {
    events: 9,
    repeatedOrders: 2,
    credits: {
      meta: {
        orders: 3,
        unlinked: 1,
        revenue: { EUR: { orders: 2, minor: '1999' }, JPY: { orders: 1, minor: '1200' } },
      },
      constructor: { orders: 1, unlinked: 0, revenue: { KWD: { orders: 1, minor: '1234' } } },
      direct: { orders: 1, unlinked: 0, revenue: { EUR: { orders: 1, minor: huge } } },
    } as never,
  });
  const { platforms, total, repeated_orders } = await attribution('?range=7d');
  const of = (slug: string) => platforms.find(({ platform }) => platform === slug);
  expect(of('meta')).toMatchObject({
    orders: 3,
    unlinked_orders: 1,
    revenue: {
      EUR: { orders: 2, minor: '1999', amount: 19.99 },
      JPY: { orders: 1, minor: '1200', amount: 1200 },
    },
  });
  expect(of('constructor')?.revenue.KWD).toEqual({
    ...{ orders: 1, minor: '1234', amount: 1.234 },
    ...{ refunded: 0, net: 1.234 },
  });
  expect(of('direct')?.revenue.EUR?.minor).toBe(huge);
  expect(total.orders).toBe(5);
  expect(total.revenue.EUR?.minor).toBe(String(BigInt(huge) + 1999n));
  expect(repeated_orders).toBe(2);
});

it('attribution: by the first click unless the last is asked for, and by no other', async () => {
  const order = { orders: 1, unlinked: 0, revenue: { EUR: { orders: 1, minor: '1999' } } };
  const taken = { orders: -1, unlinked: 0, revenue: { EUR: { orders: -1, minor: '-1999' } } };
  const counters = { credits: { meta: order }, moves: { meta: taken, tiktok: order } };
  await count(host.counters, 'day', TODAY - DAY_MS, { events: 1, ...counters });
  for (const [query, model, platform] of [
    ['?range=7d', 'first_click', 'meta'],
    ['?range=7d&model=first_click', 'first_click', 'meta'],
    ['?range=7d&model=last_click', 'last_click', 'tiktok'],
  ] as const) {
    const { platforms, total, ...rest } = await attribution(query);
    expect(platforms.filter(({ orders }) => orders !== 0)).toMatchObject([
      { platform, revenue: { EUR: { amount: 19.99 } } },
    ]);
    expect([rest.model, total.orders]).toEqual([model, 1]);
  }
  const refused = await get('revenue-attribution', '?model=linear');
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('model')]);
});

describe('a start and an end of one’s own', () => {
  it('take whole minutes of them, and no others', async () => {
    const from = TODAY - DAY_MS + 90 * MINUTE_MS;
    for (const minute of [-1, 0, 1, 59, 60])
      await count(host.counters, 'minute', from + minute * MINUTE_MS, {
        events: 10 ** (minute < 0 ? 0 : minute < 2 ? minute + 1 : minute - 56),
        byName: {},
      });
    const query = `?start=${at(from + 5_000)}&end=${at(from + HOUR_MS - 5_000)}`;
    const { points, total, interval, range, start, end } = bodyOf(getVolume, await get('volume', query));
    expect([total, interval, range]).toEqual([10 + 100 + 1_000, 'hour', 'custom']);
    expect(points.map(({ events }) => events)).toEqual([110, 1_000]);
    expect([start, end]).toEqual([at(from), at(from + HOUR_MS)]);
  });

  it('may be Unix times in seconds or milliseconds, in every figure and in what is verified', async () => {
    const from = TODAY - DAY_MS;
    const written = (unit: number) => ({ start: String(from / unit), end: String((from + HOUR_MS) / unit) });
    for (const asked of [written(1_000), written(1)]) {
      const query = `?${new URLSearchParams(asked)}`;
      for (const name of ['overview', 'volume', 'coverage', 'quality', 'funnel', 'revenue-attribution'])
        expect((await get(name, query)).body).toMatchObject({
          ...{ success: true, start: at(from), end: at(from + HOUR_MS) },
        });
      const { success, verified } = await verify(asked);
      expect([success, verified]).toEqual([true, { start: at(from), end: at(from + HOUR_MS) }]);
    }
  });

  it('end now where no end is given, and may stand in another zone', async () => {
    await count(host.counters, 'minute', THIS_MINUTE, { events: 3 });
    const { events, end } = await quality(`?start=${encodeURIComponent('2026-11-20T14:30:00+02:00')}`);
    expect([events, end]).toEqual([3, at(NOW)]);
  });

  it.each([
    [`start=${at(NOW)}&range=7d`, 'range'],
    [`end=${at(NOW)}`, 'start'],
    [`start=${at(NOW)}&end=${at(NOW)}`, 'end'],
    [`start=${at(NOW - 401 * DAY_MS)}&end=${at(NOW)}`, 'end'],
    [`start=${at(NOW - 500 * DAY_MS)}`, 'start'],
    [`start=${at(NOW + DAY_MS)}`, 'start'],
    ['start=yesterday', 'start'],
    ['start=2026-11-20', 'start'],
    ['start=1795176000.5', 'start'],
    ['start=999999999999', 'start'],
    ['range=1y', 'range'],
    ['ranges=7d', 'ranges'],
  ])('refuses %s, and names the field', async (query, field) => {
    for (const name of ['overview', 'volume', 'coverage', 'quality', 'funnel', 'revenue-attribution']) {
      const { status, body } = await get(name, `?${query}`);
      const { details } = body as { details: { path: string; message: string }[] };
      expect([name, status, details.map(({ path }) => path)]).toEqual([name, 400, [field]]);
    }
  });
});

it('compares a span with what was before it, and nothing of it with itself', async () => {
  const startMs = TODAY - 10 * DAY_MS;
  const query = `?start=${at(startMs)}&end=${at(startMs + DAY_MS)}`;
  await count(host.counters, 'minute', startMs, { events: 1, completeness: { email: 1 } });
  await count(host.counters, 'minute', startMs + DAY_MS, { events: 1 });
  await count(host.counters, 'minute', startMs - DAY_MS - MINUTE_MS, { events: 1 });
  const alone = await quality(query);
  expect([alone.events, alone.deltas]).toEqual([1, {}]);
  await count(host.counters, 'minute', startMs - DAY_MS, { events: 1 });
  expect((await quality(query)).deltas).toEqual({ score: 30 });
  // Of a range that is running, as much of the one before.
  await count(host.counters, 'minute', THIS_MINUTE - DAY_MS + MINUTE_MS, { events: 1 });
  await count(host.counters, 'minute', THIS_MINUTE, { events: 1, completeness: { email: 1 } });
  const running = await quality('?range=24h');
  expect([running.score, running.deltas]).toEqual([30, {}]);
  await count(host.counters, 'minute', THIS_MINUTE - DAY_MS - MINUTE_MS, { events: 1 });
  expect((await quality('?range=24h')).deltas).toEqual({ score: 30 });
});

describe('verify', () => {
  it('says of a range whose events are no longer kept that it cannot be verified, instead of drift', async () => {
    const keptMs = rowsKeptMs(400);
    const end = at(NOW - keptMs + 3_600_000);
    const gone = await post({ start: at(NOW - keptMs - 60_000), end });
    const details = [{ path: 'start', message: expect.stringContaining('no longer kept') as string }];
    expect(gone).toMatchObject({ status: 400, body: { details } });
    expect((await post({ start: at(NOW - keptMs + 600_000), end })).status).toBe(200);
  });

  const row = (eventId: string, receivedAtMs: number, merchantId = MINE) =>
    normalizedRow({ eventId, receivedAtMs, merchantId });

  it('names every figure that differs from the rows, of this merchant alone', async () => {
    const mine = [row('a', THIS_MINUTE), row('b', THIS_MINUTE - HOUR_MS)];
    await store(host.events, ...mine, row('c', THIS_MINUTE, THEIRS));
    await count(host.counters, 'minute', THIS_MINUTE, { events: 1 });
    const { figures, drift, rows } = await verify({ range: '24h' });
    expect(figures.events).toEqual({ counted: 1, recounted: 2, drift: -1 });
    expect(rows).toBe(2);
    expect(drift).toBeGreaterThan(1);
  });

  it('recounts a long range in parts that meet, each of few enough rows', async () => {
    const days = [3, 2, 1].map((ago) => TODAY - ago * DAY_MS);
    for (const startMs of days) await count(host.counters, 'day', startMs, { events: VERIFIED_ROWS_MAX - 1 });
    const parts: string[] = [];
    let start: string | null = at(days[0] ?? 0);
    while (start !== null) {
      const part: Awaited<ReturnType<typeof verify>> = await verify({ start });
      parts.push(part.verified.start);
      expect(part.next_start === null || part.next_start === part.verified.end).toBe(true);
      start = part.next_start;
    }
    expect(parts).toEqual(days.map(at));
  });

  it('goes down to an hour, then a minute, and says so where that is too much', async () => {
    const dayMs = TODAY - DAY_MS;
    const many = 3 * VERIFIED_ROWS_MAX;
    await count(host.counters, 'day', dayMs, { events: many });
    await count(host.counters, 'hour', dayMs, { events: 10 });
    await count(host.counters, 'hour', dayMs + HOUR_MS, { events: many - 10 });
    await count(host.counters, 'minute', dayMs + HOUR_MS, { events: many - 10 });
    const first = await verify({ start: at(dayMs) });
    expect(first.next_start).toBe(at(dayMs + HOUR_MS));
    const { status, body } = await post({ start: first.next_start });
    expect([status, (body as { code: string }).code]).toEqual([422, 'too_much_to_verify']);
  });

  it('halves a part whose counters hide how many rows there are', async () => {
    const startMs = TODAY - DAY_MS;
    const rows = Array.from({ length: 2 * VERIFIED_ROWS_MAX + 200 }, (_, i) =>
      row(`e${i}`, startMs + i * 5_000),
    );
    await store(host.events, ...rows);
    const { verified, rows: read } = await verify({ start: at(startMs) });
    expect(read).toBeGreaterThan(VERIFIED_ROWS_MAX / 2);
    expect(read).toBeLessThanOrEqual(2 * VERIFIED_ROWS_MAX);
    expect(Date.parse(verified.end)).toBeLessThan(NOW);
  });
});
