// Promise: a connection that is paused, resumed or given new credentials while its events are under way loses none of them and
// sends none twice; an answer to old credentials says nothing about new ones.
import { expect, it } from 'vitest';
import { isProbeDue, isReleased } from '#lib/events/pipeline/recovery/parked.ts';
import type { HttpRequest, Platform } from '#lib/events/platforms/platform.ts';
import type { ConnectionChange } from '#lib/events/ports/connection-store.ts';
import { SYNTHETIC_PLATFORMS } from '#test/simulation/synthetic-platforms.ts';
import { allTaken, createDelivery, eventIds, reply, rowFor, SHOP } from '#test/support/delivery.ts';

const NEW = { sealedCredentials: '{"token":"new"}' };
const tokenOf = ({ headers }: HttpRequest): string => headers.authorization ?? '';

async function open(...ids: readonly string[]) {
  const rows = ids.map((id) => rowFor('alpha', id));
  const delivery = await createDelivery(rows);
  const { config, clock } = delivery;
  const connection = async () => (await config.connection(SHOP, 'alpha')) ?? expect.unreachable();
  /** As PATCH does it. */
  const change = async (made: ConnectionChange): Promise<void> => {
    expect(await config.changeConnection(await connection(), made, clock.now())).not.toBeNull();
  };
  const states = () => ids.map((id) => delivery.deliveryOf('alpha', id)?.state);
  return { ...delivery, rows, connection, change, states };
}

it('lets what is under way at a pause end, parks what comes after, and sends it once when it is resumed', async () => {
  const { run, rows, vendor, change, connection, states, requests, deliveryOf } = await open('a', 'b');
  const [first, second] = [rows.slice(0, 1), rows.slice(1)];
  vendor.answer = async (request) => {
    vendor.answer = allTaken;
    await change({ pause: 'manual' });
    return allTaken(request);
  };
  await run('alpha', first);
  await run('alpha', second);
  expect(states()).toEqual(['DELIVERED', 'RETRY']);
  expect(deliveryOf('alpha', 'b')).toMatchObject({ reason: 'connection_paused', attempts: 0 });
  expect(isReleased(await connection())).toBe(false);
  await change({ pause: null });
  expect(isReleased(await connection())).toBe(true);
  await run('alpha', rows, { first: false });
  await run('alpha', rows, { first: false });
  expect(states()).toEqual(['DELIVERED', 'DELIVERED']);
  expect(requests.flatMap(eventIds)).toEqual(['a', 'b']);
});

it('finds out each hour whether refused credentials are taken again, by one event, and then sends all that waits', async () => {
  const { run, rows, vendor, connection, states, requests, clock, deliveryOf } = await open('a', 'b', 'c');
  vendor.answer = () => reply(401, {});
  await run('alpha', rows);
  expect(await connection()).toMatchObject({ status: 'paused', pausedReason: 'auth' });
  const asked = requests.length;
  clock.advance(3_599_000);
  expect(isProbeDue(await connection(), clock.now())).toBe(false);
  await run('alpha', rows, { first: false });
  expect(requests).toHaveLength(asked);
  clock.advance(1_000);
  expect(isProbeDue(await connection(), clock.now())).toBe(true);
  await run('alpha', rows, { first: false });
  await run('alpha', rows, { first: false });
  expect(requests.slice(asked).map(eventIds)).toEqual([['a']]);
  expect(await connection()).toMatchObject({ status: 'paused', revision: 2 });
  // A refusal is no attempt: the event is pursued for as long as the platform takes it.
  expect(deliveryOf('alpha', 'a')).toMatchObject({
    state: 'RETRY',
    reason: 'connection_paused',
    attempts: 0,
  });
  clock.advance(3_600_000);
  vendor.answer = allTaken;
  await run('alpha', rows, { first: false });
  expect(states()).toEqual(['DELIVERED', 'RETRY', 'RETRY']);
  const resumed = await connection();
  expect(resumed).toMatchObject({ status: 'active', outages: [{ cause: 'auth' }] });
  for (const gone of ['pausedReason', 'pausedAtMs', 'probeAtMs']) expect(resumed).not.toHaveProperty(gone);
  await run('alpha', rows, { first: false });
  expect(states()).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED']);
  expect(
    requests
      .slice(asked + 1)
      .flatMap(eventIds)
      .sort(),
  ).toEqual(['a', 'b', 'c']);
});

it('stays paused where a probe fails in another way, and its event is parked again', async () => {
  const { run, rows, vendor, connection, clock, deliveryOf } = await open('a');
  vendor.answer = () => reply(401, {});
  await run('alpha', rows);
  clock.advance(3_600_000);
  vendor.answer = () => reply(503, {});
  await run('alpha', rows, { first: false });
  expect(await connection()).toMatchObject({ status: 'paused', pausedReason: 'auth' });
  expect(await connection()).not.toHaveProperty('circuit');
  clock.advance(60_000);
  await run('alpha', rows, { first: false });
  expect(deliveryOf('alpha', 'a')).toMatchObject({
    state: 'RETRY',
    reason: 'connection_paused',
    attempts: 1,
  });
});

