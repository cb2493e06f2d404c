import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { OUTCOMES } from '#lib/events/domain/deliveries/outcome.ts';
import { explainEvent, listEvents, STATUSES } from '#lib/events/routes/events.ts';
import { type ApiHost, bodyOf, MINE, NOW, openApi, THEIRS } from '#test/contract/api-host.ts';
import {
  acceptedRow,
  connectionOf,
  deliveryIn,
  normalizedRow,
  sha256,
  store,
  unpriced,
} from '#test/contract/stored-rows.ts';
import { SCAN_ENTRIES_MAX, SCAN_ROWS_MAX } from './scan.ts';

const DAY_MS = 86_400_000;
let host: ApiHost;
let token = '';
beforeEach(async () => {
  host = await openApi();
  token = host.session('member');
});
type Query = Readonly<Record<string, string | number>>;
const urlOf = (query: Query) =>
  `/v1/events?${new URLSearchParams(Object.entries(query).map(([k, v]): [string, string] => [k, String(v)]))}`;
const list = async (query: Query = {}) => bodyOf(listEvents, await host.call(urlOf(query), { token }));
const ids = async (query: Query = {}) => (await list(query)).events.map(({ event_id }) => event_id);

/** Every page, following `next_cursor`. */
async function walk(query: Query) {
  const pages = [await list(query)];
  for (let next = pages[0]?.next_cursor; next != null; ) {
    const { offset: _, ...rest } = query;
    const page = await list({ ...rest, cursor: next });
    pages.push(page);
    next = page.next_cursor;
    if (pages.length > 500) throw new Error('endless');
  }
  return pages;
}

describe('GET /v1/events', () => {
  it('is empty for a merchant without events', async () => {
    expect(await list()).toEqual({
      success: true,
      events: [],
      total: 0,
      total_is_exact: true,
      limit: 50,
      offset: 0,
      next_cursor: null,
    });
  });

  it('shows the newest first, of the last 30 days, of this merchant, in every state', async () => {
    const view = { event_name: 'page_view', value: 5, currency: 'EUR' };
    await store(
      host.events,
      normalizedRow({ eventId: 'middle', receivedAtMs: NOW - DAY_MS }),
      acceptedRow({ eventId: 'newest', receivedAtMs: NOW, body: view }),
      normalizedRow({ eventId: 'oldest', receivedAtMs: NOW - 30 * DAY_MS + 60_000 }),
      normalizedRow({ eventId: 'too old', receivedAtMs: NOW - 30 * DAY_MS - 1 }),
      normalizedRow({ eventId: 'foreign', merchantId: THEIRS }),
    );
    const body = await list();
    expect(body.events.map(({ event_id }) => event_id)).toEqual(['newest', 'middle', 'oldest']);
    expect(body.events[0]).toEqual({
      event_id: 'newest',
      trust: 'server',
      event_name: 'PageView',
      canonical_name: 'PageView',
      event_time: Math.floor(NOW / 1000),
      received_at: new Date(NOW).toISOString(),
      state: 'accepted',
      source: 'server',
      value: 5,
      currency: 'EUR',
      bot: false,
      test: false,
      deliveries: [],
      withheld: [],
    });
    expect(await ids({ start: '2026-10-01' })).toHaveLength(4);
    expect(await ids({ start: NOW - 2 * DAY_MS, end: NOW })).toEqual(['middle']);
    expect(await ids({ orderDirection: 'asc' })).toEqual(['oldest', 'middle', 'newest']);
  });
});

