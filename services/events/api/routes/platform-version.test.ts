// Promise: a connection moves to another version of its platform's API only if the platform takes a test with it, where it has a
// test mode; refused, unanswered or overtaken by another change it stays as it was. What ends soon is said.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTransport } from '#lib/adapters/http/transport.ts';
import { createConnections } from '#lib/events/pipeline/connections/open-connection.ts';
import { platformBySlug } from '#lib/events/platforms/registry.ts';
import samples from '#lib/events/platforms/sample-credentials.json' with { type: 'json' };
import { getOverview } from '#lib/events/routes/analytics/analytics.ts';
import { listIncidents } from '#lib/events/routes/platforms/incidents.ts';
import { previewPlatform, testPlatform } from '#lib/events/routes/platforms/platform-checks.ts';
import { connectPlatform, listPlatforms, updatePlatform } from '#lib/events/routes/platforms/platforms.ts';
import { type RunningSandbox, startSandbox } from '#services/local/sandbox/server.ts';
import { type ApiHost, bodyOf, codeOf, MINE, openApi } from '#test/contract/api-host.ts';

const META = { ...samples.meta, test_event_code: 'TEST1' };
/** v25.0 of Meta ends on 2027-02-23. */
const NOW = Date.parse('2026-11-27T12:00:00Z');

let sandbox: RunningSandbox;
let transport: ReturnType<typeof createTransport>;
let host: ApiHost;
beforeAll(async () => {
  sandbox = await startSandbox({
    now: () => NOW,
    validCredentials: { meta: [META], linkedin: [samples.linkedin], klaviyo: [samples.klaviyo] },
  });
  transport = createTransport({ sandboxUrl: sandbox.url });
});
afterAll(async () => {
  await transport.close();
  await sandbox.close();
});
beforeEach(async () => {
  await fetch(`${sandbox.url}/faults`, { method: 'DELETE' });
  await fetch(`${sandbox.url}/received`, { method: 'DELETE' });
  host = await openApi(() => ({ transport: async () => transport }));
  host.clock.advance(NOW - host.clock.now());
});

const call = (url: string, method: 'GET' | 'POST' | 'PATCH', body?: unknown, headers = {}) =>
  host.call(url, { method, token: host.session('admin'), headers, ...(body === undefined ? {} : { body }) });
const connect = async (platform: string, credentials: unknown) =>
  bodyOf(connectPlatform, await call('/v1/platforms', 'POST', { platform, credentials })).platform;
const move = (id: string, api_version: unknown, headers = {}) =>
  call(`/v1/platforms/${id}`, 'PATCH', { api_version }, headers);
const stored = async (slug = 'meta') => {
  const connection = await host.config.connection(MINE, slug);
  if (connection === null) throw new Error('not connected');
  return connection;
};
const actions = async () => (await host.config.listAudit(MINE, 20)).map(({ action }) => action);

it('is the newest that was read as long as nothing else is asked for, and old connections have it', async () => {
  const made = await connect('meta', META);
  expect(made).toMatchObject({ api_version: 'v26.0', warnings: [] });
  expect(await stored()).not.toHaveProperty('apiVersion');
  const list = bodyOf(listPlatforms, await call('/v1/platforms', 'GET'));
  const meta = list.available.find(({ platform }) => platform === 'meta');
  expect(meta).toMatchObject({
    api_version: 'v26.0',
    api_versions: [{ version: 'v26.0' }, { version: 'v27.0' }, { version: 'v25.0', ends: '2027-02-23' }],
  });
});

