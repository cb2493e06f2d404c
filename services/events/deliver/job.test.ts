// Goal: what a row's delivery becomes: which rows share a request, which worker may send, and what prevents it.
import { expect, it } from 'vitest';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { dayOf } from '#lib/core/work/utc-day.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { LEASE_MS, lease } from '#lib/events/domain/deliveries/transition.ts';
import type { Quota } from '#lib/events/platforms/platform.ts';
import type { NormalizedDraft } from '#test/contract/stored-rows.ts';
import { SYNTHETIC_PLATFORMS } from '#test/simulation/synthetic-platforms.ts';
import {
  allTaken,
  createDelivery,
  eventIds,
  RECEIVED_MS,
  reply,
  rowFor,
  SHOP,
} from '#test/support/delivery.ts';
import { testMerchant } from '#test/support/ingestion.ts';
import { createMemoryLeaseStore as SHARED } from '#test/support/memory/lease-store.ts';
import { BREAKER_THRESHOLD } from './circuit/breaker.ts';

const MERCHANT = { ...testMerchant(), merchantId: SHOP };
const alpha = (eventId: string, over: Partial<NormalizedDraft> = {}) => rowFor('alpha', eventId, over);
const NO_ANSWER = { kind: 'failure', code: 'timeout', maybeDelivered: true, message: 'timeout' } as const;
const withDelivery = (eventId: string, delivery: Delivery) =>
  alpha(eventId, { deliveries: { alpha: delivery } });

it('fills requests up to the platform’s size, each with events of one group', async () => {
  const from = (person: string) => ({ event: { hashed: { emailPlain: person } } });
  const rows = [
    ...Array.from({ length: 12 }, (_, i) => rowFor('carol', `j${i}`, from('jane'))),
    ...Array.from({ length: 3 }, (_, i) => rowFor('carol', `k${i}`, from('kim'))),
  ];
  const { run, requests } = await createDelivery(rows);
  expect(await run('carol', rows)).toEqual([]);
  const ids = rows.map(({ key }) => key.eventId);
  expect(requests.map(eventIds)).toEqual([ids.slice(0, 10), ids.slice(10, 12), ids.slice(12)]);
});

it('leaves a row alone that another worker leased, or whose retry is not due', async () => {
  const at = RECEIVED_MS + 1_000;
  const retry = { ...lease(undefined, RECEIVED_MS, false), state: 'RETRY' } as const;
  const rows = [
    withDelivery('leased', lease(undefined, at - LEASE_MS + 1, false)),
    withDelivery('early', { ...retry, nextAttemptAtMs: at + 1 }),
    withDelivery('lapsed', lease(undefined, at - LEASE_MS, false)),
    withDelivery('due', { ...retry, nextAttemptAtMs: at }),
  ];
  const { run, requests, deliveryOf } = await createDelivery(rows);
  await run('alpha', rows, { first: false });
  expect(requests.map(eventIds)).toEqual([['lapsed', 'due']]);
  // A worker whose lease lapsed may have sent; a worker that wrote a retry had read its answer.
  expect(['lapsed', 'due'].map((id) => deliveryOf('alpha', id)?.unknowns)).toEqual([1, 0]);
});

it('sends nothing where another worker takes the lease first', async () => {
  const row = alpha('e');
  const { run, requests, events, deliveryOf } = await createDelivery([row]);
  let theirs: Delivery | undefined;
  const putDelivery: typeof events.putDelivery = async (seen, patch) => {
    if (theirs === undefined) {
      theirs = lease(undefined, RECEIVED_MS, false);
      const leased = { platform: 'alpha', delivery: theirs, dueAtMs: RECEIVED_MS + LEASE_MS };
      await events.putDelivery(seen, leased);
    }
    return await events.putDelivery(seen, patch);
  };
  expect(await run('alpha', [row], { first: false, events: { ...events, putDelivery } })).toEqual([]);
  expect(requests).toEqual([]);
  expect(deliveryOf('alpha', 'e')).toEqual(theirs);
});