describe('filters', () => {
  beforeEach(async () => {
    for (const platform of ['meta', 'tiktok']) await connectionOf(host, platform);
    await store(
      host.events,
      normalizedRow({
        eventId: 'order-1',
        connected: ['meta', 'tiktok'],
        deliveries: {
          meta: deliveryIn('DELIVERED', { reason: 'duplicate' }),
          tiktok: deliveryIn('FAILED', { reason: 'tiktok.40002.7' }),
        },
        event: { orderId: 'A-100', source: 'shop' },
      }),
      normalizedRow({
        eventId: 'order-12',
        connected: ['meta', 'tiktok'],
        receivedAtMs: NOW - 120_000,
        event: { name: 'Lead', hashed: { emailPlain: sha256('max@example.com') } },
      }),
      normalizedRow({
        eventId: 'custom',
        connected: ['meta', 'tiktok'],
        receivedAtMs: NOW - 180_000,
        event: {
          name: 'Custom',
          customName: 'Spun Wheel',
          consent: { ad_user_data: 'denied' },
          orderId: 'A-200',
        },
      }),
      acceptedRow({ eventId: 'fresh', receivedAtMs: NOW - 240_000, body: { event_name: 'Order Completed' } }),
      normalizedRow({
        eventId: 'bot',
        connected: ['meta', 'tiktok'],
        receivedAtMs: NOW - 300_000,
        event: { bot: true, name: 'PageView', hashed: {} },
      }),
    );
  });

  const pauseMeta = async () => {
    const meta = await host.config.connection(MINE, 'meta');
    if (meta === null) throw new Error('not connected');
    await host.config.pauseConnection(meta, 'auth', NOW);
  };
  const atTiktok = (state: Delivery['state']) =>
    normalizedRow({ eventId: state, connected: ['tiktok'], deliveries: { tiktok: deliveryIn(state) } });

  it.each<readonly [Query, readonly string[]]>([
    [{ event_name: 'Purchase' }, ['order-1', 'fresh']],
    [{ event_name: 'checkout_completed' }, ['order-1', 'fresh']],
    [{ event_name: 'Custom' }, ['custom']],
    [{ event_name: 'Spun Wheel' }, ['custom']],
    [{ event_name: 'spun wheel' }, []],
    [{ source: 'shop' }, ['order-1']],
    [{ source: 'nothing' }, []],
    [{ search: 'order-1' }, ['order-1', 'order-12']],
    [{ search: 'order-12' }, ['order-12']],
    [{ search: 'rder' }, []],
    [{ search: 'A-' }, ['order-1', 'custom']],
    [{ search: ' Max@Example.com ' }, ['order-12']],
    [{ search: sha256('max@example.com') }, ['order-12']],
    [{ search: 'jane.doe@example.com' }, ['order-1', 'custom', 'fresh']],
    [{ search: 'jane' }, []],
    [{ status: 'DELIVERED' }, ['order-1']],
    [{ status: 'FAILED' }, ['order-1']],
    [{ status: 'DELIVERED', platform: 'meta' }, ['order-1']],
    [{ status: 'DELIVERED', platform: 'tiktok' }, []],
    [{ status: 'QUEUED' }, ['order-12']],
    [{ status: 'consent_denied' }, ['custom']],
    [{ status: 'not_connected', platform: 'ga4' }, ['order-1', 'order-12', 'custom']],
    [{ status: 'not_connected', platform: 'meta' }, []],
    [{ status: 'processing' }, ['fresh']],
    [{ status: 'bot' }, ['bot']],
    [{ status: 'pending' }, ['order-12']],
    [{ status: 'pending', source: 'shop' }, []],
    [{ status: 'delivered' }, ['order-1']],
    [{ status: 'failed', platform: 'meta' }, []],
    [{ status: 'connection_paused' }, []],
    [{ outcome: 'delivered' }, ['order-1']],
    [{ outcome: 'failed', platform: 'tiktok' }, ['order-1']],
    [{ outcome: 'failed', platform: 'meta' }, []],
    [{ outcome: 'withheld', status: 'consent_denied' }, ['custom']],
    [{ outcome: 'delivered', status: 'consent_denied' }, []],
    [{ code: 'tiktok.40002.7' }, ['order-1']],
    [{ code: '40002', platform: 'tiktok' }, ['order-1']],
    [{ code: ' 40002.7 ', status: 'FAILED' }, ['order-1']],
    [{ code: '40002', status: 'DELIVERED' }, []],
    [{ code: '40002', platform: 'meta' }, []],
    [{ code: '4000' }, []],
    [{ code: 'duplicate' }, []],
    [{ code: 'processing' }, []],
    [{ code: 'consent_denied' }, ['custom']],
    [{ code: 'consent_denied:ad_user_data', event_name: 'Spun Wheel' }, ['custom']],
    [{ code: 'bot', source: 'server' }, ['bot']],
    [{ code: 'not_connected', platform: 'ga4', event_name: 'Lead' }, ['order-12']],
    [{ code: '\u0000 ☃ ünknown' }, []],
    [{ platform: 'meta', search: 'order' }, ['order-1', 'order-12']],
    [{ platform: 'ga4' }, ['fresh']],
    [
      { event_name: 'Purchase', source: 'shop', search: 'A-1', status: 'FAILED', platform: 'tiktok' },
      ['order-1'],
    ],
  ])('%o', async (query, expected) => {
    const body = await list(query);
    expect(body.events.map(({ event_id }) => event_id)).toEqual(expected);
    expect([body.total, body.total_is_exact, body.next_cursor]).toEqual([expected.length, true, null]);
  });

  it('finds with every word of explain exactly the events it says it of', async () => {
    await pauseMeta();
    const states = ['SENDING', 'RETRY', 'ERROR', 'SKIPPED'] as const;
    await store(
      host.events,
      ...states.map(atTiktok),
      normalizedRow({ eventId: 'waits', connected: ['meta'] }),
      normalizedRow({ eventId: 'gone', connected: ['snapchat'] }),
    );
    const all = await ids();
    const said = new Map<string, Set<string>>();
    for (const id of all) {
      const { verdicts } = bodyOf(explainEvent, await host.call(`/v1/events/${id}/explain`, { token }));
      for (const { platform, verdict, delivery: state } of verdicts)
        for (const word of [verdict, ...(state === undefined ? [] : [state])])
          for (const key of [word, `${word}@${platform}`])
            said.set(key, (said.get(key) ?? new Set()).add(id));
    }
    for (const status of STATUSES) {
      expect(new Set(await ids({ status })), status).toEqual(said.get(status) ?? new Set());
      for (const platform of ['meta', 'tiktok', 'snapchat'])
        expect(new Set(await ids({ status, platform })), `${status} at ${platform}`).toEqual(
          said.get(`${status}@${platform}`) ?? new Set(),
        );
    }
    expect(STATUSES).toEqual(expect.arrayContaining([...said.keys()].filter((key) => !key.includes('@'))));
  });

  it('finds by outcome each event once at each platform: the four share all of them', async () => {
    await pauseMeta();
    const states = ['SENDING', 'DELIVERED', 'RETRY', 'FAILED', 'ERROR', 'SKIPPED'] as const;
    await store(
      host.events,
      ...states.map(atTiktok),
      normalizedRow({ eventId: 'QUEUED', connected: ['tiktok'] }),
      normalizedRow({ eventId: 'waits', connected: ['meta'] }),
    );
    const all = await ids();
    const at = async (platform: 'meta' | 'tiktok') => {
      const found = OUTCOMES.map(async (outcome) => [outcome, await ids({ platform, outcome })] as const);
      const shares = Object.fromEntries(await Promise.all(found));
      expect(Object.values(shares).flat().toSorted()).toEqual(all.toSorted());
      return shares;
    };
    expect((await at('meta')).waiting).toEqual(expect.arrayContaining(['waits', 'fresh']));
    expect(await at('tiktok')).toMatchObject({
      delivered: ['DELIVERED'],
      waiting: expect.arrayContaining(['QUEUED', 'SENDING', 'RETRY', 'fresh']),
      failed: expect.arrayContaining(['FAILED', 'ERROR', 'order-1']),
      withheld: expect.arrayContaining(['SKIPPED', 'waits', 'custom', 'bot']),
    });
  });

  it('lists the targeted platforms of each event with their states', async () => {
    const [first, second, third] = (await list()).events;
    expect(first?.deliveries).toMatchObject([
      { platform: 'meta', status: 'DELIVERED' },
      { platform: 'tiktok', status: 'FAILED' },
    ]);
    expect(second?.deliveries).toMatchObject([
      { platform: 'meta', status: 'QUEUED' },
      { platform: 'tiktok', status: 'QUEUED' },
    ]);
    expect(third?.deliveries.map(({ platform }) => platform)).not.toContain('meta');
    expect([first?.withheld, second?.withheld]).toEqual([[], []]);
    expect(third?.withheld).toEqual([
      { platform: 'meta', verdict: 'consent_denied' },
      { platform: 'tiktok', verdict: 'consent_denied' },
    ]);
  });

  it('finds what waits behind a paused connection', async () => {
    await pauseMeta();
    expect(await ids({ status: 'connection_paused' })).toEqual(['order-12']);
    expect(await ids({ status: 'connection_paused', platform: 'tiktok' })).toEqual([]);
  });
});