it('moves after a test in test mode, is then used everywhere, and goes back', async () => {
  const { id } = await connect('meta', META);
  const reply = bodyOf(updatePlatform, await move(id, 'v25.0'));
  expect(reply.test).toMatchObject({ ok: true, stage: 'event', api_version: 'v25.0', http_status: 200 });
  expect(reply.test?.request?.url).toContain('graph.facebook.com/v25.0/');
  expect(reply.platform).toMatchObject({
    ...{ api_version: 'v25.0', api_version_ends: '2027-02-23', version: 2 },
    warnings: [{ code: 'api_version_ends', field: 'api_version' }],
  });
  expect(reply.platform.warnings[0]?.message).toContain('ends on 2027-02-23, in 88 days');
  expect((await actions())[0]).toBe('connection.version');
  const counted = await (await fetch(`${sandbox.url}/counted?platform=meta`)).json();
  expect(counted).toMatchObject({ total: 0, test: 1 });

  const event = {
    event_id: 'e1',
    event_name: 'Lead',
    event_time: NOW / 1_000,
    user_data: { email: 'a@b.example' },
  };
  const preview = bodyOf(
    previewPlatform,
    await call('/v1/platforms/preview', 'POST', { platform: 'meta', event }),
  );
  expect(preview.api_version).toBe('v25.0');
  expect(preview.request?.url).toContain('/v25.0/');
  expect(preview.warnings.map(({ code }) => code)).toContain('api_version_ends');
  const tested = bodyOf(testPlatform, await call(`/v1/platforms/${id}/test`, 'POST'));
  expect([tested.api_version, tested.warnings.map(({ code }) => code)]).toEqual([
    'v25.0',
    ['api_version_ends'],
  ]);

  const renamed = await call(`/v1/platforms/${id}`, 'PATCH', { name: 'Other' });
  expect(bodyOf(updatePlatform, renamed).platform.api_version).toBe('v25.0');
  expect((await connect('meta', META)).api_version).toBe('v25.0');
  const back = bodyOf(updatePlatform, await move(id, null));
  expect([back.platform.api_version, back.test?.api_version, back.platform.warnings]).toEqual([
    'v26.0',
    'v26.0',
    [],
  ]);
  expect(await stored()).not.toHaveProperty('apiVersion');
});

it('that ends soon is among what to do first', async () => {
  const { id } = await connect('meta', { ...META });
  const steps = async () =>
    bodyOf(getOverview, await call('/v1/analytics/overview?range=24h', 'GET')).next_steps.map(
      ({ text }) => text,
    );
  expect((await steps()).join()).not.toContain('version');
  await move(id, 'v25.0');
  expect((await steps()).join()).toContain(
    'Move Meta to another version of the API of Meta: version v25.0 ends on 2027-02-23, in 88 days.',
  );
});

it.each(['401', '429', '500'])('stays where it is when the test ends with %s', async (kind) => {
  const { id } = await connect('meta', META);
  const before = await stored();
  const body = JSON.stringify({ platform: 'meta', kind, count: 10 });
  const set = await fetch(`${sandbox.url}/faults`, { method: 'POST', body });
  expect(set.status).toBe(200);
  const reply = await move(id, 'v27.0');
  expect([reply.status, codeOf(reply)]).toEqual([409, 'version_refused']);
  expect(reply.text).toContain('"path":"api_version"');
  expect(reply.text).not.toContain(META.access_token);
  expect(await stored()).toEqual(before);
  expect((await actions())[0]).toBe('connection.version_refused');
});

it('is refused by its name, and nothing is sent', async () => {
  const { id } = await connect('meta', META);
  const refused = async (body: unknown, word: string) => {
    const reply = await call(`/v1/platforms/${id}`, 'PATCH', body);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_request']);
    expect(reply.text).toContain('"path":"api_version"');
    expect(reply.text).toContain(word);
  };
  await refused({ api_version: 'v24.0' }, 'v26.0, v27.0, v25.0');
  await refused({ api_version: '__proto__' }, 'must be one of');
  await refused({ api_version: 'v'.repeat(10_000) }, 'api_version');
  await refused({ api_version: 27 }, 'api_version');
  await refused({ api_version: 'v25.0', name: 'x' }, 'alone');
  host.clock.advance(100 * 86_400_000);
  await refused({ api_version: 'v25.0' }, 'v26.0, v27.0');
  expect(await (await fetch(`${sandbox.url}/counted?platform=meta`)).json()).toMatchObject({
    total: 0,
    test: 0,
  });
  expect((await move('con_none', 'v25.0')).status).toBe(404);
  expect((await move(id, 'v25.0', { 'if-match': '"9"' })).status).toBe(412);
  const viewer = { method: 'PATCH', token: host.session('viewer'), body: { api_version: 'v25.0' } } as const;
  expect((await host.call(`/v1/platforms/${id}`, viewer)).status).toBe(403);
  expect(await stored()).not.toHaveProperty('apiVersion');
});

