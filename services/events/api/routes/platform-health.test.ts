// Promise: the list of connections says how each fares, from counters and a bounded number of reads: whatever is stored, whatever
// a merchant's shards, and nothing of anybody else's.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import type { BucketKey } from '#lib/events/ports/counter-store.ts';
import { listEvents } from '#lib/events/routes/events.ts';
import { listPlatforms } from '#lib/events/routes/platforms/platforms.ts';
import { type ApiHost, bodyOf, MINE, NOW, openApi, THEIRS } from '#test/contract/api-host.ts';
import { connectionOf, deliveryIn, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { addCounters, addStates, type States, statesAt } from '#test/support/counted-states.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const at = (ms: number): string => new Date(ms).toISOString();
const floor = (ms: number, length: number): number => Math.floor(ms / length) * length;

let host: ApiHost;
beforeEach(async () => {
  host = await openApi();
});
const connect = (platform: string, merchantId: string = MINE, of: ApiHost = host) =>
  connectionOf(of, platform, { merchantId });
const health = async (platform = 'meta', of: ApiHost = host) => {
  const reply = await of.call('/v1/platforms', { token: of.session('member') });
  return bodyOf(listPlatforms, reply).platforms.find((one) => one.platform === platform)?.health;
};
/** In one slot, of any shard. */
const add = (slot: Pick<BucketKey, 'grain' | 'startMs' | 'shard'>, states: States, platform = 'meta') =>
  addCounters(host.counters, { merchantId: MINE, ...slot }, statesAt(platform, states));
const counted = (atMs: number, states: States, platform = 'meta', by = MINE) =>
  addStates(host.counters, by, platform, atMs, states);
const call = (atMs: number, latencyMs: number, batchSize = 1): Delivery['history'][number] => ({
  atMs,
  latencyMs,
  outcome: 'delivered',
  batchSize,
});
const row = (eventId: string, receivedAtMs: number, meta?: Delivery, merchantId: string = MINE) =>
  normalizedRow({
    eventId,
    merchantId,
    receivedAtMs,
    connected: ['meta'],
    deliveries: meta === undefined ? {} : { meta },
  });

const NOTHING = {
  last_delivered_at: null,
  delivered_24h: 0,
  undelivered_24h: 0,
  retrying_24h: 0,
  error_rate_24h: null,
  backlog: 0,
  later: [],
  oldest_waiting: null,
  circuit: { state: 'closed' },
  trouble: null,
  outages: [],
  call_latency_p95_ms: null,
  calls_seen: 0,
  calls_failed: 0,
};

describe('what is said', () => {
  it('of a connection that never had anything to do is nothing', async () => {
    await connect('meta');
    expect(await health()).toEqual(NOTHING);
  });

  it('is what was delivered, what was not, and how much of it, over the last day', async () => {
    await connect('meta');
    await connect('ga4');
    await counted(NOW - 2 * HOUR, { DELIVERED: 6, FAILED: 1, rule_excluded: 9 });
    await counted(NOW - 20 * HOUR, { DELIVERED: 2, ERROR: 1, SKIPPED: 5 });
    await counted(NOW - 30 * HOUR, { FAILED: 100 });
    await counted(NOW - HOUR, { FAILED: 100 }, 'ga4', THEIRS);
    const days = { delivered_24h: 8, undelivered_24h: 2, error_rate_24h: 0.2, backlog: 0 };
    const hour = at(floor(NOW - 2 * HOUR, HOUR));
    expect(await health()).toEqual({ ...NOTHING, ...days, last_delivered_at: hour });
    expect(await health('ga4')).toEqual(NOTHING);
  });

  it('is what it rejected later, since when, and by which code the list finds that', async () => {
    await connect('meta');
    const [since, today] = [floor(NOW - 7 * DAY, DAY), floor(NOW, DAY)];
    const rejected = {
      ...{ events: 1, byName: { Purchase: 1 }, ...statesAt('meta', { FAILED: 1 }) },
      ...{ codes: { meta: { 'meta.7': 1 } }, later: { meta: { 'rejected:meta.7': 1 } } },
    };
    for (const startMs of [since - DAY, since, today - DAY])
      await addCounters(host.counters, { merchantId: MINE, grain: 'day', startMs }, rejected);
    const fate = deliveryIn('FAILED', { reason: 'meta.7' });
    const rows = [since - 1, since, today - 1].map((ms, i) => row(`e${i}`, ms, fate));
    await store(host.events, ...rows, row('other', today - 1, deliveryIn('FAILED', { reason: 'meta.8' })));
    const [later] = (await health())?.later ?? [];
    expect(later).toEqual({ word: 'rejected', reason: 'meta.7', events: 2, since: at(since) });
    const query = { platform: 'meta', status: 'FAILED', code: 'meta.7', start: later?.since ?? '' };
    const list = await host.call(`/v1/events?${new URLSearchParams(query)}`, {
      token: host.session('member'),
    });
    expect(bodyOf(listEvents, list).events.map(({ event_id }) => event_id)).toEqual(['e2', 'e1']);
  });

  it('is when the platform last took an event: to the millisecond where the event is among the newest', async () => {
    await connect('meta');
    await counted(NOW - 5 * DAY, { DELIVERED: 1 });
    expect((await health())?.last_delivered_at).toBe(at(floor(NOW - 5 * DAY, DAY)));
    const [earlier, later] = [NOW - 5_000, NOW - 4_000];
    await store(
      host.events,
      row('a', NOW - HOUR, deliveryIn('DELIVERED', { deliveredAtMs: later })),
      row('b', NOW - MINUTE, deliveryIn('DELIVERED', { deliveredAtMs: earlier })),
    );
    expect((await health())?.last_delivered_at).toBe(at(later));
  });

  it('is the slowest of most calls, a call of many events being one', async () => {
    await connect('meta');
    const batch = call(NOW - 9_000, 900, 50);
    const by = (one: typeof batch) => deliveryIn('DELIVERED', { history: [one] });
    await store(
      host.events,
      ...Array.from({ length: 50 }, (_, i) => row(`b${i}`, NOW - 10_000, by(batch))),
      ...Array.from({ length: 39 }, (_, i) => row(`s${i}`, NOW - 20_000, by(call(NOW - 8_000 + i, 10 + i)))),
    );
    expect(await health()).toMatchObject({ calls_seen: 40, call_latency_p95_ms: 47 });
  });

  it('is the circuit, and when it is probed', async () => {
    const connection = await connect('meta');
    const circuit = { openedAtMs: NOW - 9_000, probes: 3, nextProbeAtMs: NOW + 9_000 };
    await host.config.setCircuit(connection, circuit, NOW - 9_000);
    const probe = { opened_at: at(NOW - 9_000), next_probe_at: at(NOW + 9_000) };
    expect((await health())?.circuit).toEqual({ state: 'open', ...probe });
  });

  it('is the outages that are over, newest last', async () => {
    const connection = await connect('meta');
    expect((await health())?.outages).toEqual([]);
    const circuit = { openedAtMs: NOW - 50 * MINUTE, probes: 3, nextProbeAtMs: NOW };
    await host.config.setCircuit(connection, circuit, NOW - 50 * MINUTE);
    expect((await health())?.outages).toEqual([]);
    await host.config.setCircuit({ ...connection, circuit }, null, NOW - 40 * MINUTE);
    const [closed] = await host.config.listConnections(connection.merchantId);
    await host.config.pauseConnection(closed ?? connection, 'auth', NOW - 20 * MINUTE);
    const [paused] = await host.config.listConnections(connection.merchantId);
    await host.config.changeConnection(paused ?? connection, { pause: null }, NOW - MINUTE);
    expect((await health())?.outages).toEqual([
      { cause: 'circuit', started_at: at(NOW - 50 * MINUTE), ended_at: at(NOW - 40 * MINUTE) },
      { cause: 'auth', started_at: at(NOW - 20 * MINUTE), ended_at: at(NOW - MINUTE) },
    ]);
  });
});

describe('what waits', () => {
  const RECEIVED = NOW - 3 * DAY - 5 * HOUR;

  it('is counted over the week, with the event that waits longest and until when it may', async () => {
    await connect('meta');
    const retry = deliveryIn('RETRY', { nextAttemptAtMs: NOW + 7_000, reason: 'meta.2' });
    await counted(RECEIVED, { RETRY: 1, DELIVERED: 2 });
    await counted(NOW - 2 * MINUTE, { QUEUED: 2, SENDING: 1 });
    await store(
      host.events,
      row('before', RECEIVED - 2_000, deliveryIn('DELIVERED')),
      row('waits', RECEIVED, retry),
      row('after', RECEIVED + 1_000, retry),
    );
    const received_at = at(RECEIVED);
    const window_closes_at = at(floor(RECEIVED, 1_000) + 7 * DAY);
    const oldest_waiting = { received_at, next_attempt_at: at(NOW + 7_000), window_closes_at };
    expect(await health()).toMatchObject({ backlog: 4, oldest_waiting });
  });

  it('for the connection says no next attempt: it goes when the connection works', async () => {
    const connection = await connect('meta');
    await host.config.pauseConnection(connection, 'auth', NOW);
    await counted(NOW - HOUR, { RETRY: 1 });
    const parked = deliveryIn('RETRY', { nextAttemptAtMs: NOW + 6 * DAY, reason: 'connection_paused' });
    await store(host.events, row('waits', NOW - HOUR, parked));
    const found = (await health())?.oldest_waiting;
    const until = at(floor(NOW - HOUR, 1_000) + 7 * DAY);
    const untilThen = { window_closes_at: until, platform_takes_until: until };
    expect(found).toEqual({ received_at: at(NOW - HOUR), ...untilThen });
  });

  it('for a pause of weeks is found as well', async () => {
    const connection = await connect('x');
    await host.config.pauseConnection(connection, 'auth', NOW - 30 * DAY);
    await counted(NOW - 29 * DAY, { RETRY: 3 }, 'x');
    expect(await health('x')).toMatchObject({ backlog: 3 });
  });

  it('is said to the minute where the event is not found, and to the hour where the minute is not', async () => {
    await connect('meta');
    await counted(NOW - 2 * HOUR, { QUEUED: 1 });
    expect((await health())?.oldest_waiting).toEqual({ received_at: at(floor(NOW - 2 * HOUR, MINUTE)) });
    await add({ grain: 'hour', startMs: floor(NOW - 4 * HOUR, HOUR) }, { QUEUED: 1 });
    expect((await health())?.oldest_waiting).toEqual({ received_at: at(floor(NOW - 4 * HOUR, HOUR)) });
  });

  it('is found in the shard that counts it', async () => {
    await connect('meta');
    const startMs = floor(NOW - 2 * HOUR, MINUTE);
    const waiting = { ...row('sharded', startMs + 5_000), shard: 3 };
    await add({ grain: 'hour', startMs: floor(startMs, HOUR) }, { QUEUED: 1 });
    await add({ grain: 'minute', startMs }, { DELIVERED: 1 });
    await add({ grain: 'minute', startMs, shard: 3 }, { QUEUED: 1 });
    await store(host.events, waiting);
    expect((await health())?.oldest_waiting).toMatchObject({ received_at: at(startMs + 5_000) });
  });

  it('of another merchant is not seen', async () => {
    await connect('meta');
    await connect('meta', THEIRS);
    await counted(NOW - HOUR, { RETRY: 5 }, 'meta', THEIRS);
    await store(host.events, row('theirs', NOW - HOUR, deliveryIn('RETRY'), THEIRS));
    expect(await health()).toEqual(NOTHING);
  });
});

it('costs a bounded number of reads, however much there is: 4 for all, and 4 for each that has something waiting', async () => {
  let reads: string[] = [];
  const counting = await openApi(({ counters, events, config }) => {
    const noted =
      <Args extends readonly unknown[], Answer>(name: string, read: (...args: Args) => Answer) =>
      (...args: Args): Answer => {
        reads.push(name);
        return read(...args);
      };
    const range = noted('range', host.counters.range);
    return {
      counters: { ...host.counters, range, openedShards: counters.openedShards },
      events: {
        read: noted('read', events.read),
        readMany: noted('readMany', host.events.readMany),
        received: noted('received', host.events.received),
      },
      config: { ...config, everyConnection: noted('everyConnection', host.config.everyConnection) },
    };
  });
  const ask = async (): Promise<number> => {
    reads = [];
    await counting.call('/v1/platforms', { token: counting.session('member') });
    return reads.length;
  };
  expect(await ask()).toBe(1);
  for (const { slug } of PLATFORMS) await connect(slug);
  expect(await ask()).toBe(1 + 3);
  // A week in which every minute of some hours has rows, and every platform waits since another day.
  for (const [i, { slug }] of PLATFORMS.entries()) {
    const atMs = NOW - (1 + (i % 6)) * DAY - i * HOUR;
    await counted(atMs, { QUEUED: 1_000, DELIVERED: 1_000 }, slug);
    for (let minute = 0; minute < 60; minute++)
      await add({ grain: 'minute', startMs: floor(atMs, HOUR) + minute * MINUTE }, { QUEUED: 9 }, slug);
  }
  await store(host.events, ...Array.from({ length: 300 }, (_, i) => row(`e${i}`, NOW - 1_000 - i)));
  const most = await ask();
  expect(most).toBeGreaterThan(1 + 4);
  expect(most).toBeLessThanOrEqual(1 + 4 + 4 * PLATFORMS.length);
  for (let i = 0; i < 300; i++) await store(host.events, row(`more${i}`, NOW - 500_000 - i));
  expect(await ask()).toBe(most);
});

it('says of each platform how long it takes an event', async () => {
  const reply = await host.call('/v1/platforms', { token: host.session('member') });
  const { available } = bodyOf(listPlatforms, reply);
  const windows = Object.fromEntries(available.map((one) => [one.platform, one.acceptance_window_sec]));
  expect(windows).toMatchObject({ ga4: 259_200, meta: 604_800, x: 90 * 86_400 });
});