it.each([[''], ['  '], ['x'.repeat(201)]])('refuses the code %j and names it', async (code) => {
  const { status, body } = await host.call(urlOf({ code }), { token });
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('"code"')]);
});

it('finds by the code of one connection of several, and never another merchant’s', async () => {
  const id = `con_${'0'.repeat(36)}`;
  const draft = { merchantId: MINE, platform: 'meta', name: 'meta', sealedCredentials: 's' };
  await host.config.putConnection({ ...draft, newId: id }, NOW - DAY_MS);
  const refused = { meta: deliveryIn('FAILED', { reason: 'meta.190' }) };
  await store(
    host.events,
    normalizedRow({ eventId: 'mine', connected: ['meta'], deliveries: refused }),
    normalizedRow({ eventId: 'theirs', merchantId: THEIRS, connected: ['meta'], deliveries: refused }),
  );
  expect(await ids({ code: '190', connection_id: id })).toEqual(['mine']);
  expect(await ids({ code: '191', connection_id: id })).toEqual([]);
  expect(await ids({ code: '190' })).toEqual(['mine']);
});

describe('order', () => {
  it('sorts by value and by event time, events without a value last', async () => {
    const of = (eventId: string, minutesAgo: number, value: string, eventTimeSec: number) =>
      normalizedRow({ eventId, receivedAtMs: NOW - minutesAgo * 60_000, event: { eventTimeSec, value } });
    await store(
      host.events,
      of('a', 1, '9.5', 300),
      unpriced(of('b', 2, '', 100)),
      of('c', 3, '10', 200),
      of('d', 4, '0', 400),
    );
    expect(await ids({ orderBy: 'value' })).toEqual(['c', 'a', 'd', 'b']);
    expect(await ids({ orderBy: 'value', orderDirection: 'asc' })).toEqual(['d', 'a', 'c', 'b']);
    expect(await ids({ orderBy: 'event_time' })).toEqual(['d', 'a', 'c', 'b']);
    const second = { orderBy: 'event_time', orderDirection: 'asc', offset: 1, limit: 2 };
    expect(await ids(second)).toEqual(['c', 'a']);
    expect((await walk({ orderBy: 'value', limit: 3 })).map(({ events }) => events.length)).toEqual([3, 1]);
  });
});