it('gives way to a change that came while the test was under way: what was tried is what is written', async () => {
  const { id } = await connect('meta', META);
  const send = transport.send.bind(transport);
  const meanwhile = await openApi(() => ({
    config: host.config,
    transport: async () => ({
      send: async (...args: Parameters<typeof send>) => {
        await host.config.changeConnection(await stored(), { name: 'Meanwhile' }, NOW);
        return await send(...args);
      },
    }),
    vault: host.ports.vault,
    clock: host.clock,
  }));
  const body = { api_version: 'v25.0' };
  const reply = await meanwhile.call(`/v1/platforms/${id}`, {
    method: 'PATCH',
    token: meanwhile.session('admin'),
    body,
  });
  expect([reply.status, codeOf(reply)]).toEqual([412, 'precondition_failed']);
  expect(await stored()).toMatchObject({ name: 'Meanwhile', revision: 2 });
  expect(await stored()).not.toHaveProperty('apiVersion');
});

it.each([
  ['linkedin', samples.linkedin, '202607', '202608'],
  ['klaviyo', samples.klaviyo, '2026-04-15', '2026-07-15'],
])(
  'of %s is moved untried, which is said, with the way back and what opens if it is refused',
  async (slug, given, to, from) => {
    const { id } = await connect(slug, given);
    const reply = bodyOf(updatePlatform, await move(id, to));
    expect([reply.test, reply.platform.api_version]).toEqual([undefined, to]);
    expect(reply.untried).toMatchObject({ previous: from, incident: 'refused' });
    expect(reply.untried?.message).toMatch(/has no test mode: a test would be counted/);
    expect(reply.untried?.message).toContain(`api_version "${from}"`);
    expect((await actions())[0]).toBe('connection.version');
    expect(await (await fetch(`${sandbox.url}/counted?platform=${slug}`)).json()).toMatchObject({
      total: 0,
      test: 0,
    });
    const same = bodyOf(updatePlatform, await move(id, to));
    expect(same).not.toHaveProperty('untried');

    // As deliveries leave it when the first events are refused for it.
    const refusal = {
      atMs: NOW,
      outcome: 'auth',
      status: 426,
      code: `${slug}.no_such_version`,
      message: 'not active',
    } as const;
    expect(await host.config.pauseConnection(await stored(slug), 'auth', NOW, refusal)).toBe(true);
    const [incident] = bodyOf(listIncidents, await call('/v1/incidents', 'GET')).incidents;
    expect(incident).toMatchObject({
      ...{ kind: 'refused', state: 'open', platform: slug },
      last_error: { code: `${slug}.no_such_version` },
    });
    expect(incident?.what).toMatch(/refuses the version of its API/);
    expect(incident?.what_to_do).toMatch(/Move the connection to another version/);

    const back = bodyOf(updatePlatform, await move(id, from));
    expect(back.platform).toMatchObject({ api_version: from, status: 'active' });
    expect(back.untried?.previous).toBe(to);
    expect(await stored(slug)).not.toHaveProperty('failedCall');
  },
);

it('has no way back to a version that has ended', async () => {
  const { id } = await connect('linkedin', samples.linkedin);
  await move(id, '202607');
  host.clock.advance(231 * 86_400_000);
  const reply = bodyOf(updatePlatform, await move(id, null));
  expect(reply.untried?.previous).toBeNull();
  expect(reply.untried?.message).not.toContain('202607');
});

