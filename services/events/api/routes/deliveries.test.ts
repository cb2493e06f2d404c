// GET /v1/deliveries: every delivery once, page by page, and nobody else's.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { listDeliveries } from '#lib/events/routes/deliveries.ts';
import { type ApiHost, bodyOf, codeOf, MINE, NOW, openApi, THEIRS } from '#test/contract/api-host.ts';
import {
  acceptedRow,
  connectionOf,
  deliveryIn,
  normalizedEvent,
  normalizedRow,
  store,
} from '#test/contract/stored-rows.ts';
import { SCAN_ROWS_MAX } from '../events/scan.ts';

let host: ApiHost;
let token = '';
const CONNECTED = PLATFORMS.map(({ slug }) => slug);

beforeEach(async () => {
  host = await openApi();
  token = host.session('member');
  for (const merchantId of [MINE, THEIRS])
    for (const { slug } of PLATFORMS) await connectionOf(host, slug, { merchantId });
});

type Query = Readonly<Record<string, string | number>>;
const urlOf = (query: Query) =>
  `/v1/deliveries?${new URLSearchParams(Object.entries(query).map(([k, v]): [string, string] => [k, String(v)]))}`;
const list = async (query: Query = {}) => bodyOf(listDeliveries, await host.call(urlOf(query), { token }));

/** The event and the platform of each. */
const found = async (query: Query) =>
  (await list(query)).deliveries.map(({ event_id, platform }) => `${event_id} ${platform}`);

async function walk(query: Query) {
  const pages = [await list(query)];
  for (let next = pages[0]?.next_cursor ?? null; next !== null; ) {
    const page = await list({ ...query, cursor: next });
    pages.push(page);
    next = page.next_cursor;
  }
  return pages;
}

const history = [{ atMs: NOW, latencyMs: 12, status: 200, outcome: 'delivered', batchSize: 1 } as const];
const delivery = (state: Delivery['state'], more: Partial<Delivery> = {}) =>
  deliveryIn(state, { history, ...more });
const RAW = {
  clientIp: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  browserIds: { ga_client_id: '1.2', irclickid: 'click-1' },
};
const PAGE_VIEW = { name: 'PageView', raw: RAW } as const;
const row = (eventId: string, minutesAgo: number, deliveries: Record<string, Delivery> = {}) =>
  normalizedRow({
    eventId,
    receivedAtMs: NOW - minutesAgo * 60_000,
    connected: CONNECTED,
    event: PAGE_VIEW,
    deliveries,
  });

/** Those that have a use for the event at all. */
const takers = () => {
  const event = normalizedEvent({ eventId: 'any', event: PAGE_VIEW });
  return PLATFORMS.filter((platform) => platform.unsendable(event) === null).map(({ slug }) => slug);
};

