// Goal: the account, the API keys and the documents of the helpdesk.
import { beforeEach, describe, expect, it } from 'vitest';
import { formatApiKey, hashApiKey } from '../../lib/core/tenancy/api-key.ts';
import { HELPDESK_ACCESS, HELPDESK_SCOPES } from '../../lib/helpdesk/domain/account/scopes.ts';
import { createHelpdeskKey, listHelpdeskKeys } from '../../lib/helpdesk/routes/api-keys.ts';
import { HELPDESK_ROUTES } from '../../lib/helpdesk/routes/every-route.ts';
import { getMe } from '../../lib/helpdesk/routes/me.ts';
import { createMessage } from '../../lib/helpdesk/routes/messages.ts';
import { memoryKeys } from '../support/memory/tenancy-stores.ts';
import { bodyOf, type Desk, errorOf, MINE, NOW, openHelpdesk, THEIRS } from './helpdesk-host.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openHelpdesk();
});

describe('the account', () => {
  const PATH = '/api/v1/accounts';
  const put = (body: unknown, headers = {}) => desk.ask('PUT', PATH, { body, headers });

  it('has the name of the workspace and its defaults until somebody changes it', async () => {
    const reply = await desk.ask('GET', PATH);
    expect(reply.body).toEqual({
      id: MINE,
      name: 'Analytical Engines',
      default_language: 'en',
      default_timezone: 'UTC',
      config: {},
      created_at: new Date(NOW - 86_400_000).toISOString(),
      updated_at: new Date(NOW - 86_400_000).toISOString(),
    });
  });

  it('changes by what is given; config is replaced whole', async () => {
    const config = { ticket_prefix: 'AE', ai: { auto_draft: false, tone: 'kind' }, own: [1, { a: null }] };
    const first = await put({ name: 'Desk', default_language: 'de-at', config });
    expect([first.status, first.headers.etag]).toEqual([200, '"1"']);
    expect(first.body).toMatchObject({ name: 'Desk', default_language: 'de-AT', config });
    const second = await put({ default_timezone: 'Europe/Vienna', config: { a: 1 } });
    expect(second.body).toMatchObject({
      name: 'Desk',
      default_timezone: 'Europe/Vienna',
      config: { a: 1 },
      updated_at: new Date(NOW).toISOString(),
    });
    expect((await desk.ask('GET', PATH)).body).toEqual(second.body);
    expect(desk.stores.audit.all().map(({ action }) => action)).toEqual([
      'account.updated',
      'account.updated',
    ]);
  });

  it('stays as it is for {} and for what it is already', async () => {
    for (const body of [{}, { name: 'Analytical Engines' }, { config: {} }])
      expect((await put(body)).body).toEqual((await desk.ask('GET', PATH)).body);
    expect(desk.stores.audit.all()).toEqual([]);
  });

  it('is changed by nobody who saw an older version', async () => {
    const etag = String((await desk.ask('GET', PATH)).headers.etag);
    expect((await put({ name: 'A' }, { 'if-match': etag })).status).toBe(200);
    const late = await put({ name: 'B' }, { 'if-match': etag });
    expect([late.status, errorOf(late)]).toEqual([412, 'Precondition failed']);
  });

  it.each([
    ['name', ''],
    ['name', 'x'.repeat(256)],
    ['name', 7],
    ['default_language', 'not a language'],
    ['default_language', 'en_US'],
    ['default_timezone', 'Mars/Olympus'],
    ['default_timezone', '+02:00'],
    ['default_timezone', ''],
    ['config', []],
    ['config', null],
    ['config', { a: 'x'.repeat(65_536) }],
    ['config.ticket_prefix', { ticket_prefix: 'tkt' }],
    ['config.ticket_prefix', { ticket_prefix: 'TOOLONGXX' }],
    ['config.retention_days', { retention_days: 29 }],
    ['config.snooze_on_customer_reply', { snooze_on_customer_reply: 'maybe' }],
    ['config.ai', { ai: true }],
  ])('refuses %s: %j', async (path, value) => {
    const [field = ''] = path.split('.');
    const reply = await put({ [field]: value });
    expect([reply.status, errorOf(reply)]).toEqual([400, expect.stringContaining(`${path}`)]);
    expect(await desk.stores.accounts.read(MINE, MINE)).toBeNull();
  });
});

describe('whoever calls', () => {
  it('reads its workspace and what it may do there, a member and a key of any scope', async () => {
    await desk.ask('PUT', '/api/v1/accounts', {
      body: { name: 'Desk', default_language: 'de', default_timezone: 'Europe/Vienna' },
    });
    const token = desk.session('member');
    const workspace = {
      id: MINE,
      name: 'Desk',
      default_language: 'de',
      default_timezone: 'Europe/Vienna',
    };
    const member = await desk.call('/api/v1/me', { token });
    expect(member.body).toEqual({
      success: true,
      workspace,
      caller: {
        type: 'user',
        id: 'mine-member',
        author_id: 'user:mine-member',
        role: 'member',
        scopes: HELPDESK_ACCESS.scopesOf(['see:helpdesk', 'answer:helpdesk']),
      },
    });
    const id = await desk.ticket();
    const written = await desk.ask('POST', '/api/v1/messages', { token, body: { ticket_id: id, body: 'a' } });
    expect(bodyOf(createMessage, written).author.id).toBe(bodyOf(getMe, member).caller.author_id);
    const { key, keyId } = await desk.keyFor(['read:runs']);
    expect((await desk.call('/api/v1/me', { key })).body).toEqual({
      success: true,
      workspace,
      caller: { type: 'api_key', id: keyId, author_id: `key:${keyId}`, role: null, scopes: ['read:runs'] },
    });
    expect((await desk.call('/api/v1/accounts', { token })).status).toBe(403);
  });
});

