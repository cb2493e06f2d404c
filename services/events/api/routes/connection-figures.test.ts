// Promise: of two connections to one platform each has its own figures, also where one was removed and another has its place;
// a figure opens the rows it counts; nothing is of another merchant.
import { beforeEach, expect, it } from 'vitest';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { foldBucket } from '#lib/events/pipeline/counting/count-rows.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { getCoverage, getOverview } from '#lib/events/routes/analytics/analytics.ts';
import { listEvents } from '#lib/events/routes/events.ts';
import { connectPlatform, listPlatforms } from '#lib/events/routes/platforms/platforms.ts';
import { type ApiHost, bodyOf, MINE, NOW, openApi, THEIRS } from '#test/contract/api-host.ts';
import { connectionOf, deliveryIn, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { addCounters } from '#test/support/counted-states.ts';

const HOUR = 3_600_000;
const LENGTHS = { minute: 60_000, hour: HOUR, day: 24 * HOUR } as const;
let host: ApiHost;
let token = '';
beforeEach(async () => {
  host = await openApi();
  token = host.session('admin');
});
const connect = async (pixel: string, name: string, by = token) => {
  const credentials = { pixel_id: pixel, access_token: 'x'.repeat(20) };
  const body = { platform: 'meta', name, another: true, credentials };
  return bodyOf(connectPlatform, await host.call('/v1/platforms', { method: 'POST', token: by, body }))
    .platform.id;
};
const remove = (id: string) => host.call(`/v1/platforms/${id}`, { method: 'DELETE', token });
const version = async (merchantId = MINE) => (await host.config.currentRouting(merchantId)).version;

/** Stored, and counted as counting does, into the slots of a row. */
async function take(rows: readonly NormalizedRow[], isOld = false) {
  await store(host.events, ...rows);
  for (const row of rows) {
    const { counters } = foldBucket({ rows: [row], merged: new Set(), platforms: PLATFORMS });
    const { versions: _v, connections: _c, ...old } = counters;
    for (const [grain, lengthMs] of Object.entries(LENGTHS) as ['minute', number][]) {
      const startMs = row.receivedAtMs - (row.receivedAtMs % lengthMs);
      const key = { merchantId: row.key.merchantId, grain, startMs };
      await addCounters(host.counters, key, isOld ? old : counters);
    }
  }
}
let ids = 0;
const rowFor = async (states: Readonly<Record<string, Delivery['state']>>, atMs = NOW - 60_000, of = MINE) =>
  normalizedRow({
    eventId: `e${ids++}`,
    merchantId: of,
    receivedAtMs: atMs,
    routingVersion: await version(of),
    verdicts: Object.fromEntries(Object.keys(states).map((place) => [place, 'pending'])),
    deliveries: Object.fromEntries(Object.entries(states).map(([at, state]) => [at, deliveryIn(state)])),
  });

const get = (url: string) => host.call(url, { token });
const bars = async () =>
  Object.fromEntries(
    bodyOf(getOverview, await get('/v1/analytics/overview?range=24h')).connections.map((one) => [
      `${one.connection_name}${one.removed_at === undefined ? '' : ' †'}`,
      [one.delivered, one.waiting, one.failed, one.withheld],
    ]),
  );
const coverage = async () => bodyOf(getCoverage, await get('/v1/analytics/coverage?range=24h'));
const health = async () =>
  Object.fromEntries(
    bodyOf(listPlatforms, await get('/v1/platforms')).platforms.map(({ name, health: one }) => [
      name,
      [one.delivered_24h, one.undelivered_24h, one.backlog, one.error_rate_24h],
    ]),
  );
const found = async (query: string) => bodyOf(listEvents, await get(`/v1/events?${query}`)).events.length;

it('one of two pixels fails: their figures stand apart, and add up by platform as before', async () => {
  const [first, second] = [await connect('1234567890', 'One'), await connect('9876543210', 'Two')];
  await take([
    await rowFor({ meta: 'DELIVERED', 'meta#2': 'FAILED' }),
    await rowFor({ meta: 'DELIVERED', 'meta#2': 'RETRY' }),
    await rowFor({ meta: 'DELIVERED', 'meta#2': 'DELIVERED' }),
  ]);
  expect(await bars()).toEqual({ One: [3, 0, 0, 0], Two: [1, 1, 1, 0] });
  expect(await health()).toEqual({ One: [3, 0, 0, 0], Two: [1, 1, 1, 2 / 3] });
  const { cells, connections } = await coverage();
  const counts = { DELIVERED: 1, FAILED: 1, RETRY: 1 };
  expect(cells.filter(({ platform }) => platform === 'meta')).toEqual([
    { event_name: 'Purchase', platform: 'meta', delivered: 1, counts },
  ]);
  expect(connections).toEqual([
    {
      ...{ platform: 'meta', connection_id: first, connection_name: 'One' },
      cells: [{ event_name: 'Purchase', delivered: 3, counts: { DELIVERED: 3 } }],
    },
    {
      ...{ platform: 'meta', connection_id: second, connection_name: 'Two' },
      cells: [{ event_name: 'Purchase', delivered: 1, counts }],
    },
  ]);
  // Each figure opens the rows it counts.
  for (const [id, outcome, events] of [
    [first, 'delivered', 3],
    [first, 'failed', 0],
    [second, 'delivered', 1],
    [second, 'failed', 1],
    [second, 'waiting', 1],
  ])
    expect([id, outcome, await found(`connection_id=${id}&outcome=${outcome}`)]).toEqual([
      id,
      outcome,
      events,
    ]);
});

it('one that is removed keeps its figures, and the next in its place begins with its own', async () => {
  const old = await connect('1234567890', 'Old');
  await take([await rowFor({ meta: 'FAILED' }), await rowFor({ meta: 'DELIVERED' })]);
  await remove(old);
  await take([await rowFor({})]);
  expect(await bars()).toEqual({ 'Old †': [1, 0, 1, 0] });
  const next = await connect('1234567890', 'Next');
  expect(next).not.toBe(old);
  expect(await bars()).toEqual({ Next: [0, 0, 0, 0], 'Old †': [1, 0, 1, 0] });
  expect(await health()).toEqual({ Next: [0, 0, 0, null] });
  await take([await rowFor({ meta: 'DELIVERED' })]);
  expect(await bars()).toEqual({ Next: [1, 0, 0, 0], 'Old †': [1, 0, 1, 0] });
  expect(await health()).toEqual({ Next: [1, 0, 0, 0] });
  expect(await found(`connection_id=${old}&outcome=failed`)).toBe(1);
  expect(await found(`connection_id=${next}&outcome=delivered`)).toBe(1);
});

it('a change of its rules or its name changes no figure', async () => {
  const one = await connect('1234567890', 'One');
  await take([await rowFor({ meta: 'DELIVERED' })]);
  const change = { method: 'PATCH', token, body: { name: 'Uno', events: ['Purchase'] } } as const;
  await host.call(`/v1/platforms/${one}`, change);
  await take([await rowFor({ meta: 'DELIVERED' })]);
  expect(await bars()).toEqual({ Uno: [2, 0, 0, 0] });
});

it('what an earlier release counted is the only connection’s, and of two connections neither’s', async () => {
  const one = await connectionOf(host, 'meta', { atMs: NOW - 9 * HOUR });
  await host.config.changeConnection(one, { name: 'One' }, NOW - 9 * HOUR);
  await take([await rowFor({ meta: 'DELIVERED' }, NOW - 5 * HOUR)], true);
  await take([await rowFor({ meta: 'FAILED' }, NOW - 60_000)]);
  expect(await bars()).toEqual({ One: [1, 0, 1, 0] });
  await connect('9876543210', 'Two');
  expect(await bars()).toEqual({ One: [1, 0, 1, 0], Two: [0, 0, 0, 0] });
});

it('nothing of another merchant is in any figure', async () => {
  const theirs = host.session('owner', 'theirs');
  await connect('1234567890', 'Mine');
  await connect('1234567890', 'Theirs', theirs);
  await take([await rowFor({ meta: 'FAILED' }, NOW - 60_000, THEIRS)]);
  expect(await bars()).toEqual({ Mine: [0, 0, 0, 0] });
  expect(await health()).toEqual({ Mine: [0, 0, 0, null] });
  expect((await coverage()).connections.map(({ cells }) => cells)).toEqual([[]]);
});
