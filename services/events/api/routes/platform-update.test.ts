// Promise: PATCH changes what is named and nothing else, of two at a time both count or one is refused; a secret is replaced
// without the connection being lost, checked as a whole before it takes over; a pause ends by whom it may be ended.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { connectPlatform, updatePlatform } from '#lib/events/routes/platforms/platforms.ts';
import { type ApiHost, bodyOf, codeOf, MINE, NOW, openApi } from '#test/contract/api-host.ts';

const META = { pixel_id: '1234567890', access_token: 'EAAB-very-secret-token' };
const NEW_TOKEN = 'EAAB-another-secret-token';

let host: ApiHost;
let token = '';
let id = '';
beforeEach(async () => {
  host = await openApi();
  token = host.session('admin');
  const body = { platform: 'meta', name: 'Main shop', credentials: META };
  const made = await host.call('/v1/platforms', { method: 'POST', token, body });
  id = bodyOf(connectPlatform, made).platform.id;
  host.clock.advance(1_000);
});
const patch = (body: unknown, headers: Record<string, string> = {}, of = id) =>
  host.call(`/v1/platforms/${of}`, { method: 'PATCH', token, body, headers });
const patched = async (body: unknown) => bodyOf(updatePlatform, await patch(body)).platform;
const stored = async (): Promise<Connection> => {
  const [connection] = await host.config.listConnections(MINE);
  if (connection === undefined) throw new Error('not connected');
  return connection;
};
const entered = async (): Promise<unknown> =>
  JSON.parse(await host.ports.vault.open(MINE, 'credentials/meta', (await stored()).sealedCredentials));
const detailsOf = ({ body }: { readonly body: unknown }) =>
  (body as { details?: { path: string; message: string }[] }).details;

describe('what is named', () => {
  it('is changed, and nothing else is', async () => {
    const before = await stored();
    const reply = await patch({ name: '  Zweiter Laden 🛒 ' });
    const { platform } = bodyOf(updatePlatform, reply);
    expect(platform).toMatchObject({ id, name: 'Zweiter Laden 🛒', status: 'active', version: 2 });
    expect(reply.headers.etag).toBe('"2"');
    const renamed = { name: 'Zweiter Laden 🛒', revision: 2, updatedAtMs: NOW + 1_000 };
    expect(await stored()).toEqual({ ...before, ...renamed });
  });

  it('may be a setting, or an optional one that goes; secrets and other settings stay', async () => {
    const test_event_code = 'TEST1';
    const shown = (await patched({ settings: { test_event_code } })).settings;
    expect(shown).toEqual({ pixel_id: META.pixel_id, test_event_code });
    expect(await entered()).toEqual({ ...META, test_event_code });
    const { settings } = await patched({ settings: { pixel_id: '9876543210', test_event_code: null } });
    expect(settings).toEqual({ pixel_id: '9876543210' });
    expect(await entered()).toEqual({ ...META, pixel_id: '9876543210' });
  });

  it('may be a secret, which is sealed and not shown', async () => {
    const reply = await patch({ credentials: { access_token: NEW_TOKEN } });
    expect(bodyOf(updatePlatform, reply).platform.secrets).toEqual(['access_token']);
    expect(reply.text).not.toContain(NEW_TOKEN);
    expect(await entered()).toEqual({ ...META, access_token: NEW_TOKEN });
    expect(JSON.stringify(await stored())).not.toContain(NEW_TOKEN);
    expect((await host.config.currentRouting(MINE)).version).toBe(1);
  });
});