it('is not paused by a refusal of credentials that were replaced meanwhile; the event goes out with the new ones', async () => {
  const { run, rows, vendor, change, connection, requests, states, deliveryOf } = await open('a');
  vendor.answer = async () => {
    vendor.answer = allTaken;
    await change(NEW);
    return reply(401, {});
  };
  await run('alpha', rows);
  expect(await connection()).toMatchObject({ status: 'active', revision: 2 });
  expect(deliveryOf('alpha', 'a')).toMatchObject({ state: 'RETRY', attempts: 0 });
  await run('alpha', rows, { first: false });
  expect(states()).toEqual(['DELIVERED']);
  expect(requests.map(tokenOf)).toEqual(['t', 'new']);
});

it('keeps a pause that somebody asked for, whatever the platform says to what was under way', async () => {
  const { run, rows, vendor, change, connection } = await open('a');
  vendor.answer = async () => {
    await change({ pause: 'manual' });
    return reply(401, {});
  };
  await run('alpha', rows);
  expect(await connection()).toMatchObject({ status: 'paused', pausedReason: 'manual', revision: 2 });
});

it('is not paused where its credentials are replaced while a token is asked for with the old ones', async () => {
  const { run, rows, vendor, change, connection, requests, states } = await open('a');
  const platforms = SYNTHETIC_PLATFORMS.map((platform) =>
    platform.slug === 'alpha' ? withTokens(platform) : platform,
  );
  vendor.answer = async (request) => {
    if (!request.url.endsWith('/token')) return allTaken(request);
    if (request.body === 'new') return reply(200, { token: 'issued for new' });
    await change(NEW);
    return reply(400, { error: 'invalid_grant' });
  };
  await run('alpha', rows, { platforms });
  expect(await connection()).toMatchObject({ status: 'active' });
  expect(states()).toEqual(['RETRY']);
  await run('alpha', rows, { platforms, first: false });
  expect(states()).toEqual(['DELIVERED']);
  const asked = requests.map((request) =>
    request.url.endsWith('/token') ? request.body : eventIds(request),
  );
  expect(asked).toEqual(['t', 'new', ['a']]);
});

it('closes an open circuit with new credentials, and not by being renamed or resumed', async () => {
  const { change, connection, config, clock } = await open('a');
  const circuit = { openedAtMs: clock.now(), probes: 2, nextProbeAtMs: clock.now() + 60_000 };
  await config.setCircuit(await connection(), circuit, clock.now());
  for (const made of [{ name: 'Other' }, { pause: 'manual' }, { pause: null }] as const) await change(made);
  expect(await connection()).toMatchObject({ circuit });
  await change(NEW);
  expect(isReleased(await connection())).toBe(true);
});

/** The platform, where its token stands for a refresh token. */
function withTokens(platform: Platform): Platform {
  return {
    ...platform,
    oauth: {
      buildTokenRequest: (credentials) => ({
        method: 'POST',
        url: 'https://alpha.example/token',
        headers: {},
        body: (credentials as { token: string }).token,
        secrets: [],
      }),
      readTokenResponse: (result) => {
        if (result.kind === 'response' && result.status === 200)
          return { kind: 'token', accessToken: JSON.parse(result.body).token as string, expiresInSec: 3_600 };
        return { kind: 'auth', code: 'alpha.invalid_grant' };
      },
    },
  };
}

it('holds what waited against a consent that became stricter meanwhile, and sends what was granted', async () => {
  const plain = ['asked', 'granted'].map((id) => rowFor('alpha', id));
  const rows = plain.map((row, at) =>
    at === 0 ? row : { ...row, event: { ...row.event, consent: { ad_storage: 'granted' as const } } },
  );
  const { run, config, clock, requests, deliveryOf } = await createDelivery(rows);
  const change = async (made: ConnectionChange) => {
    const seen = (await config.connection(SHOP, 'alpha')) ?? expect.unreachable();
    expect(await config.changeConnection(seen, made, clock.now())).not.toBeNull();
  };
  await change({ pause: 'manual' });
  await run('alpha', rows);
  await change({ pause: null, consent: { require: ['ad_storage'] } });
  await run('alpha', rows, { first: false });
  expect(deliveryOf('alpha', 'asked')).toMatchObject({
    state: 'SKIPPED',
    reason: 'consent_missing:ad_storage',
  });
  expect(deliveryOf('alpha', 'granted')).toMatchObject({ state: 'DELIVERED' });
  expect(requests.flatMap(eventIds)).toEqual(['granted']);
});
