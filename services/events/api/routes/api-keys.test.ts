import { beforeEach, describe, expect, it } from 'vitest';
import { hashApiKey, isWellFormedApiKey } from '#lib/core/tenancy/api-key.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '#lib/events/routes/api-keys.ts';
import { type ApiHost, bodyOf, codeOf, MINE, NOW, openApi, THEIRS } from '#test/contract/api-host.ts';
import { createSeededRandom } from '#test/support/memory/random.ts';

const DAY_MS = 86_400_000;
const at = (ms: number): string => new Date(ms).toISOString();

let host: ApiHost;
let token = '';
beforeEach(async () => {
  host = await openApi();
  token = host.session('admin');
});
const create = (body: object = {}, as = token, headers: Record<string, string> = {}) =>
  host.call('/v1/api-keys', {
    method: 'POST',
    token: as,
    body: { name: 'Shop server', scopes: ['events:write'], ...body },
    headers,
  });
const made = async (body: object = {}, as = token) => bodyOf(createApiKey, await create(body, as));
const list = async () => bodyOf(listApiKeys, await host.call('/v1/api-keys', { token })).api_keys;
const revoke = (id: string, as = token) => host.call(`/v1/api-keys/${id}`, { method: 'DELETE', token: as });
const isIn = async (key: string, path = '/v1/api-keys') =>
  (await host.call(path, { token: key })).status !== 401;

describe('a key', () => {
  it('is shown once, stored as a hash, and listed by its prefix', async () => {
    const { secret, api_key } = await made({ name: '  Zoë’s server ', scopes: ['events:write', 'admin'] });
    expect(isWellFormedApiKey(secret, 'evk')).toBe(true);
    expect(api_key).toEqual({
      id: api_key.id,
      name: 'Zoë’s server',
      prefix: secret.slice(0, 13),
      environment: 'live',
      scopes: ['events:write', 'admin'],
      status: 'active',
      created_at: at(NOW),
      created_by: 'user:mine-admin',
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    });
    expect(await list()).toEqual([api_key]);
    expect(JSON.stringify(await list())).not.toContain(secret);
    expect(JSON.stringify(await host.config.apiKey(hashApiKey(secret)))).not.toContain(secret);
    expect(await isIn(secret)).toBe(true);
  });

  it('says where it is meant to be used, and opens the same merchant', async () => {
    const { secret, api_key } = await made({ environment: 'test', scopes: ['admin'] });
    expect([secret.slice(0, 9), api_key.environment]).toEqual(['evk_test_', 'test']);
    expect((await host.call('/v1/members', { token: secret })).status).toBe(200);
  });

  it('is made once for one Idempotency-Key, whose repeater alone is shown it again, and only for a day', async () => {
    const keyed = (as: string, name = 'Once') => create({ name }, as, { 'idempotency-key': 'k-1' });
    const first = await keyed(token);
    const again = await keyed(token);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await list()).toHaveLength(1);
    expect(codeOf(await keyed(token, 'Twice'))).toBe('idempotency_key_reused');
    const { secret } = bodyOf(createApiKey, first);
    expect((await keyed(host.session('owner'))).text).not.toContain(secret);
    expect((await keyed(host.session('owner', 'theirs'))).text).not.toContain(secret);
    host.clock.advance(DAY_MS);
    expect((await keyed(token)).text).not.toContain(secret);
    expect(await list()).toHaveLength(3);
  });

  it('is unlike every other one', async () => {
    const secrets = new Set<string>();
    for (let i = 0; i < 30; i++) secrets.add((await made()).secret);
    expect(secrets.size).toBe(30);
  });

  it('shows when it was last used, as it was noted', async () => {
    const { api_key } = await made();
    await host.config.noteKeyUse(MINE, api_key.id, NOW + 5);
    await host.config.noteKeyUse(THEIRS, api_key.id, NOW + 9);
    expect((await list())[0]?.last_used_at).toBe(at(NOW + 5));
  });

  it.each([
    ['no name', { name: ' ' }, 'name'],
    ['a name of two lines', { name: 'a\nb' }, 'name'],
    ['a long name', { name: 'x'.repeat(101) }, 'name'],
    ['no scopes', { scopes: [] }, 'scopes'],
    ['a scope that is none', { scopes: ['billing'] }, 'scopes.0'],
    ['a scope twice', { scopes: ['admin', 'admin'] }, 'scopes'],
    ['an environment that is none', { environment: 'prod' }, 'environment'],
    ['an end that is none', { expires_at: '2027-02-30' }, 'expires_at'],
    ['an end without an offset', { expires_at: '2027-01-01T00:00:00' }, 'expires_at'],
    ['an end that is over', { expires_at: at(NOW) }, 'expires_at'],
    ['an end far away', { expires_at: '2100-01-01T00:00:00Z' }, 'expires_at'],
    ['another field', { secret: 'evk_live_x' }, 'secret'],
  ])('is not made with %s', async (_what, body, path) => {
    const reply = await create(body);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_request']);
    expect((reply.body as { details: { path: string }[] }).details[0]?.path).toBe(path);
    expect(await list()).toEqual([]);
  });
});