describe('the list', () => {
  it('shows each targeted platform of each event, newest event first, as the event itself does', async () => {
    const old = row('old', 5, { meta: delivery('DELIVERED') });
    await store(host.events, old, row('new', 1), acceptedRow({ eventId: 'fresh' }));
    const { deliveries, next_cursor } = await list();
    const slugs = takers();
    expect(slugs).toContain('meta');
    expect(deliveries.map(({ event_id, platform }) => [event_id, platform])).toEqual([
      ...slugs.map((slug) => ['new', slug]),
      ...slugs.map((slug) => ['old', slug]),
    ]);
    expect(next_cursor).toBeNull();
    const event = await host.call('/v1/events/old', { token });
    expect(deliveries.filter(({ event_id }) => event_id === 'old')).toMatchObject(
      (event.body as { deliveries: object[] }).deliveries,
    );
  });

  it('is filtered by platform, state and time', async () => {
    await store(
      host.events,
      row('a', 1, { meta: delivery('DELIVERED') }),
      row('b', 2, { meta: delivery('FAILED'), tiktok: delivery('DELIVERED') }),
      row('c', 60 * 24 * 40, { meta: delivery('DELIVERED') }),
    );
    expect(await found({ status: 'DELIVERED' })).toEqual(['a meta', 'b tiktok']);
    // By the words of the list of events: what is to be had and is not over, and what is.
    expect(await found({ status: 'pending', platform: 'tiktok' })).toEqual(['a tiktok']);
    expect(await found({ status: 'delivered' })).toEqual(['a meta', 'b tiktok']);
    expect(await found({ status: 'failed', platform: 'meta' })).toEqual(['b meta']);
    expect(await found({ status: 'consent_denied' })).toEqual([]);
    expect(await found({ platform: 'meta' })).toEqual(['a meta', 'b meta']);
    expect(await found({ platform: 'meta', status: 'FAILED' })).toEqual(['b meta']);
    expect(await found({ platform: 'tiktok', status: 'QUEUED' })).toEqual(['a tiktok']);
    const start = new Date(NOW - 50 * 86_400_000).toISOString();
    expect(await found({ status: 'DELIVERED', platform: 'meta', start })).toEqual(['a meta', 'c meta']);
    const latest = new Date(NOW - 90_000).toISOString();
    expect(await found({ start: latest, platform: 'meta' })).toEqual(['a meta']);
  });

  it('is filtered by reason, as it is said or by its beginning', async () => {
    const because = (state: Delivery['state'], reason: string) => delivery(state, { reason });
    await store(
      host.events,
      row('a', 1, { meta: because('FAILED', 'meta.100.2804003'), tiktok: because('RETRY', 'circuit_open') }),
      row('b', 2, { meta: because('FAILED', 'meta.1000'), tiktok: because('RETRY', 'connection_paused') }),
      row('c', 3, { meta: because('SKIPPED', 'invalid:user_data'), tiktok: delivery('DELIVERED') }),
    );
    expect(await found({ reason: 'meta.100.2804003' })).toEqual(['a meta']);
    expect(await found({ reason: 'meta.100' })).toEqual(['a meta']);
    expect(await found({ reason: 'meta' })).toEqual(['a meta', 'b meta']);
    expect(await found({ reason: 'invalid' })).toEqual(['c meta']);
    expect(await found({ reason: 'met' })).toEqual([]);
    const open = { reason: 'circuit_open', status: 'RETRY', platform: 'tiktok' };
    expect(await found(open)).toEqual(['a tiktok']);
    expect(await found({ reason: 'circuit_open', platform: 'meta' })).toEqual([]);
    // What nothing was tried at yet waits for the same connection.
    const tiktok = await host.config.connection(MINE, 'tiktok');
    if (tiktok === null) throw new Error('not connected');
    await host.config.pauseConnection(tiktok, 'auth', NOW);
    await store(host.events, row('d', 0));
    expect(await found({ reason: 'connection_paused' })).toEqual(['d tiktok', 'b tiktok']);
    expect(await found({ reason: 'connection_paused:auth' })).toEqual(['d tiktok']);
    const { next_cursor } = await list({ reason: 'connection_paused', limit: 1 });
    const rest = await list({ reason: 'connection_paused', limit: 1, cursor: next_cursor ?? '' });
    expect(rest.deliveries.map(({ event_id }) => event_id)).toEqual(['b']);
  });

  it('by pages of any size shows every delivery once, wherever a page ends', async () => {
    // Many share a millisecond.
    const rows = Array.from({ length: 23 }, (_, i) => row(`e${i}`, Math.floor(i / 5)));
    await store(host.events, ...rows);
    const wanted = rows.flatMap(({ key }) => takers().map((slug) => `${key.eventId} ${slug}`)).sort();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), async (limit) => {
        const pages = await walk({ limit });
        const seen = pages.flatMap(({ deliveries }) => deliveries.map((d) => `${d.event_id} ${d.platform}`));
        expect([...seen].sort()).toEqual(wanted);
        expect(pages.every(({ deliveries }) => deliveries.length <= limit)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('goes on where it was while new events come in', async () => {
    await store(host.events, row('a', 2), row('b', 3));
    const first = await list({ limit: 1 });
    await store(host.events, row('newer', 1));
    const second = await list({ limit: 100, cursor: first.next_cursor ?? '' });
    expect(second.deliveries.map(({ event_id }) => event_id)).not.toContain('newer');
    expect(first.deliveries.length + second.deliveries.length).toBe(2 * takers().length);
  });

  it('reads up to a bound and goes on by cursor', async () => {
    const count = SCAN_ROWS_MAX + 3;
    const at = (i: number) => ({
      ...row(`e${i}`, 0, i === count - 1 ? { meta: delivery('FAILED') } : {}),
      receivedAtMs: NOW - i * 100,
      ingestId: `00000000-0000-7000-8000-${String(count - i).padStart(12, '0')}`,
    });
    let read = 0;
    const big = await openApi(() => ({
      config: host.config,
      events: {
        read: async () => null,
        readMany: async (keys) => {
          read += keys.length;
          return { rows: keys.map(({ eventId }) => at(Number(eventId.slice(1)))), unreadable: [] };
        },
        received: async ({ limit, cursor, toMs }) => {
          const first = Math.max(Number(cursor ?? 0), Math.ceil((NOW - toMs + 1) / 100));
          const last = Math.min(count, first + limit);
          const keys = Array.from({ length: Math.max(0, last - first) }, (_, i) => {
            const { key, ingestId, receivedAtMs } = at(first + i);
            return { key, ingestId, receivedAtMs };
          });
          return { keys, ...(last < count ? { cursor: String(last) } : {}) };
        },
      },
    }));
    const ask = async (query: Query) =>
      bodyOf(listDeliveries, await big.call(urlOf({ status: 'FAILED', ...query }), { token }));
    const first = await ask({});
    expect(first.deliveries).toEqual([]);
    expect(read).toBeLessThanOrEqual(SCAN_ROWS_MAX + 100);
    const second = await ask({ cursor: first.next_cursor ?? '' });
    expect(second.deliveries.map(({ event_id }) => event_id)).toEqual([`e${count - 1}`]);
    expect(second.next_cursor).toBeNull();
  });
});

describe('refusals', () => {
  it('of cursors of another query or of nobody, and of unknown values', async () => {
    await store(host.events, row('a', 1));
    const cursor = (await list({ limit: 1, platform: 'meta', status: 'QUEUED' })).next_cursor ?? undefined;
    expect(cursor).toBeUndefined();
    const next = (await list({ limit: 1 })).next_cursor ?? '';
    for (const query of [
      { cursor: next, platform: 'meta' },
      { cursor: 'nonsense' },
      { status: 'deliverd' },
      { platform: 'nothing' },
      { reason: '' },
      { reason: 'x'.repeat(201) },
      { cursor: next, reason: 'invalid' },
      { limit: 0 },
      { limit: 101 },
      { offset: 1 },
      { start: '2026-11-02', end: '2026-11-01' },
    ] as readonly Query[]) {
      const reply = await host.call(urlOf(query), { token });
      expect([reply.status, codeOf(reply)], JSON.stringify(query)).toEqual([400, 'invalid_request']);
    }
  });

  it('of everybody else’s deliveries: they are not there', async () => {
    await store(host.events, normalizedRow({ eventId: 'theirs', merchantId: THEIRS, connected: CONNECTED }));
    expect((await list()).deliveries).toEqual([]);
    const theirs = await host.call('/v1/deliveries', { token: host.session('member', 'theirs') });
    expect(bodyOf(listDeliveries, theirs).deliveries.length).toBeGreaterThan(0);
  });
});
