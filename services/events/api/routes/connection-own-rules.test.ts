// Promise: a connection's own list of events and its own consent are set when it is made or later, each change decides from
// the next event on, and what is no such rule is refused by its field.
import { beforeEach, expect, it } from 'vitest';
import { connectPlatform, listPlatforms, updatePlatform } from '#lib/events/routes/platforms/platforms.ts';
import { type ApiHost, bodyOf, codeOf, MINE, openApi } from '#test/contract/api-host.ts';

const META = { platform: 'meta', credentials: { pixel_id: '1234567890', access_token: 'x'.repeat(20) } };
const OWN = { events: ['Purchase', 'Ünïcode ✓'], consent: { require: ['ad_storage'], countries: ['DE'] } };

let host: ApiHost;
let token = '';
beforeEach(async () => {
  host = await openApi();
  token = host.session('admin');
});
const post = (body: object) => host.call('/v1/platforms', { method: 'POST', token, body });
const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
  host.call(`/v1/platforms/${id}`, { method: 'PATCH', token, body, headers });
const routed = async () => await host.config.currentRouting(MINE);

it('are there from the first event on, where they come with the credentials', async () => {
  const { id, events, consent } = bodyOf(connectPlatform, await post({ ...META, ...OWN })).platform;
  expect({ events, consent }).toEqual(OWN);
  expect((await routed()).connections).toEqual([{ id, platform: 'meta', sinceVersion: 1, ...OWN }]);
  // New credentials leave them as they are.
  expect(bodyOf(connectPlatform, await post(META)).platform).toMatchObject({ id, ...OWN });
  const [listed] = bodyOf(listPlatforms, await host.call('/v1/platforms', { token })).platforms;
  expect(listed).toMatchObject(OWN);
});

it('change by themselves, make another version of the routing, and go by null', async () => {
  const { id } = bodyOf(connectPlatform, await post(META)).platform;
  const before = await routed();
  expect(before.connections[0]).not.toHaveProperty('events');
  const changed = bodyOf(updatePlatform, await patch(id, { events: OWN.events })).platform;
  expect(changed).toMatchObject({ id, events: OWN.events, consent: null, version: 2 });
  expect(await routed()).toMatchObject({
    version: before.version + 1,
    connections: [{ events: OWN.events }],
  });
  await patch(id, { consent: OWN.consent, events: null });
  const after = await routed();
  expect(after).toMatchObject({ version: before.version + 2, connections: [{ consent: OWN.consent }] });
  expect(after.connections[0]).not.toHaveProperty('events');
  // What decides nothing makes no version.
  await patch(id, { status: 'paused' });
  await patch(id, { status: 'active', name: 'meta#2' });
  expect((await routed()).version).toBe(after.version);
  expect((await patch(id, { events: null }, { 'if-match': '"2"' })).status).toBe(412);
});

it('are both kept of two changes at a time', async () => {
  const { id } = bodyOf(connectPlatform, await post(META)).platform;
  const rule = { name: 'r', match: {}, action: { type: 'exclude' }, platforms: [id] };
  const replies = await Promise.all([
    patch(id, { events: OWN.events }),
    patch(id, { consent: OWN.consent }),
    patch(id, { status: 'paused' }),
    host.call('/v1/rules', { method: 'POST', token, body: rule }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 201]);
  const [listed] = bodyOf(listPlatforms, await host.call('/v1/platforms', { token })).platforms;
  expect(listed).toMatchObject({ ...OWN, status: 'paused' });
  expect((await routed()).rules).toHaveLength(1);
});

it.each([
  ['events', []],
  ['events', ['']],
  ['events', Array.from({ length: 51 }, (_, n) => `e${n}`)],
  ['events', 'Purchase'],
  ['consent', {}],
  ['consent', { require: [] }],
  ['consent', { require: ['marketing'] }],
  ['consent', { require: ['ad_storage', 'ad_storage'] }],
  ['consent', { require: ['ad_storage'], countries: ['Germany'] }],
  ['consent', { require: ['ad_storage'], countries: [] }],
  ['consent', { allow: ['ad_storage'] }],
])('%s %j is refused by its field, and changes nothing', async (field, value) => {
  const { id } = bodyOf(connectPlatform, await post({ ...META, ...OWN })).platform;
  for (const reply of [await patch(id, { [field]: value }), await post({ ...META, [field]: value })]) {
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_request']);
    expect((reply.body as { details: { path: string }[] }).details[0]?.path).toMatch(new RegExp(`^${field}`));
  }
  expect((await routed()).connections).toMatchObject([OWN]);
});
