// Promise: the list of connections says what is wrong with each, since when, how much waits and was given up, and why, in the
// platform's own words where it said any; of a connection that takes events it says nothing.
import { beforeEach, describe, expect, it } from 'vitest';
import { endedIncident, foundIncident } from '#lib/events/domain/connections/incident.ts';
import type { Attempt, Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { listIncidents } from '#lib/events/routes/platforms/incidents.ts';
import { listPlatforms } from '#lib/events/routes/platforms/platforms.ts';
import { type ApiHost, bodyOf, MINE, NOW, openApi } from '#test/contract/api-host.ts';
import { connectionOf, deliveryIn, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { addStates, type States } from '#test/support/counted-states.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const iso = (ms: number): string => new Date(ms).toISOString();
const floor = (ms: number, length: number): number => Math.floor(ms / length) * length;

let host: ApiHost;
beforeEach(async () => {
  host = await openApi();
});

const connect = (platform: string) => connectionOf(host, platform, { atMs: NOW - 30 * DAY });
const counted = (platform: string, atMs: number, states: States) =>
  addStates(host.counters, MINE, platform, atMs, states);
const attempt = (atMs: number, more: Partial<Attempt>): Attempt => ({
  atMs,
  latencyMs: 20,
  outcome: 'retry',
  batchSize: 1,
  ...more,
});
const delivery = (state: Delivery['state'], ...history: Attempt[]): Delivery =>
  deliveryIn(state, { attempts: history.length, history });
let made = 0;
const met = async (platform: string, receivedAtMs: number, one: Delivery): Promise<void> => {
  made += 1;
  const deliveries = { [platform]: one };
  await store(host.events, normalizedRow({ eventId: `met-${made}`, receivedAtMs, deliveries }));
};
const all = async () =>
  bodyOf(listPlatforms, await host.call('/v1/platforms', { token: host.session('member') })).platforms;
const health = async (platform: string) => (await all()).find((one) => one.platform === platform)?.health;

describe('a merchant with five kinds of trouble', () => {
  it('is told of each: what, since when, how much waits, how much was given up, and why', async () => {
    const [x, klaviyo, tiktok] = [await connect('x'), await connect('klaviyo'), await connect('tiktok')];
    for (const platform of ['snapchat', 'reddit', 'meta']) await connect(platform);
    // X refuses its credentials for sixteen days, beyond the week in which something waits.
    const refusedMs = NOW - 16 * DAY;
    const words = { code: 'x.32', message: 'Could not authenticate you.', status: 401 };
    await host.config.pauseConnection(x, 'auth', refusedMs, { atMs: refusedMs, ...words });
    await counted('x', refusedMs - 2 * DAY, { ERROR: 1_000 });
    await counted('x', refusedMs + DAY, { ERROR: 331 });
    await counted('x', NOW - 2 * DAY, { RETRY: 1_428 });
    // Klaviyo answers 500 and TikTok nothing: their circuits are open.
    for (const [connection, said] of [
      [klaviyo, { code: 'klaviyo.500', status: 500 }],
      [tiktok, { code: 'timeout' }],
    ] as const) {
      const { platform } = connection;
      const failedCall = { atMs: NOW - 9 * MINUTE, ...said };
      const circuit = { openedAtMs: NOW - 8 * MINUTE, probes: 1, nextProbeAtMs: NOW + MINUTE, failedCall };
      await host.config.setCircuit(connection, circuit, NOW - 8 * MINUTE);
      await counted(platform, NOW - 10 * MINUTE, { RETRY: 5 });
    }
    // Snapchat answers 429, Reddit 502, now and then: no circuit opened.
    for (let i = 0; i < 4; i += 1) {
      const atMs = NOW - 5 * MINUTE + i * 1_000;
      const ok = i === 1 ? { outcome: 'delivered' as const, status: 200 } : undefined;
      const limited = { outcome: 'rate_limited' as const, code: 'snapchat.429', status: 429 };
      await met('snapchat', atMs, delivery(ok ? 'DELIVERED' : 'RETRY', attempt(atMs, ok ?? limited)));
      await met('reddit', atMs, delivery('RETRY', attempt(atMs, { code: 'reddit.502', status: 502 })));
      await met('meta', atMs, delivery('DELIVERED', attempt(atMs, { outcome: 'delivered', status: 200 })));
    }
    await counted('snapchat', NOW - 5 * MINUTE, { RETRY: 3, DELIVERED: 1 });
    await counted('reddit', NOW - 5 * MINUTE, { RETRY: 4 });
    const told = (await all()).map((one) => [one.platform, one.health.backlog, one.health.trouble]);
    const today = iso(floor(NOW - 9 * MINUTE, DAY));
    const { code, message, status: http_status } = words;
    const since = iso(refusedMs);
    const refused = {
      kind: 'refused',
      since,
      given_up: 331,
      given_up_from: iso(floor(refusedMs, DAY)),
      last_error: { at: since, http_status, code, message },
    };
    const begun = { given_up: 0, given_up_from: today };
    const unavailable = (error: object) => ({
      ...begun,
      kind: 'unavailable',
      since: iso(NOW - 8 * MINUTE),
      last_error: { at: iso(NOW - 9 * MINUTE), ...error },
    });
    const failing = (error: object) => ({
      ...begun,
      kind: 'failing',
      since: iso(NOW - 5 * MINUTE),
      last_error: { at: iso(NOW - 5 * MINUTE + 3_000), ...error },
    });
    expect(Object.fromEntries(told.map(([platform, ...rest]) => [platform, rest]))).toEqual({
      x: [1_428, refused],
      klaviyo: [5, unavailable({ http_status: 500, code: 'klaviyo.500' })],
      tiktok: [5, unavailable({ code: 'timeout' })],
      snapchat: [3, failing({ http_status: 429, code: 'snapchat.429' })],
      reddit: [4, failing({ http_status: 502, code: 'reddit.502' })],
      meta: [0, null],
    });
    expect((await health('x'))?.error_rate_24h).toBeNull();
    expect((await health('reddit'))?.error_rate_24h).toBe(1);
    expect((await health('snapchat'))?.error_rate_24h).toBe(0.75);
  });
});

describe('a connection', () => {
  it('that somebody paused says that, and no error', async () => {
    const meta = await connect('meta');
    await host.config.pauseConnection(meta, 'manual', NOW - HOUR);
    const paused = { kind: 'paused', since: iso(NOW - HOUR), last_error: null };
    expect((await health('meta'))?.trouble).toMatchObject(paused);
  });

  it.each([
    ['two calls, both failed', '--', null],
    ['three calls, all failed', '---', 'failing'],
    ['half of them', '+-+-', 'failing'],
    ['fewer than half', '++-', null],
    ['mended: the newest three succeeded', '------+++', null],
    ['mended a moment ago', '------++', 'failing'],
  ])('%s', async (_, calls, kind) => {
    await connect('meta');
    for (const [i, call] of [...calls].entries()) {
      const atMs = NOW - MINUTE + i * 1_000;
      const outcome = call === '+' ? ('delivered' as const) : ('retry' as const);
      await met('meta', atMs, delivery(call === '+' ? 'DELIVERED' : 'RETRY', attempt(atMs, { outcome })));
    }
    expect((await health('meta'))?.trouble?.kind ?? null).toBe(kind);
  });

  it('of which a batch took some events has not failed', async () => {
    await connect('meta');
    for (let i = 0; i < 3; i += 1) {
      const shared = { batchSize: 2, status: 200 };
      const atMs = NOW - MINUTE + i;
      await met('meta', atMs, delivery('FAILED', attempt(atMs, { ...shared, outcome: 'permanent' })));
      await met('meta', atMs, delivery('DELIVERED', attempt(atMs, { ...shared, outcome: 'delivered' })));
    }
    expect(await health('meta')).toMatchObject({ trouble: null, calls_seen: 3, calls_failed: 0 });
  });
});

describe('a connection at the limit of its platform', () => {
  const held = { reason: 'platform_limit', nextAttemptAtMs: NOW + 6 * DAY };
  const wait = async (platform: string, backlog: number, more: Partial<Delivery> = held): Promise<void> => {
    await connect(platform);
    await counted(platform, NOW - HOUR, { RETRY: backlog });
    await met(platform, floor(NOW - HOUR, MINUTE) + 1_000, deliveryIn('RETRY', more));
  };

  it('says since when events are held back, and when they are out at the latest', async () => {
    await wait('klaviyo', 3_000);
    expect(await health('klaviyo')).toMatchObject({
      backlog: 3_000,
      trouble: {
        kind: 'limited',
        since: iso(floor(NOW - HOUR, MINUTE) + 1_000),
        // 150 a minute.
        cleared_by: iso(NOW + 20 * MINUTE),
        given_up: 0,
        last_error: null,
      },
    });
  });

  it('says nothing of what is out in a few minutes, or waits for something else', async () => {
    await wait('klaviyo', 1_000);
    await wait('x', 100_000, { reason: 'out_of_time', nextAttemptAtMs: NOW });
    await wait('meta', 100_000);
    for (const platform of ['klaviyo', 'x', 'meta']) expect((await health(platform))?.trouble).toBeNull();
  });
});

describe('incidents', () => {
  const incidents = async (query = '') =>
    bodyOf(listIncidents, await host.call(`/v1/incidents${query}`, { token: host.session('member') }))
      .incidents;

  it('are what is wrong with connections, in the words of the pages, and none where a person paused one', async () => {
    const [meta, x] = [await connect('meta'), await connect('x')];
    await connect('tiktok');
    await host.config.pauseConnection(meta, 'manual', NOW - HOUR);
    const failedCall = {
      atMs: NOW - 2 * HOUR,
      status: 401,
      code: 'x.32',
      message: 'Could not authenticate you.',
    };
    await host.config.pauseConnection(x, 'auth', NOW - 2 * HOUR, failedCall);
    await counted('x', NOW - HOUR, { RETRY: 7 });
    expect(await incidents()).toEqual([
      {
        id: expect.stringContaining(x.id),
        ...{ window_closes_at: null, limit: null },
        ...{ state: 'open', kind: 'refused', platform: 'x', label: 'X', waiting: 7, given_up: 0 },
        ...{ connection_id: x.id, connection_name: x.name, since: iso(NOW - 2 * HOUR), until: null },
        oldest_waiting: { received_at: iso(floor(NOW - HOUR, MINUTE)) },
        last_error: {
          at: iso(NOW - 2 * HOUR),
          ...{ http_status: 401, code: 'x.32', message: 'Could not authenticate you.' },
        },
        what: 'X refuses its credentials.',
        what_to_do: 'It needs new credentials, or a change at the platform: what waits is sent then.',
      },
    ]);
  });

  it('keep their id when they are over, and are listed by state, the newest first', async () => {
    const meta = await connect('meta');
    const circuit = { openedAtMs: NOW - 9 * HOUR, probes: 0, nextProbeAtMs: NOW };
    await host.config.setCircuit(meta, circuit, NOW - 9 * HOUR);
    const [open] = await incidents('?state=open');
    expect(open).toMatchObject({ kind: 'unavailable', what: 'Meta does not take events.' });
    await host.config.setCircuit({ ...meta, circuit }, null, NOW - 8 * HOUR);
    expect(await incidents('?state=open')).toEqual([]);
    const [over] = await incidents('?state=over');
    expect(over).toMatchObject({
      id: open?.id,
      until: iso(NOW - 8 * HOUR),
      what: 'Meta did not take events.',
    });
    const [stored] = await host.config.listConnections(MINE);
    await host.config.pauseConnection(stored ?? meta, 'auth', NOW - HOUR);
    expect((await incidents()).map(({ state, kind }) => `${state} ${kind}`)).toEqual([
      'open refused',
      'over unavailable',
    ]);
    expect((await host.call('/v1/incidents?state=closed', { token: host.session('member') })).status).toBe(
      400,
    );
  });

  it('that are over say what was given up in their days, and what of it still waits, from counters alone', async () => {
    const [meta, x] = [await connect('meta'), await connect('x')];
    const circuit = { openedAtMs: NOW - 3 * DAY, probes: 0, nextProbeAtMs: NOW };
    await host.config.setCircuit(meta, circuit, NOW - 3 * DAY);
    await host.config.setCircuit({ ...meta, circuit }, null, NOW - 2 * DAY);
    const old = { ...circuit, openedAtMs: NOW - 150 * DAY };
    await host.config.setCircuit(x, old, NOW - 150 * DAY);
    await host.config.setCircuit({ ...x, circuit: old }, null, NOW - 149 * DAY);
    for (const [days, ERROR] of [
      [4, 100],
      [3, 10],
      [2, 1],
      [1, 1_000],
    ] as const)
      await counted('meta', NOW - days * DAY, { ERROR, RETRY: ERROR * 2 });
    const found = await incidents('?state=over');
    expect(found.map(({ platform, given_up, waiting }) => [platform, given_up, waiting])).toEqual([
      ['meta', 11, 22],
      ['x', null, 0],
    ]);
  });

  it('that stages found are listed with the others, with when a window closes and what is used of a limit', async () => {
    const meta = await connect('meta');
    await host.config.pauseConnection(meta, 'manual', NOW - 80 * DAY);
    await counted('meta', NOW - DAY, { RETRY: 7, ERROR: 2 });
    const closesAtMs = NOW + 5 * HOUR;
    const about = { merchantId: MINE, sinceMs: NOW - HOUR } as const;
    const window = { ...about, kind: 'window', subject: 'meta', connectionId: meta.id } as const;
    const limit = { ...about, kind: 'limit', subject: 'server_events' } as const;
    const kept = foundIncident(null, { ...window, facts: { closesAtMs } }, NOW - HOUR);
    await host.incidents.writeIncident(kept, 0);
    const first = foundIncident(
      null,
      { ...limit, sinceMs: NOW - 2 * HOUR, facts: { used: 90, limit: 100 } },
      NOW - 2 * HOUR,
    );
    const over = endedIncident(first, NOW - 90 * MINUTE);
    await host.incidents.writeIncident(
      foundIncident(over, { ...limit, facts: { used: 80, limit: 100 } }, NOW),
      0,
    );
    const [open, near, ended] = await incidents();
    expect([open, near].toSorted((a, b) => (a?.kind ?? '').localeCompare(b?.kind ?? ''))).toMatchObject([
      {
        ...{
          id: expect.stringMatching(/^limit-server_events-/),
          state: 'open',
          kind: 'limit',
          platform: null,
        },
        ...{ limit: { name: 'server_events', used: 80, of: 100 }, given_up: null, waiting: 0 },
        what: 'Events from servers are near the limit of a minute or a day, or beyond it.',
      },
      {
        ...{
          id: `${meta.id}-window-${(NOW - HOUR).toString(36)}`,
          state: 'open',
          kind: 'window',
          label: 'Meta',
        },
        ...{ connection_name: meta.name, window_closes_at: iso(closesAtMs), waiting: 7 },
        what: 'Meta will soon be too late for events that wait for it.',
      },
    ]);
    expect(ended).toMatchObject({
      ...{ state: 'over', kind: 'limit', until: iso(NOW - 90 * MINUTE), what_to_do: null },
      what: 'Events from servers were near the limit of a minute or a day, or beyond it.',
    });
    expect(ended?.id).not.toBe(near?.id);
    const theirs = await host.call('/v1/incidents', { token: host.session('member', 'theirs') });
    expect(bodyOf(listIncidents, theirs).incidents).toEqual([]);
  });

  it('of a platform that pages say to fail are asked of the stage that keeps them, once', async () => {
    await connect('meta');
    for (let i = 0; i < 3; i += 1)
      await met('meta', NOW - MINUTE + i, delivery('RETRY', attempt(NOW - MINUTE + i, { status: 500 })));
    for (let i = 0; i < 3; i += 1) expect(await incidents()).toEqual([]);
    const work = host.taskWork.receive(10).map(({ body }) => body);
    expect(work).toEqual([{ merchant: MINE, incident: 'failing', subject: 'meta' }]);
    const lastError = { atMs: NOW - MINUTE, status: 500 };
    const facts = { merchantId: MINE, kind: 'failing', subject: 'meta', sinceMs: NOW - MINUTE } as const;
    await host.incidents.writeIncident(foundIncident(null, { ...facts, facts: { lastError } }, NOW), 0);
    expect(await incidents()).toMatchObject([
      { kind: 'failing', since: iso(NOW - MINUTE), last_error: { http_status: 500 } },
    ]);
    expect(host.taskWork.receive(10)).toEqual([]);
  });

  it('of another merchant are not seen, and a shop without connections has none', async () => {
    const x = await connect('x');
    await host.config.pauseConnection(x, 'auth', NOW);
    const theirs = await host.call('/v1/incidents', { token: host.session('member', 'theirs') });
    expect(bodyOf(listIncidents, theirs).incidents).toEqual([]);
  });
});