it('records a success over what another worker wrote meanwhile, and a refusal not', async () => {
  for (const [word, state] of [
    ['ok', 'DELIVERED'],
    ['bad', 'SENDING'],
  ] as const) {
    const row = alpha('e');
    const { run, vendor, events, deliveryOf } = await createDelivery([row]);
    vendor.answer = async () => {
      const delivery = lease(undefined, RECEIVED_MS + 1_000, true);
      await events.putDelivery(row, { platform: 'alpha', delivery, dueAtMs: RECEIVED_MS + LEASE_MS });
      return reply(200, { results: { e: word } });
    };
    await run('alpha', [row]);
    expect(deliveryOf('alpha', 'e')?.state).toBe(state);
  }
});

it('notes the request of the worker whose lease its success overtakes, and not that of a lease that ended', async () => {
  const row = alpha('e');
  const { run, vendor, events, deliveryOf } = await createDelivery([row]);
  vendor.answer = async () => {
    // Another first copy was left behind at its cutoff.
    const delivery = lease(undefined, RECEIVED_MS + 1_000, false);
    await events.putDelivery(row, { platform: 'alpha', delivery, dueAtMs: RECEIVED_MS + LEASE_MS });
    return reply(200, { results: { e: 'ok' } });
  };
  await run('alpha', [row]);
  expect(deliveryOf('alpha', 'e')).toMatchObject({ state: 'DELIVERED', unknowns: 1 });
  const later = alpha('later');
  const { clock, ...second } = await createDelivery([later]);
  const leased = { platform: 'alpha', delivery: lease(undefined, RECEIVED_MS, false), dueAtMs: RECEIVED_MS };
  await second.events.putDelivery(later, leased);
  clock.advance(2 * LEASE_MS);
  await second.run('alpha', [later], { first: false });
  expect(second.deliveryOf('alpha', 'later')).toMatchObject({ state: 'DELIVERED', unknowns: 1 });
});