describe('pages', () => {
  it('together show every event once, by cursor and by offset, filtered and not, in any order', async () => {
    const rows = Array.from({ length: 137 }, (_, i) =>
      normalizedRow({
        eventId: `e${i}`,
        // Many share a millisecond.
        receivedAtMs: NOW - Math.floor(i / 7) * 60_000,
        event: { source: i % 3 === 0 ? 'shop' : 'server', value: String(i % 10), currency: 'EUR' },
      }),
    );
    await store(host.events, ...rows);
    const idsOf = (some: typeof rows) => some.map(({ key }) => key.eventId).sort();
    const all = idsOf(rows);
    const shop = idsOf(rows.filter(({ event }) => event.source === 'shop'));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.constantFrom('received_at', 'event_time', 'value'),
        fc.constantFrom('asc', 'desc'),
        fc.boolean(),
        fc.integer({ min: 0, max: 150 }),
        async (limit, orderBy, orderDirection, filtered, offset) => {
          const query = { limit, orderBy, orderDirection, ...(filtered ? { source: 'shop' } : {}) };
          const wanted = filtered ? shop : all;
          const pages = await walk(query);
          const seen = pages.flatMap(({ events }) => events.map(({ event_id }) => event_id));
          expect([...seen].sort()).toEqual(wanted);
          expect(pages.map((page) => page.offset)).toEqual(pages.map((_, i) => i * limit));
          // Of what no counters know no more is counted than one page and the next event.
          const isWhole = !filtered || orderBy !== 'received_at' || wanted.length <= limit;
          const total = isWhole ? wanted.length : limit + 1;
          for (const page of pages) expect([page.total, page.total_is_exact]).toEqual([total, isWhole]);
          expect(await ids({ ...query, offset })).toEqual(seen.slice(offset, offset + limit));
          const late = await walk({ ...query, offset });
          expect(late.flatMap(({ events }) => events.map(({ event_id }) => event_id))).toEqual(
            seen.slice(offset),
          );
        },
      ),
      // The page and the next event are all that there is, which the list does not find out.
      { numRuns: 25, examples: [[shop.length - 1, 'received_at', 'asc', true, 0]] },
    );
  });

  it('goes on where it was while new events come in', async () => {
    const rows = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) =>
        normalizedRow({ eventId: `e${from + i}`, receivedAtMs: NOW - from - i }),
      );
    await store(host.events, ...rows(10, 10));
    const first = await list({ limit: 5 });
    await store(host.events, ...rows(0, 5));
    const second = await list({ limit: 5, cursor: first.next_cursor ?? '' });
    expect(second.events.map(({ event_id }) => event_id)).toEqual(['e15', 'e16', 'e17', 'e18', 'e19']);
    expect([second.total, second.offset, second.next_cursor]).toEqual([10, 5, null]);
  });

  it('refuses a cursor of another query, and a made up one', async () => {
    await store(host.events, ...Array.from({ length: 3 }, (_, i) => normalizedRow({ eventId: `e${i}` })));
    const cursor = (await list({ limit: 1, source: 'server' })).next_cursor ?? '';
    const status = async (query: Query) => (await host.call(urlOf(query), { token })).status;
    expect(await status({ limit: 2, source: 'server', cursor })).toBe(200);
    expect(await status({ limit: 1, cursor })).toBe(400);
    expect(await status({ limit: 1, source: 'server', orderDirection: 'asc', cursor })).toBe(400);
    expect(await status({ limit: 1, source: 'server', offset: 1, cursor })).toBe(400);
    const plain = Buffer.from(cursor, 'base64url').toString();
    const forged = Buffer.from(plain.replace(/"t":\d+/, '"t":"x"')).toString('base64url');
    expect(await status({ limit: 1, source: 'server', cursor: forged })).toBe(400);
  });
});

