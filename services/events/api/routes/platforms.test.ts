import { beforeEach, describe, expect, it } from 'vitest';
import { PLATFORMS, platformBySlug } from '#lib/events/platforms/registry.ts';
import {
  connectPlatform,
  disconnectPlatform,
  listPlatforms,
} from '#lib/events/routes/platforms/platforms.ts';
import { type ApiHost, bodyOf, MINE, NOW, openApi } from '#test/contract/api-host.ts';

const SECRET = 'EAAB-very-secret-token';
const META = { platform: 'meta', credentials: { pixel_id: '1234567890', access_token: SECRET } };

/** Another pixel of the same platform. */
const other = { ...META, credentials: { ...META.credentials, pixel_id: '9876543210' } };

let host: ApiHost;
let token = '';
beforeEach(async () => {
  host = await openApi();
  token = host.session('admin');
});
const connect = (body: unknown, as = token) =>
  host.call('/v1/platforms', { method: 'POST', token: as, body });
const connected = async (body: unknown) => bodyOf(connectPlatform, await connect(body)).platform;
/** The credentials that are stored for Meta. */
const entered = async (): Promise<unknown> => {
  const stored = await host.config.connection(MINE, 'meta');
  return JSON.parse(await host.ports.vault.open(MINE, 'credentials/meta', stored?.sealedCredentials ?? ''));
};
const list = async () => bodyOf(listPlatforms, await host.call('/v1/platforms', { token }));

describe('connecting', () => {
  it('answers 201 with the connection, and stores its credentials sealed', async () => {
    const reply = await connect(META);
    expect(reply.status).toBe(201);
    const { platform } = bodyOf(connectPlatform, reply);
    expect(platform).toMatchObject({
      platform: 'meta',
      label: 'Meta',
      name: 'Meta',
      status: 'active',
      created_at: new Date(NOW).toISOString(),
      settings: { pixel_id: '1234567890' },
      secrets: ['access_token'],
    });
    expect(reply.text).not.toContain(SECRET);
    expect(JSON.stringify(await host.config.connection(MINE, 'meta'))).not.toContain(SECRET);
    expect(await entered()).toEqual(META.credentials);
    const { connections } = await host.config.currentRouting(MINE);
    expect(connections).toMatchObject([{ id: platform.id, platform: 'meta' }]);
  });

  it('again answers 200, keeps the id, replaces the credentials and ends a pause', async () => {
    const first = await connected({ ...META, name: 'Main shop' });
    const seen = await host.config.connection(MINE, 'meta');
    if (seen === null) throw new Error('not connected');
    await host.config.pauseConnection(seen, 'auth', NOW);
    host.clock.advance(1_000);
    expect((await list()).platforms[0]).toMatchObject({ status: 'paused', paused_reason: 'auth' });
    const renewed = { ...META.credentials, access_token: 'EAAB-another-secret-token', test_event_code: 'T1' };
    const again = await connect({ ...META, credentials: renewed });
    expect(again.status).toBe(200);
    const { platform } = bodyOf(connectPlatform, again);
    expect(platform).toMatchObject({ id: first.id, name: 'Main shop', status: 'active' });
    expect(await entered()).toEqual(renewed);
    expect(platform).not.toHaveProperty('paused_reason');
    expect(platform.created_at < platform.updated_at).toBe(true);
    expect((await list()).platforms).toHaveLength(1);
  });

  it('refuses another pixel in the place of the first, and changes nothing, unless that is asked for', async () => {
    const first = await connected({ ...META, name: 'Main shop' });
    const before = await host.config.connection(MINE, 'meta');
    for (const body of [other, { ...other, replace: false, another: false }]) {
      const reply = await connect(body);
      expect(reply.status).toBe(409);
      expect(reply.body).toMatchObject({
        code: 'already_connected',
        details: [{ path: 'platform', message: `is connected as ${first.id} (Main shop)` }],
      });
    }
    expect(await host.config.connection(MINE, 'meta')).toEqual(before);
    const replaced = await connect({ ...other, replace: true });
    expect(replaced.status).toBe(200);
    const { platform } = bodyOf(connectPlatform, replaced);
    const settings = { pixel_id: '9876543210' };
    expect(platform).toMatchObject({ id: first.id, name: 'Main shop', settings });
  });

  it('renews the one of several whose pixel it is', async () => {
    const first = await connected(META);
    const second = await connected({ ...other, another: true });
    for (const [body, id] of [
      [other, second.id],
      [META, first.id],
    ] as const) {
      const reply = await connect(body);
      expect([reply.status, bodyOf(connectPlatform, reply).platform.id]).toEqual([200, id]);
    }
    expect((await list()).platforms).toHaveLength(2);
  });

  it('connects once what several ask for at a time', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => connect(META)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(7);
    expect((await list()).platforms).toHaveLength(1);
  });

  it('does not take a key that names no account for a new key of the same account', async () => {
    const klaviyo = (key: string) => ({ platform: 'klaviyo', credentials: { private_api_key: key } });
    expect((await connect(klaviyo('pk_first_key_0123'))).status).toBe(201);
    expect((await connect(klaviyo('pk_first_key_0123'))).status).toBe(200);
    expect((await connect(klaviyo('pk_other_key_0123'))).body).toMatchObject({ code: 'already_connected' });
    expect((await connect({ ...klaviyo('pk_other_key_0123'), replace: true })).status).toBe(200);
  });

  it.each(PLATFORMS.map(({ slug }) => slug))('refuses empty credentials for %s', async (slug) => {
    expect((await connect({ platform: slug, credentials: {} })).status).toBe(400);
  });
});