describe('what is refused', () => {
  const PIXEL = { pixel_id: '12345' };
  const hundreds = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}`, i]));
  it.each([
    ['nothing', {}, ''],
    ['an unknown property', { name: 'y', label: 'x' }, 'label'],
    ['an empty name', { name: '   ' }, 'name'],
    ['a name of control characters', { name: 'a\u0007b' }, 'name'],
    ['a name of many lines', { name: 'a\nb' }, 'name'],
    ['a long name', { name: 'ü'.repeat(101) }, 'name'],
    ['no name', { name: null }, 'name'],
    ['an unknown status', { status: 'deleted' }, 'status'],
    ['settings that are a list', { settings: ['pixel_id'] }, 'settings'],
    ['an unknown setting', { settings: { pixel: '1' } }, 'settings.pixel'],
    ['the name of a method', { settings: { constructor: '1' } }, 'settings.constructor'],
    ['a secret among settings', { settings: { access_token: NEW_TOKEN } }, 'settings.access_token'],
    ['a wrong setting', { settings: { pixel_id: 'abc' } }, 'settings.pixel_id'],
    ['a required setting taken away', { settings: { pixel_id: null } }, 'settings.pixel_id'],
    ['a wrong secret', { credentials: { access_token: 'a b c d e f g' } }, 'credentials.access_token'],
    ['a secret taken away', { credentials: { access_token: null } }, 'credentials.access_token'],
    ['one field twice', { settings: PIXEL, credentials: { pixel_id: '54321' } }, 'credentials.pixel_id'],
    ['hundreds of fields', { settings: hundreds }, 'settings'],
  ])('%s, by its name, and nothing is changed', async (_what, body, path) => {
    const before = await stored();
    const reply = await patch(body);
    expect(reply.status).toBe(400);
    expect(detailsOf(reply)?.map((detail) => detail.path)).toEqual([path]);
    expect(reply.text).not.toContain(NEW_TOKEN);
    expect(await stored()).toEqual(before);
    expect(await host.config.listAudit(MINE, 10)).toHaveLength(1);
  });

  it('keys that are no names of ours, however they are spelled', async () => {
    for (const body of ['{"settings":{"__proto__":{"pixel_id":"12345"}}}', '{"__proto__":{"name":"x"}}'])
      expect((await patch(body)).status).toBe(400);
  });

  it('settings of a platform that is in the code no more; its name may change', async () => {
    const without = await openApi(() => ({ platforms: [], config: host.config, vault: host.ports.vault }));
    const call = (body: unknown) => without.call(`/v1/platforms/${id}`, { method: 'PATCH', token, body });
    expect(detailsOf(await call({ settings: PIXEL }))).toMatchObject([{ path: 'settings.pixel_id' }]);
    expect((await call({ name: 'Old' })).status).toBe(200);
  });

  it('an id that is not there, whatever else is wrong', async () => {
    expect((await patch({ name: 'x' }, { 'if-match': '"7"' }, 'con_none')).status).toBe(404);
  });
});

describe('pausing', () => {
  it('stays until somebody ends it, through new credentials too', async () => {
    const paused = await patched({ status: 'paused' });
    const pausedAt = new Date(NOW + 1_000).toISOString();
    expect(paused).toMatchObject({ status: 'paused', paused_reason: 'manual', paused_at: pausedAt });
    host.clock.advance(1_000);
    expect(await patched({ status: 'paused' })).toMatchObject({ paused_at: pausedAt });
    const rotated = await patched({ credentials: { access_token: NEW_TOKEN } });
    expect(rotated).toMatchObject({ status: 'paused', paused_reason: 'manual' });
    const resumed = await patched({ status: 'active' });
    expect(resumed.status).toBe('active');
    expect(resumed).not.toHaveProperty('paused_reason');
    expect(resumed).not.toHaveProperty('paused_at');
  });

  it('says when refused credentials are tried again, and nothing of it where a person paused', async () => {
    await host.config.pauseConnection(await stored(), 'auth', NOW + 1_000);
    const next_probe_at = new Date(NOW + 3_601_000).toISOString();
    expect(await patched({ name: 'Shop' })).toMatchObject({ next_probe_at });
    expect(await patched({ status: 'paused' })).not.toHaveProperty('next_probe_at');
  });

  it.each([
    ['new credentials', { credentials: { access_token: NEW_TOKEN } }, 'active'],
    ['being resumed', { status: 'active' }, 'active'],
    ['new credentials, and a wish to stay paused', { credentials: META, status: 'paused' }, 'paused'],
    ['another name', { name: 'Other' }, 'paused'],
    ['another setting', { settings: { pixel_id: '9876543210' } }, 'paused'],
  ])('by the platform that refused the credentials meets %s: %j leaves it %s', async (_how, body, status) => {
    await host.config.pauseConnection(await stored(), 'auth', NOW);
    expect((await patched(body)).status).toBe(status);
  });
});

describe('two at a time', () => {
  it('that name different fields are both there', async () => {
    const [test_event_code, pixel_id, access_token] = ['TEST1', '9876543210', NEW_TOKEN];
    const bodies = [
      { name: 'Other' },
      { settings: { test_event_code } },
      { credentials: { access_token } },
      { settings: { pixel_id } },
      { status: 'paused' },
    ];
    const replies = await Promise.all(bodies.map((body) => patch(body)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await stored()).toMatchObject({ name: 'Other', status: 'paused', revision: 6 });
    expect(await entered()).toEqual({ pixel_id, access_token, test_event_code });
    expect(new Set(replies.map(({ headers }) => headers.etag)).size).toBe(5);
  });

  it('that name the version they saw: one is refused, and changes nothing', async () => {
    const names = Array.from({ length: 16 }, (_, i) => `n${i}`);
    const replies = await Promise.all(names.map((name) => patch({ name }, { 'if-match': '"1"' })));
    const won = replies.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const reply of replies.filter((one) => !won.includes(one))) {
      expect([reply.status, codeOf(reply)]).toEqual([412, 'precondition_failed']);
    }
    expect(await stored()).toMatchObject({ revision: 2 });
    expect(await host.config.listAudit(MINE, 20)).toHaveLength(2);
  });

  it('one of which is the platform’s refusal: whoever saw the connection working is refused', async () => {
    await host.config.pauseConnection(await stored(), 'auth', NOW);
    expect((await patch({ name: 'x' }, { 'if-match': '"1"' })).status).toBe(412);
    expect((await patch({ name: 'x' }, { 'if-match': '"9", "2"' })).status).toBe(200);
    expect((await patch({ name: 'y' }, { 'if-match': '*' })).status).toBe(200);
    expect(await stored()).toMatchObject({ status: 'paused', pausedReason: 'auth', name: 'y' });
  });

  it('is answered once where the request is repeated with its key', async () => {
    const key = { 'idempotency-key': 'k-1' };
    const first = await patch({ name: 'Once' }, key);
    expect(await patch({ name: 'Once' }, key)).toMatchObject({ status: 200, text: first.text });
    expect(await stored()).toMatchObject({ revision: 2 });
  });
});

it('is in the audit trail as what it was', async () => {
  for (const body of [
    { name: 'x' },
    { status: 'paused' },
    { credentials: { access_token: NEW_TOKEN } },
    { status: 'active' },
    { settings: { pixel_id: '12345' }, status: 'active' },
  ]) {
    await patched(body);
    host.clock.advance(1);
  }
  const entries = await host.config.listAudit(MINE, 10);
  const actions = ['create', 'update', 'pause', 'rotate', 'resume', 'update'];
  expect(entries.map(({ action }) => action).reverse()).toEqual(actions.map((one) => `connection.${one}`));
  expect(new Set(entries.map(({ subject }) => subject))).toEqual(new Set([id]));
});

it('changes nothing where the vault is away', async () => {
  const away = Object.assign(new Error(), { name: 'TimeoutError' });
  const vault = { ...host.ports.vault, open: () => Promise.reject(away) };
  const locked = await openApi(() => ({ config: host.config, vault }));
  const body = { credentials: { access_token: NEW_TOKEN } };
  const reply = await locked.call(`/v1/platforms/${id}`, { method: 'PATCH', token, body });
  expect(reply.status).toBe(503);
  expect((await stored()).revision).toBe(1);
});