it('knows its own lease also after another worker noted on it that an earlier request may have arrived', async () => {
  const row = alpha('e');
  const { run, vendor, deliveryOf } = await createDelivery([row]);
  const [leased, recorded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let second: Promise<unknown> = Promise.resolve();
  vendor.answer = async () => {
    vendor.answer = async () => {
      leased.resolve();
      await recorded.promise;
      return NO_ANSWER;
    };
    second = run('alpha', [row], { first: false });
    await leased.promise;
    return NO_ANSWER;
  };
  await run('alpha', [row]);
  expect(deliveryOf('alpha', 'e')).toMatchObject({ state: 'SENDING', unknowns: 2 });
  recorded.resolve();
  await second;
  expect(deliveryOf('alpha', 'e')).toMatchObject({ state: 'RETRY', attempts: 1, unknowns: 3 });
});

it('parks what meets a paused connection until its last chance, in one write, and leaves it alone from then on', async () => {
  const row = alpha('e');
  const { run, config, clock, requests, deliveryOf } = await createDelivery([row]);
  const connection = await config.connection(SHOP, 'alpha');
  if (connection !== null) await config.pauseConnection(connection, 'auth', clock.now());
  await run('alpha', [row]);
  expect(requests).toEqual([]);
  const delivery = deliveryOf('alpha', 'e');
  expect(delivery).toMatchObject({ state: 'RETRY', reason: 'connection_paused', attempts: 0 });
  expect((delivery?.nextAttemptAtMs ?? 0) - clock.now()).toBeGreaterThan(6 * 86_400_000);
  for (const first of [true, false]) await run('alpha', [row], { first });
  expect(deliveryOf('alpha', 'e')).toEqual(delivery);
});

it('pauses the connection that the platform refuses; its events keep their attempts', async () => {
  const row = alpha('e');
  const { run, vendor, config, deliveryOf } = await createDelivery([row]);
  vendor.answer = () => reply(401, {});
  await run('alpha', [row]);
  expect(await config.connection(SHOP, 'alpha')).toMatchObject({
    status: 'paused',
    pausedReason: 'auth',
    failedCall: { status: 401, code: 'http_401' },
  });
  expect(deliveryOf('alpha', 'e')).toMatchObject({ state: 'RETRY', attempts: 0 });
});

it('records what came of the events also where the pause cannot be written', async () => {
  const row = alpha('e');
  const { run, vendor, config, deliveryOf, problems } = await createDelivery([row]);
  vendor.answer = () => reply(401, {});
  const pauseConnection = async () => Promise.reject(new Error('away'));
  expect(await run('alpha', [row], { config: { ...config, pauseConnection } })).toEqual([]);
  expect(deliveryOf('alpha', 'e')).toMatchObject({ state: 'RETRY', attempts: 0 });
  expect(problems).toEqual(['a connection was not paused']);
});

it('lets events wait whose id in the settings is refused, and takes the platform for well', async () => {
  const rows = Array.from({ length: BREAKER_THRESHOLD + 2 }, (_, i) => alpha(`e${i}`));
  const { run, config, clock, deliveryOf } = await createDelivery(rows);
  const outcome = { kind: 'retry', code: 'no_such_tag', retryAfterSec: 3_600, setting: true } as const;
  const platforms = SYNTHETIC_PLATFORMS.map((one) => ({ ...one, readResponse: () => [outcome] }));
  for (const row of rows.slice(0, -1)) await run('alpha', [row], { platforms });
  expect((await config.connection(SHOP, 'alpha'))?.circuit).toBeUndefined();
  const waits = { state: 'RETRY', reason: 'no_such_tag', attempts: 1 };
  expect(deliveryOf('alpha', 'e0')).toMatchObject(waits);
  expect(deliveryOf('alpha', 'e0')?.nextAttemptAtMs).toBeGreaterThanOrEqual(clock.now() + 3_500_000);
  expect(deliveryOf('alpha', `e${BREAKER_THRESHOLD}`)).toMatchObject(waits);
  await run('alpha', rows.slice(-1));
  expect(deliveryOf('alpha', `e${BREAKER_THRESHOLD + 1}`)?.state).toBe('DELIVERED');
});

it('leaves a platform alone whose calls keep failing, then lets one request through', async () => {
  const rows = Array.from({ length: BREAKER_THRESHOLD + 2 }, (_, i) => alpha(`e${i}`));
  const { run, vendor, config, clock, requests, deliveryOf } = await createDelivery(rows);
  vendor.answer = () => reply(503, {});
  for (const row of rows.slice(0, -1)) await run('alpha', [row]);
  expect(requests).toHaveLength(BREAKER_THRESHOLD);
  expect((await config.connection(SHOP, 'alpha'))?.circuit?.failedCall).toMatchObject({ status: 503 });
  const last = deliveryOf('alpha', `e${BREAKER_THRESHOLD}`);
  expect(last).toMatchObject({ state: 'RETRY', reason: 'circuit_open', attempts: 0 });
  clock.advance(30_000);
  vendor.answer = allTaken;
  await run('alpha', rows.slice(-1));
  expect(deliveryOf('alpha', `e${BREAKER_THRESHOLD + 1}`)?.state).toBe('DELIVERED');
});

it('takes the last chance at an open circuit rather than lose the event to its window', async () => {
  const ageMaxSec = 7 * 86_400;
  const eventTimeSec = RECEIVED_MS / 1_000 - ageMaxSec + 40;
  const row = alpha('e', { event: { eventTimeSec } });
  const { run, ports, breaker, requests } = await createDelivery([row]);
  for (let i = 0; i < BREAKER_THRESHOLD; i++) breaker.record(`alpha-${SHOP}`, false, ports.clock.now());
  await run('alpha', [row]);
  expect(requests).toHaveLength(1);
});

it('sends after a month what waited that long for a paused connection, and tries it for a week from then', async () => {
  const row = rowFor('carol', 'e');
  const { run, config, clock, vendor, requests, deliveryOf } = await createDelivery([row]);
  const connection = async () => (await config.connection(SHOP, 'carol')) ?? expect.unreachable();
  await config.pauseConnection(await connection(), 'auth', clock.now());
  await run('carol', [row]);
  const parked = deliveryOf('carol', 'e');
  expect(parked).toMatchObject({ state: 'RETRY', reason: 'connection_paused' });
  expect(parked?.nextAttemptAtMs).toBe(RECEIVED_MS + 90 * DAY_MS - 300_000);
  clock.advance(30 * DAY_MS);
  await config.changeConnection(await connection(), { pause: null }, clock.now());
  vendor.answer = () => reply(503, {});
  await run('carol', [row], { first: false });
  expect(requests).toHaveLength(1);
  expect(deliveryOf('carol', 'e')).toMatchObject({ state: 'RETRY', attempts: 1 });
  clock.advance(8 * DAY_MS);
  await run('carol', [row], { first: false });
  expect(deliveryOf('carol', 'e')).toMatchObject({ state: 'ERROR', reason: 'gave_up', attempts: 1 });
});

it('keeps for a pause no longer than the merchant keeps the event', async () => {
  const row = rowFor('carol', 'e');
  const { run, config, vendor, clock, deliveryOf } = await createDelivery([row]);
  await config.putMerchant({ ...MERCHANT, retentionDays: 10 });
  vendor.answer = () => reply(401, {});
  await run('carol', [row]);
  const refused = deliveryOf('carol', 'e')?.nextAttemptAtMs;
  expect(refused).toBe(RECEIVED_MS + 10 * DAY_MS - 300_000);
  clock.advance(10 * DAY_MS);
  await run('carol', [row], { first: false });
  expect(deliveryOf('carol', 'e')).toMatchObject({ state: 'ERROR', reason: 'gave_up' });
});

it('ends without a request what nobody takes any more, and says why', async () => {
  const cases: readonly [Partial<NormalizedDraft>, (at: Rig) => unknown, Partial<Delivery>][] = [
    [{}, ({ clock }) => clock.advance(7 * DAY_MS), { state: 'ERROR', reason: 'window_closed' }],
    [{}, ({ eventVault }) => eventVault.eraseDay(SHOP, dayOf(RECEIVED_MS)), ERASED],
    [{}, ({ config }) => config.deleteConnection(SHOP, `alpha-${SHOP}`, { atMs: 5 }), DISCONNECTED],
    // Connected again since: earlier decisions do not hold for the new connection.
    [{ routingVersion: 0 }, () => undefined, DISCONNECTED],
    [{ event: { orderId: undefined } as never }, () => undefined, INVALID],
  ];
  for (const [draft, happen, ended] of cases) {
    const row = alpha('e', draft);
    const rig = await createDelivery([row]);
    await happen(rig);
    expect(await rig.run('alpha', [row])).toEqual([]);
    expect(rig.requests).toEqual([]);
    expect(rig.deliveryOf('alpha', 'e')).toMatchObject({ ...ended, attempts: 0 });
  }
});

type Rig = Awaited<ReturnType<typeof createDelivery>>;
const ERASED = { state: 'ERROR', reason: 'personal_data_erased' } as const;
const INVALID = { state: 'SKIPPED', reason: 'invalid:order_id' } as const;
const DISCONNECTED = { state: 'SKIPPED', reason: 'not_connected' } as const;

it('starts no request that it has no time for, and puts those events off', async () => {
  const rows = Array.from({ length: 60 }, (_, i) => rowFor('carol', `e${i}`));
  const { run, vendor, clock, requests, deliveryOf } = await createDelivery(rows);
  vendor.answer = (request) => {
    clock.advance(30_000);
    return allTaken(request);
  };
  await run('carol', rows);
  // One at the start, one after half a minute; then it is too late.
  expect(requests).toHaveLength(2);
  const deliveries = rows.map(({ key }) => deliveryOf('carol', key.eventId));
  expect(deliveries.filter((delivery) => delivery?.state === 'DELIVERED')).toHaveLength(20);
  const late = deliveries.filter((delivery) => delivery?.reason === 'out_of_time');
  expect(late).toHaveLength(40);
  // Five begin side by side; the sixth was not begun at all.
  expect(late.filter((delivery) => delivery?.attempts === 0)).toHaveLength(10);
});

it('asks for a count of what ends late; what ends at once is counted anyway', async () => {
  const row = alpha('e');
  for (const [lateMs, hints] of [
    [0, 0],
    [5_000, 1],
  ] as const) {
    const { run, clock, counterRefresh } = await createDelivery([row]);
    clock.advance(lateMs);
    await run('alpha', [row]);
    expect(counterRefresh.size()).toBe(hints);
  }
});

it('costs the event an attempt whose platform throws for it, and no other event anything', async () => {
  const rows = [alpha('bad'), alpha('good')];
  for (const method of ['unsendable', 'groupKey', 'buildRequest'] as const) {
    const { run, requests, deliveryOf } = await createDelivery(rows);
    const platforms = SYNTHETIC_PLATFORMS.map((platform) => ({
      ...platform,
      [method]: (...args: readonly unknown[]) => {
        if (JSON.stringify(args[0]).includes('"orderId":"bad"')) throw new TypeError('a defect');
        const plain = platform[method] as (...args: readonly unknown[]) => unknown;
        return method === 'groupKey' ? '' : plain(...args);
      },
    }));
    expect(await run('alpha', rows, { platforms: platforms as never })).toEqual([]);
    expect(requests.map(eventIds)).toEqual([['good']]);
    expect(deliveryOf('alpha', 'good')?.state).toBe('DELIVERED');
    expect(deliveryOf('alpha', 'bad')).toMatchObject({ state: 'RETRY', attempts: 1, unknowns: 0 });
  }
});

/** Takes so many events a minute. */
const taking = (quotas: readonly Quota[], slug = 'carol') =>
  SYNTHETIC_PLATFORMS.map((platform) => (platform.slug === slug ? { ...platform, quotas } : platform));
const perMinute = (max: number, counts: Quota['counts'] = 'events'): Quota => ({ counts, max, perSec: 60 });

it('sends what the platform takes in a minute, and parks the rest in one write that is no attempt', async () => {
  const rows = Array.from({ length: 30 }, (_, i) => rowFor('carol', `e${i}`));
  const { run, clock, requests, events, deliveryOf } = await createDelivery(rows);
  let writes = 0;
  const putDelivery: typeof events.putDelivery = (...args) => {
    writes += 1;
    return events.putDelivery(...args);
  };
  const over = { platforms: taking([perMinute(20)]), events: { ...events, putDelivery }, quotas: SHARED() };
  await run('carol', rows, over);
  const sent = requests.flatMap(eventIds);
  // One is free of each process, and a quarter is kept for what has waited.
  expect(sent).toHaveLength(15);
  const waiting = rows.filter(({ key }) => !sent.includes(key.eventId));
  for (const { key } of waiting) {
    const delivery = deliveryOf('carol', key.eventId);
    expect(delivery).toMatchObject({ state: 'RETRY', reason: 'platform_limit', attempts: 0, unknowns: 0 });
    expect((delivery?.nextAttemptAtMs ?? 0) - clock.now()).toBeGreaterThan(6 * DAY_MS);
  }
  expect(writes).toBe(30);
  // Released in the same minute they get the quarter that is kept for them; the rest costs nothing, however often.
  for (let i = 0; i < 3; i++) await run('carol', waiting, { ...over, first: false });
  expect([requests.flatMap(eventIds).length, writes]).toEqual([22, 44]);
  clock.advance(60_000);
  await run('carol', waiting, { ...over, first: false });
  for (const { key } of rows) expect(deliveryOf('carol', key.eventId)?.state).toBe('DELIVERED');
  // A lease and an answer each.
  expect(writes).toBe(60);
});

it('counts a request, and the events that go along with it, as one', async () => {
  const rows = Array.from({ length: 45 }, (_, i) => rowFor('carol', `e${i}`));
  const { run, requests } = await createDelivery(rows);
  await run('carol', rows, { platforms: taking([perMinute(2, 'requests')]), quotas: SHARED() });
  // Two, and one that is free.
  expect(requests.map((request) => eventIds(request).length)).toEqual([10, 10, 10]);
});

it('asks for no share while little is sent, and lets replays have half of what there is', async () => {
  const quotas = SHARED();
  const rows = Array.from({ length: 60 }, (_, i) => rowFor('carol', `e${i}`));
  const { run, requests } = await createDelivery(rows);
  const over = { platforms: taking([perMinute(100)]), quotas };
  await run('carol', rows.slice(0, 2), over);
  expect(quotas.asked()).toBe(0);
  const replays = Array.from({ length: 80 }, (_, i) => rowFor('carol', `r${i}`, { event: { replay: true } }));
  const replayed = await createDelivery(replays);
  await replayed.run('carol', replays, over);
  expect(replayed.requests.flatMap(eventIds)).toHaveLength(51);
  await run('carol', rows.slice(2), over);
  // To three quarters of it.
  expect(requests.flatMap(eventIds)).toHaveLength(26);
});

it('lets nobody else wait where one connection is at its limit', async () => {
  const mine = Array.from({ length: 10 }, (_, i) => rowFor('carol', `e${i}`));
  const theirs = Array.from({ length: 3 }, (_, i) => rowFor('carol', `t${i}`, { merchantId: 'other' }));
  const { run, requests } = await createDelivery([...mine, ...theirs]);
  const over = { platforms: taking([perMinute(4)]), quotas: SHARED() };
  await run('carol', mine, over);
  expect(requests.flatMap(eventIds)).toHaveLength(4);
  await run('carol', theirs, over);
  expect(requests.flatMap(eventIds)).toHaveLength(7);
});

it('waits for the next second where a platform takes so many a second', async () => {
  const rows = Array.from({ length: 50 }, (_, i) => rowFor('carol', `e${i}`));
  const { run, clock, requests, deliveryOf } = await createDelivery(rows);
  const times: number[] = [];
  await run('carol', rows, {
    platforms: taking([{ counts: 'requests', max: 2, perSec: 1 }]),
    quotas: SHARED(),
    wait: async (ms) => clock.advance(ms),
    transport: {
      send: async (request) => {
        times.push(Math.floor(clock.now() / 1_000));
        requests.push(request);
        return { ...(await allTaken(request)), latencyMs: 5 };
      },
    },
  });
  expect(rows.map(({ key }) => deliveryOf('carol', key.eventId)?.state)).toEqual(rows.map(() => 'DELIVERED'));
  // Two, and one that is free.
  const inSeconds = [...Map.groupBy(times, (time) => time).values()].map(({ length }) => length);
  expect(inSeconds).toEqual([3, 2]);
});

it('ends by its window what the platform’s limit held back until then', async () => {
  const rows = ['a', 'b', 'c'].map((id) => alpha(id));
  const { run, clock, deliveryOf } = await createDelivery(rows);
  const over = { platforms: taking([perMinute(1)], 'alpha'), quotas: SHARED() };
  await run('alpha', rows, over);
  expect(deliveryOf('alpha', 'c')).toMatchObject({ reason: 'platform_limit' });
  clock.advance(7 * DAY_MS);
  await run('alpha', rows, { ...over, first: false });
  expect(deliveryOf('alpha', 'c')).toMatchObject({ state: 'ERROR', reason: 'window_closed', attempts: 0 });
});

it('sends what it has where no share can be leased', async () => {
  const rows = ['a', 'b', 'c'].map((id) => alpha(id));
  const { run, requests, problems } = await createDelivery(rows);
  const quotas = { lease: () => Promise.reject(new Error('the table is down')) };
  await run('alpha', rows, { platforms: taking([perMinute(1)], 'alpha'), quotas });
  expect(requests.flatMap(eventIds)).toHaveLength(3);
  expect(problems).toContain('a share of a quota was not leased');
});