describe('an API key', () => {
  const PATH = '/api/v1/api-keys';

  it('is made by whoever has all of its scopes, opens them, and is shown without its secret', async () => {
    const token = desk.session('admin');
    const body = { name: 'Shop', scopes: ['write:tickets', 'read:tickets'] };
    const made = bodyOf(createHelpdeskKey, await desk.ask('POST', PATH, { token, body }));
    expect(made.secret).toMatch(/^hdk_live_/);
    expect(made.api_key).toMatchObject({ name: 'Shop', created_by: 'user:mine-admin', status: 'active' });
    expect((await desk.call('/api/tickets', { key: made.secret })).status).toBe(200);
    expect((await desk.call('/api/contacts', { key: made.secret })).status).toBe(403);
    const listed = await desk.ask('GET', PATH);
    expect(bodyOf(listHelpdeskKeys, listed).api_keys.map(({ name }) => name)).toContain('Shop');
    expect(listed.text).not.toContain(made.secret);
    const revoked = await desk.ask('DELETE', `${PATH}/${made.api_key.id}`);
    expect(revoked.status).toBe(200);
    expect((await desk.call('/api/tickets', { key: made.secret })).status).toBe(401);
    expect(desk.stores.audit.all().map(({ action }) => action)).toEqual([
      'api_key.created',
      'auth.denied',
      'api_key.revoked',
    ]);
    expect((await desk.ask('DELETE', `${PATH}/${made.api_key.id}`)).body).toEqual(revoked.body);
    expect(desk.stores.audit.all()).toHaveLength(3);
  });

  it('grants nothing that its maker has not', async () => {
    const { key } = await desk.keyFor(['manage:workspace', 'read:tickets']);
    for (const scope of HELPDESK_SCOPES) {
      const body = { name: 'more', scopes: [scope] };
      const reply = await desk.ask('POST', PATH, { key, body });
      const mayGrant = scope === 'manage:workspace' || scope === 'read:tickets';
      expect([scope, reply.status]).toEqual([scope, mayGrant ? 201 : 403]);
    }
    const ending = await desk.keyFor(['manage:workspace'], MINE, { expiresAtMs: NOW + 1_000 });
    const body = { name: 'forever', scopes: ['manage:workspace'] };
    const reply = await desk.ask('POST', PATH, { key: ending.key, body });
    expect([reply.status, errorOf(reply)]).toEqual([
      403,
      'A key can grant no more than its creator has: its scopes, its environment, its end',
    ]);
  });

  it('of another workspace or another product is neither listed nor revoked', async () => {
    const theirs = await desk.keyFor(HELPDESK_SCOPES, THEIRS);
    const key = formatApiKey('evk_live', Buffer.alloc(32, 99));
    const record = { sha256: hashApiKey(key), keyId: 'key_events', merchantId: MINE, name: 'events' };
    await memoryKeys('evk').putApiKey({ ...record, prefix: key.slice(0, 13), scopes: [], createdAtMs: NOW });
    const listed = bodyOf(listHelpdeskKeys, await desk.ask('GET', PATH));
    expect(listed.api_keys.map(({ id }) => id)).toEqual(['key_1']);
    for (const id of [theirs.keyId, 'key_events', 'nobody']) {
      const reply = await desk.ask('DELETE', `${PATH}/${id}`);
      expect([reply.status, errorOf(reply)]).toEqual([404, 'API key not found']);
    }
    expect((await desk.call('/api/tickets', { key })).status).toBe(401);
  });

  it.each([
    ['name', { name: '' }],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: ['admin'] }],
    ['scopes', { scopes: ['read:tickets', 'read:tickets'] }],
    ['expires_at', { expires_at: new Date(NOW).toISOString() }],
    ['expires_at', { expires_at: '2099-01-01T00:00:00Z' }],
    ['environment', { environment: 'staging' }],
  ])('is refused for its %s: %j', async (field, changes) => {
    const body = { name: 'Shop', scopes: ['read:tickets'], ...changes };
    const reply = await desk.ask('POST', PATH, { body });
    expect([reply.status, errorOf(reply)]).toEqual([400, expect.stringContaining(field)]);
  });
});

describe('the documents', () => {
  it('name every route, and are served to everybody', async () => {
    const reply = await desk.call('/openapi.json');
    const { paths } = reply.body as { paths: Record<string, Record<string, unknown>> };
    const named = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(named.sort()).toEqual(
      HELPDESK_ROUTES.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`).sort(),
    );
  });

  it('are a page that loads nothing from elsewhere', async () => {
    const page = await desk.call('/docs');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    for (const path of page.text.matchAll(/(?:src|href)="([^"]+)"/g))
      if (path[1]?.startsWith('/'))
        expect([path[1], (await desk.call(path[1])).status]).toEqual([path[1], 200]);
  });

  it('are there where nothing else is', async () => {
    expect((await desk.call('/healthz')).body).toEqual({ success: true });
  });
});