it('leaves a pause alone that a person asked for, or that is about credentials', async () => {
  const { id } = await connect('linkedin', samples.linkedin);
  const refusal = { atMs: NOW, outcome: 'auth', status: 401, code: 'linkedin.65600' } as const;
  await host.config.pauseConnection(await stored('linkedin'), 'auth', NOW, refusal);
  expect(bodyOf(updatePlatform, await move(id, '202607')).platform.status).toBe('paused');
  await host.config.changeConnection(await stored('linkedin'), { pause: 'manual' }, NOW);
  expect(bodyOf(updatePlatform, await move(id, '202608')).platform.status).toBe('paused');
});

it('ends a pause where the platform takes the test with it', async () => {
  const { id } = await connect('meta', META);
  await host.config.pauseConnection(await stored(), 'auth', NOW);
  const reply = bodyOf(updatePlatform, await move(id, 'v25.0'));
  expect([reply.test?.ok, reply.platform.status]).toEqual([true, 'active']);
  expect(reply).not.toHaveProperty('untried');
});

it('that is no longer made is the platform’s own, and may be left for it', async () => {
  const { id } = await connect('meta', META);
  const old = await host.config.changeConnection(await stored(), { apiVersion: 'v19.0' }, NOW);
  expect(old?.apiVersion).toBe('v19.0');
  const [shown] = bodyOf(listPlatforms, await call('/v1/platforms', 'GET')).platforms;
  expect(shown?.api_version).toBe('v26.0');
  const reply = bodyOf(updatePlatform, await move(id, 'v26.0'));
  expect([reply.test, reply.platform.api_version]).toEqual([undefined, 'v26.0']);
  expect(await stored()).not.toHaveProperty('apiVersion');
});

it('shows what the platform answers about the end of it for a week, until it is another', async () => {
  const { id } = await connect('meta', META);
  const said =
    'x-ad-api-version-warning: The call has been auto-upgraded to v27.0 as v26.0 will be deprecated.';
  const seen = await stored();
  const longAgoMs = NOW - 8 * 86_400_000;
  expect(await host.config.noteDeprecation(seen, said, longAgoMs)).toBe(true);
  expect(await host.config.noteDeprecation(seen, said, NOW), 'noted by another').toBe(false);
  const warnings = async () =>
    bodyOf(listPlatforms, await call('/v1/platforms', 'GET')).platforms[0]?.warnings.map(({ code }) => code);
  expect(await warnings()).toEqual([]);
  expect(await host.config.noteDeprecation(await stored(), said, NOW)).toBe(true);
  expect(await warnings()).toEqual(['api_deprecation']);
  const before = await stored();
  await move(id, 'v27.0');
  expect(await warnings()).toEqual([]);
  expect(await host.config.noteDeprecation(before, said, NOW), 'of the version before').toBe(false);
});

it('of LinkedIn was part of the credentials: those open as before', async () => {
  const { id } = await connect('linkedin', samples.linkedin);
  const context = 'credentials/linkedin';
  const old = JSON.stringify({ ...samples.linkedin, send_ip_address: true, api_version: '202511' });
  const sealedCredentials = await host.ports.vault.seal(MINE, context, old);
  await host.config.changeConnection(await stored('linkedin'), { sealedCredentials }, NOW);
  const platform = platformBySlug('linkedin');
  if (platform === undefined) throw new Error('no LinkedIn');
  const opened = await createConnections({ config: host.config, vault: host.ports.vault }).get(
    MINE,
    platform,
  );
  expect(opened?.credentials).toEqual({ ...samples.linkedin, send_ip_address: true });
  const changed = await call(`/v1/platforms/${id}`, 'PATCH', { settings: { send_ip_address: false } });
  expect(bodyOf(updatePlatform, changed).platform.settings).not.toHaveProperty('api_version');
});
