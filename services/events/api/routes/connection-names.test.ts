// Promise: wherever a platform is named, one of its connections can be, by its id; what is no connection of the merchant's is refused
// in words, and leaves nothing.
import { beforeEach, expect, it } from 'vitest';
import { connectPlatform } from '#lib/events/routes/platforms/platforms.ts';
import { forwardEvent } from '#lib/events/routes/replays.ts';
import { createRule, listRules, previewRule, updateRule } from '#lib/events/routes/rules.ts';
import { type ApiHost, bodyOf, codeOf, MINE, NOW, openApi } from '#test/contract/api-host.ts';
import { normalizedRow, store } from '#test/contract/stored-rows.ts';

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

it('an event is forwarded to one connection, by its id', async () => {
  await store(host.events, normalizedRow({ eventId: 'e' }));
  const reply = await call('POST', '/v1/events/e/forward', { platforms: [second] });
  const { event_id, platforms } = bodyOf(forwardEvent, reply);
  expect(platforms).toEqual([second]);
  const row = await host.events.read({ merchantId: MINE, channel: 'server', eventId: event_id });
  expect(row).toMatchObject({ body: { internal: { only_platforms: [second] } } });
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
