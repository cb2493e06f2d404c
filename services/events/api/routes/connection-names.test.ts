// Promise: wherever a platform is named, one of its connections can be, by its id; what is no connection of the merchant's is refused
// in words, and leaves nothing.
import { beforeEach, describe, expect, it } from 'vitest';
import { getCoverage } from '#lib/events/routes/analytics/analytics.ts';
import { listDeliveries } from '#lib/events/routes/deliveries.ts';
import { explainEvent, listEvents, readEvent } from '#lib/events/routes/events.ts';
import { previewPlatform } from '#lib/events/routes/platforms/platform-checks.ts';
import { connectPlatform } from '#lib/events/routes/platforms/platforms.ts';
import { forwardEvent } from '#lib/events/routes/replays.ts';
import { createRule, listRules, previewRule, updateRule } from '#lib/events/routes/rules.ts';
import { type ApiHost, bodyOf, codeOf, MINE, NOW, openApi } from '#test/contract/api-host.ts';
import { deliveryIn, normalizedRow, store } from '#test/contract/stored-rows.ts';

const RULE = { name: 'None', match: {}, action: { type: 'exclude' } };

let host: ApiHost;
let token = '';
let first = '';
let second = '';
const call = (method: 'POST' | 'PATCH' | 'DELETE' | 'GET', url: string, body?: unknown) =>
  host.call(url, { method, token, ...(body === undefined ? {} : { body }) });
const connect = async (pixel: string, more: object = {}, by = token) => {
  const credentials = { pixel_id: pixel, access_token: 'x'.repeat(20) };
  const body = { platform: 'meta', credentials, ...more };
  return bodyOf(connectPlatform, await host.call('/v1/platforms', { method: 'POST', token: by, body }))
    .platform.id;
};
beforeEach(async () => {
  host = await openApi();
  token = host.session('admin');
  first = await connect('1234567890');
  second = await connect('9876543210', { another: true, name: 'meta#2 ünï' });
});
const detailOf = (reply: { readonly body: unknown }) =>
  (reply.body as { details: { path: string; message: string }[] }).details[0];

it('a rule about one connection says so, decides for it alone, and goes on where that is gone', async () => {
  const rule = bodyOf(createRule, await call('POST', '/v1/rules', { ...RULE, platforms: [second] })).rule;
  expect(rule.platforms).toEqual([second]);
  await call('DELETE', `/v1/platforms/${second}`);
  const renamed = await call('PATCH', `/v1/rules/${rule.id}`, { name: 'Old', platforms: [second] });
  expect(bodyOf(updateRule, renamed).rule).toMatchObject({ name: 'Old', platforms: [second] });
  expect(bodyOf(listRules, await call('GET', '/v1/rules')).rules).toMatchObject([{ platforms: [second] }]);
  // A new rule cannot name what is gone.
  expect(detailOf(await call('POST', '/v1/rules', { ...RULE, platforms: [second] }))).toEqual({
    path: 'platforms.0',
    message: `there is no connection ${second}`,
  });
});

it('a preview of such a rule says what changes at which connection', async () => {
  await store(host.events, normalizedRow({ eventId: 'e', receivedAtMs: NOW - 1_000 }));
  const ask = async (platforms: string[]) =>
    bodyOf(
      previewRule,
      await call('POST', '/v1/rules/preview', { rule: { ...RULE, platforms } }),
    ).events.flatMap((event) => event.platforms);
  const change = { platform: 'meta', before: { verdict: 'pending' }, after: { verdict: 'rule_excluded' } };
  expect(await ask([second])).toMatchObject([{ ...change, connection_id: second }]);
  expect(await ask(['meta'])).toMatchObject([
    { ...change, connection_id: first },
    { ...change, connection_id: second },
  ]);
});