describe('more than one request looks at', () => {
  /** A store of `count` rows, received one a second, that counts what is read of it. */
  async function large(count: number) {
    const row = (i: number) => ({
      ...normalizedRow({
        eventId: `e${i}`,
        receivedAtMs: NOW - i * 1_000,
        event: { source: i === count - 1 ? 'rare' : 'server' },
      }),
      ingestId: `00000000-0000-7000-8000-${String(count - i).padStart(12, '0')}`,
    });
    let rowsRead = 0;
    const big = await openApi(() => ({
      events: {
        read: async () => null,
        readMany: async (keys) => {
          rowsRead += keys.length;
          return { rows: keys.map(({ eventId }) => row(Number(eventId.slice(1)))), unreadable: [] };
        },
        received: async ({ limit, cursor, fromMs, toMs }) => {
          const first = Math.max(Number(cursor ?? 0), Math.ceil((NOW - toMs + 1) / 1_000));
          const last = Math.min(count, first + limit, Math.floor((NOW - fromMs) / 1_000) + 1);
          const keys = Array.from({ length: Math.max(0, last - first) }, (_, i) => {
            const { key, ingestId, receivedAtMs } = row(first + i);
            return { key, ingestId, receivedAtMs };
          });
          return { keys, ...(last < count ? { cursor: String(last) } : {}) };
        },
      },
    }));
    const ask = async (query: Query) =>
      bodyOf(listEvents, await big.call(urlOf(query), { token: big.session() }));
    return { ask, rowsRead: () => rowsRead };
  }

  it('counts index entries up to a bound and says that there are more', async () => {
    const { ask, rowsRead } = await large(SCAN_ENTRIES_MAX + 5_000);
    const body = await ask({ limit: 10 });
    expect([body.total, body.total_is_exact, body.events.length]).toEqual([SCAN_ENTRIES_MAX, false, 10]);
    expect(rowsRead()).toBe(10);
    expect((await ask({ limit: 10, offset: 10_000 })).events[0]?.event_id).toBe('e10000');
  });

  it('filters up to a bound, says so, and goes on by cursor until it is found', async () => {
    const { ask, rowsRead } = await large(SCAN_ROWS_MAX + 500);
    const first = await ask({ source: 'rare' });
    expect([first.events, first.total, first.total_is_exact]).toEqual([[], 0, false]);
    expect(rowsRead()).toBe(SCAN_ROWS_MAX);
    const second = await ask({ source: 'rare', cursor: first.next_cursor ?? '' });
    expect(second.events.map(({ event_id }) => event_id)).toEqual([`e${SCAN_ROWS_MAX + 499}`]);
    expect(second.next_cursor).toBeNull();
  });
});