describe('an experimental platform', () => {
  const meta = platformBySlug('meta');
  if (meta === undefined) throw new Error('Meta is gone');
  const platform = { ...meta, experimental: true } as const;
  const body = { ...META, platform: platform.slug };
  beforeEach(async () => {
    host = await openApi(() => ({ platforms: [platform] }));
  });

  it.each([
    ['nothing', {}],
    ['no', { confirm_experimental: false }],
  ])('is not connected when the caller confirms %s, and nothing is stored', async (_said, confirmation) => {
    const reply = await connect({ ...body, ...confirmation });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'experimental_unconfirmed' });
    expect(await host.config.listConnections(MINE)).toEqual([]);
    expect(await host.config.listAudit(MINE, 10)).toEqual([]);
  });

  it('is connected when the caller confirms it, each time again', async () => {
    expect((await connect({ ...body, confirm_experimental: true })).status).toBe(201);
    expect((await connect({ ...body, confirm_experimental: true })).status).toBe(200);
    expect((await connect(body)).status).toBe(400);
  });

  it('does not take any other word for a yes', async () => {
    for (const word of ['true', 1, null]) {
      const reply = await connect({ ...body, confirm_experimental: word });
      expect(reply.body).toMatchObject({ code: 'invalid_request' });
    }
  });

  it('is called experimental in the list, as every one of the registry that says so of itself', async () => {
    expect((await list()).available).toMatchObject([{ experimental: true }]);
    host = await openApi();
    const { available } = await list();
    const declared = PLATFORMS.filter((one) => one.experimental === true).map(({ slug }) => slug);
    expect(available.filter((one) => one.experimental).map((one) => one.platform)).toEqual(declared);
  });
});

describe('listing', () => {
  it('shows every platform of the registry with the form it asks for', async () => {
    const { available } = await list();
    expect(available.map(({ platform }) => platform)).toEqual(PLATFORMS.map(({ slug }) => slug));
    for (const { fields, unhashed_fields, platform } of available) {
      const declared = PLATFORMS.find(({ slug }) => slug === platform)?.sealedFields ?? [];
      expect(unhashed_fields).toHaveLength(declared.length);
      expect(fields.some(({ secret }) => secret)).toBe(true);
      expect(fields.some(({ required }) => required)).toBe(true);
    }
  });

  it('never shows a secret, to anyone', async () => {
    await connect(META);
    const { key } = await host.keyFor(['platforms:read']);
    for (const who of [key, host.session('member'), host.session('owner')]) {
      const reply = await host.call('/v1/platforms', { token: who });
      expect(reply.text).toContain('1234567890');
      expect(reply.text).not.toContain(SECRET);
    }
  });

  it('goes on without settings when they cannot be opened, and says so', async () => {
    await connect(META);
    const locked = await openApi(() => ({
      config: host.config,
      vault: { seal: async () => '', open: async () => Promise.reject(new Error('KMS is away')) },
    }));
    const { platforms } = bodyOf(listPlatforms, await locked.call('/v1/platforms', { token }));
    expect(platforms).toMatchObject([{ platform: 'meta', settings: null, secrets: [] }]);
    expect(locked.reports).toHaveLength(1);
  });
});

describe('disconnecting', () => {
  it('removes the connection and its routing, once', async () => {
    const { id } = await connected(META);
    const remove = () => host.call(`/v1/platforms/${id}`, { method: 'DELETE', token });
    expect(bodyOf(disconnectPlatform, await remove())).toEqual({ success: true, id });
    expect((await list()).platforms).toEqual([]);
    expect((await host.config.currentRouting(MINE)).connections).toEqual([]);
    expect((await remove()).status).toBe(404);
  });
});

describe('the audit trail', () => {
  it('names who did what, and nothing that was refused', async () => {
    const { id } = await connected(META);
    host.clock.advance(1);
    const { key, keyId } = await host.keyFor(['admin']);
    await connect(META, key);
    host.clock.advance(1);
    await connect({ platform: 'meta', credentials: {} });
    await host.call('/v1/platforms/con_none', { method: 'DELETE', token });
    await host.call(`/v1/platforms/${id}`, { method: 'DELETE', token });
    const entries = await host.config.listAudit(MINE, 10);
    expect(entries.map(({ actor, action, subject }) => `${actor} ${action} ${subject}`)).toEqual([
      `user:mine-admin connection.delete ${id}`,
      `key:${keyId} connection.update ${id}`,
      `user:mine-admin connection.create ${id}`,
    ]);
  });
});