it('a preview of a request asks the rules, the list of events and the consent of that connection', async () => {
  const change = { type: 'transform', changes: [{ op: 'override_value', value: 7, currency: 'EUR' }] };
  await call('POST', '/v1/rules', { ...RULE, action: change, platforms: [second] });
  const event = {
    ...{
      event_id: 'e',
      event_name: 'Purchase',
      event_time: Math.floor(NOW / 1_000),
      value: 1,
      currency: 'EUR',
    },
    user_data: { email: 'jane@example.com' },
  };
  const ask = async (connection_id: string) => {
    const body = { platform: 'meta', connection_id, event };
    const said = bodyOf(previewPlatform, await call('POST', '/v1/platforms/preview', body));
    const { verdict, subject, request } = said;
    return [said.connection_id, verdict, subject, /"value":\d+/.exec(request?.body ?? '')?.[0]];
  };
  expect(await ask(first)).toEqual([first, 'pending', undefined, '"value":1']);
  expect(await ask(second)).toEqual([second, 'pending', undefined, '"value":7']);
  await call('PATCH', `/v1/platforms/${second}`, { events: ['Lead'] });
  expect(await ask(second)).toMatchObject([second, 'event_not_listed', 'Purchase', '"value":1']);
  await call('PATCH', `/v1/platforms/${second}`, { consent: { require: ['ad_storage'] } });
  expect(await ask(second)).toMatchObject([second, 'consent_missing', 'ad_storage', '"value":1']);
  await call('PATCH', `/v1/platforms/${second}`, { status: 'paused', events: null, consent: null });
  expect(await ask(second)).toMatchObject([second, 'connection_paused', 'manual', '"value":7']);
  expect(await ask(first)).toMatchObject([first, 'pending', undefined, '"value":1']);
});

it('an event is forwarded to one connection, by its id', async () => {
  await store(host.events, normalizedRow({ eventId: 'e' }));
  const reply = await call('POST', '/v1/events/e/forward', { platforms: [second] });
  const { event_id, platforms } = bodyOf(forwardEvent, reply);
  expect(platforms).toEqual([second]);
  const row = await host.events.read({ merchantId: MINE, channel: 'server', eventId: event_id });
  expect(row).toMatchObject({ body: { internal: { only_platforms: [second] } } });
});

describe('lists of events and deliveries', () => {
  const BOTH = { meta: 'pending', 'meta#2': 'rule_excluded:rul_x' };
  const events = async (query: string) =>
    bodyOf(listEvents, await call('GET', `/v1/events?${query}`)).events.map(({ event_id }) => event_id);
  const deliveries = async (query: string) =>
    bodyOf(listDeliveries, await call('GET', `/v1/deliveries?${query}`)).deliveries;

  it('are those of one connection, also by what became of them there', async () => {
    const failed = deliveryIn('FAILED', { reason: 'meta.100' });
    await store(
      host.events,
      normalizedRow({ eventId: 'a', verdicts: BOTH, deliveries: { meta: failed } }),
      normalizedRow({
        ...{ eventId: 'b', verdicts: { meta: 'pending', 'meta#2': 'pending' } },
        deliveries: { meta: deliveryIn('DELIVERED'), 'meta#2': failed },
      }),
      normalizedRow({ eventId: 'c', verdicts: { 'meta#2': 'pending' }, deliveries: { 'meta#2': failed } }),
    );
    expect((await events(`connection_id=${first}`)).sort()).toEqual(['a', 'b']);
    expect((await events(`connection_id=${second}`)).sort()).toEqual(['b', 'c']);
    expect(await events(`connection_id=${first}&status=FAILED`)).toEqual(['a']);
    expect(await events(`connection_id=${second}&status=rule_excluded`)).toEqual(['a']);
    expect(await events(`connection_id=${second}&platform=tiktok`)).toEqual([]);
    const delivered = { event_id: 'b', connection_id: first, connection_name: 'Meta', status: 'DELIVERED' };
    expect(await deliveries(`connection_id=${first}&status=DELIVERED`)).toMatchObject([delivered]);
    expect(
      (await deliveries(`connection_id=${second}&reason=meta.100`)).map(({ event_id: id }) => id).sort(),
    ).toEqual(['b', 'c']);
  });

  it('explain each connection, and say which is gone, since when, and what its account was', async () => {
    await store(host.events, normalizedRow({ eventId: 'a', verdicts: BOTH, routingVersion: 2 }));
    await call('DELETE', `/v1/platforms/${second}`);
    const third = await connect('7777777777', { another: true });
    const { verdicts } = bodyOf(explainEvent, await call('GET', '/v1/events/a/explain'));
    const removed = {
      ...{ connection_id: second, connection_name: 'meta#2 ünï', account: '9876543210' },
      removed_at: new Date(NOW).toISOString(),
    };
    expect(verdicts.find(({ platform }) => platform === 'meta')).toMatchObject({
      connection_id: first,
      connections: [
        { connection_id: first, connection_name: 'Meta', verdict: 'pending' },
        { ...removed, verdict: 'rule_excluded', subject: 'rul_x' },
      ],
    });
    expect(await events(`connection_id=${second}&status=rule_excluded`)).toEqual(['a']);
    // The one that has its place now never had the event.
    expect(await events(`connection_id=${third}&status=rule_excluded`)).toEqual([]);
    const stored = await host.config.everyConnection(MINE);
    expect(JSON.stringify(stored.removed)).not.toContain('x'.repeat(20));
  });

  it('say of the only one that is gone which it was', async () => {
    await call('DELETE', `/v1/platforms/${second}`);
    const sent = { eventId: 'a', verdicts: { meta: 'pending' }, routingVersion: 2 };
    await store(host.events, normalizedRow({ ...sent, deliveries: { meta: deliveryIn('DELIVERED') } }));
    await call('DELETE', `/v1/platforms/${first}`);
    const said = { platform: 'meta', connection_id: first, account: '1234567890', status: 'DELIVERED' };
    expect(bodyOf(readEvent, await call('GET', '/v1/events/a')).deliveries).toMatchObject([said]);
    const [event] = bodyOf(listEvents, await call('GET', '/v1/events')).events;
    expect(event?.deliveries).toMatchObject([said]);
    expect(await deliveries(`connection_id=${first}`)).toMatchObject([said]);
  });

  it.each(['events', 'deliveries'])('of %s refuse a connection that is not the merchant’s', async (list) => {
    const theirs = await connect('5555555555', {}, host.session('owner', 'theirs'));
    for (const id of [theirs, 'con_00000000-0000-7000-8000-000000000000', 'meta#2', '']) {
      const reply = await call('GET', `/v1/${list}?connection_id=${encodeURIComponent(id)}`);
      expect([reply.status, detailOf(reply)?.path]).toEqual([400, 'connection_id']);
    }
  });
});

