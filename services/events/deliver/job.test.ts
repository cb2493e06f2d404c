// Goal: what a row's delivery becomes: which rows share a request, which worker may send, and what prevents it.
import { expect, it } from 'vitest';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { dayOf } from '#lib/core/work/utc-day.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { LEASE_MS, lease } from '#lib/events/domain/deliveries/transition.ts';
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
import { BREAKER_THRESHOLD } from './breaker.ts';

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
  expect(await config.connection(SHOP, 'alpha')).toMatchObject({ status: 'paused', pausedReason: 'auth' });
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

it('leaves a platform alone whose calls keep failing, then lets one request through', async () => {
  const rows = Array.from({ length: BREAKER_THRESHOLD + 2 }, (_, i) => alpha(`e${i}`));
  const { run, vendor, clock, requests, deliveryOf } = await createDelivery(rows);
  vendor.answer = () => reply(503, {});
  for (const row of rows.slice(0, -1)) await run('alpha', [row]);
  expect(requests).toHaveLength(BREAKER_THRESHOLD);
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
    [{}, ({ config }) => config.deleteConnection(SHOP, `alpha-${SHOP}`), DISCONNECTED],
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