describe('an end', () => {
  it('refuses the key from that very millisecond on', async () => {
    const { secret } = await made({ scopes: ['admin'], expires_at: String(NOW + DAY_MS) });
    host.clock.advance(DAY_MS - 1);
    expect(await isIn(secret)).toBe(true);
    host.clock.advance(1);
    expect(await isIn(secret)).toBe(false);
    expect((await list())[0]).toMatchObject({ status: 'expired', expires_at: at(NOW + DAY_MS) });
  });
});

describe('a key that makes keys', () => {
  it('makes none that lasts longer, or is live where it is for tests', async () => {
    const first = await made({ scopes: ['admin'], environment: 'test', expires_at: at(NOW + DAY_MS) });
    for (const [body, path] of [
      [{ environment: 'live', expires_at: at(NOW + 1) }, 'environment'],
      [{ environment: 'test' }, 'expires_at'],
      [{ environment: 'test', expires_at: at(NOW + DAY_MS + 1) }, 'expires_at'],
    ] as const) {
      const reply = await create(body, first.secret);
      expect([reply.status, codeOf(reply)]).toEqual([403, 'grant_exceeded']);
      expect(reply.body).toMatchObject({ details: [{ path }] });
    }
    const second = await made({ environment: 'test', expires_at: at(NOW + DAY_MS) }, first.secret);
    expect(second.api_key.created_by).toBe(`key:${first.api_key.id}`);
  });

  it('that is revoked while it makes one leaves none behind', async () => {
    const { secret, api_key } = await made({ scopes: ['admin'] });
    const racing = await openApi(() => ({
      random: createSeededRandom('racing'),
      config: {
        ...host.config,
        putApiKey: async (record) => {
          await host.config.putApiKey(record);
          await host.config.revokeApiKey(MINE, api_key.id, NOW);
        },
      },
    }));
    const body = { name: 'Back door', scopes: ['admin'] };
    const reply = await racing.call('/v1/api-keys', { method: 'POST', token: secret, body });
    expect(codeOf(reply)).toBe('grant_exceeded');
    expect(await list()).toContainEqual(expect.objectContaining({ name: 'Back door', status: 'revoked' }));
    const trail = (await host.config.listAudit(MINE, 10)).map(({ action }) => action);
    expect(trail.filter((action) => action === 'api_key.create')).toHaveLength(2);
    expect(trail.filter((action) => action === 'api_key.revoke')).toHaveLength(1);
  });
});

describe('a revocation', () => {
  it('is final, says its first time however often it is asked for, and leaves one entry', async () => {
    const { secret, api_key } = await made({ scopes: ['admin'] });
    host.clock.advance(1);
    const first = bodyOf(revokeApiKey, await revoke(api_key.id));
    const revoked = { id: api_key.id, revoked_at: at(NOW + 1), revoked_with_it: [] };
    expect(first).toEqual({ success: true, ...revoked });
    expect(await isIn(secret)).toBe(false);
    host.clock.advance(1_000);
    expect(bodyOf(revokeApiKey, await revoke(api_key.id))).toEqual(first);
    expect((await list())[0]).toMatchObject({ status: 'revoked', revoked_at: at(NOW + 1) });
    const trail = await host.config.listAudit(MINE, 10);
    expect(trail.map(({ action, subject }) => [action, subject])).toEqual([
      ['api_key.revoke', api_key.id],
      ['api_key.create', api_key.id],
    ]);
  });

  it('may be of the key that asks for it', async () => {
    const { secret, api_key } = await made({ scopes: ['admin'] });
    expect((await revoke(api_key.id, secret)).status).toBe(200);
    expect((await revoke(api_key.id, secret)).status).toBe(401);
  });
});