it('coverage says which connections each of its columns is of, and which of them is gone', async () => {
  await call('DELETE', `/v1/platforms/${second}`);
  const third = await connect('7777777777', { another: true, name: 'Third' });
  const ask = async (query: string) =>
    bodyOf(getCoverage, await call('GET', `/v1/analytics/coverage?${query}`)).connections;
  const meta = { platform: 'meta', cells: [] };
  const gone = { account: '9876543210', removed_at: new Date(NOW).toISOString() };
  expect(await ask('range=24h')).toEqual([
    { ...meta, connection_id: first, connection_name: 'Meta' },
    { ...meta, connection_id: third, connection_name: 'Third' },
    { ...meta, connection_id: second, connection_name: 'meta#2 ünï', ...gone },
  ]);
  const day = (at: number) => new Date(NOW + at * 86_400_000).toISOString();
  expect(await ask(`start=${day(-3)}&end=${day(-2)}`)).toEqual([]);
});

it.each([
  ['what only looks like a place', async () => 'meta#2', /platform/],
  ['the name of a connection', async () => 'meta#2 ünï', /platform/],
  ['an id that never was', async () => 'con_00000000-0000-7000-8000-000000000000', /connection/],
  [
    'an id of another merchant',
    async () => await connect('5555555555', {}, host.session('owner', 'theirs')),
    /connection/,
  ],
])('%s is refused by name, everywhere, and leaves nothing', async (_what, make, problem) => {
  const name = await make();
  await store(host.events, normalizedRow({ eventId: 'e' }));
  const rule = { ...RULE, platforms: [name] };
  const replies = [
    await call('POST', '/v1/rules', rule),
    await call('POST', '/v1/rules/preview', { rule }),
    await call('POST', '/v1/events/e/forward', { platforms: [name] }),
    await call('POST', '/v1/replays', { only: 'all', platforms: [name] }),
  ];
  for (const reply of replies) {
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_request']);
    expect(detailOf(reply)?.path).toMatch(/platforms\.0$/);
    expect(detailOf(reply)?.message).toMatch(problem);
  }
  expect(bodyOf(listRules, await call('GET', '/v1/rules')).rules).toEqual([]);
  expect(host.accepted.size()).toBe(0);
});
