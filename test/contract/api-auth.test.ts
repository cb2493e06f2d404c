// Every route with every credential. What is expected comes from the contract, so a new route is in the table at once.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../lib/core/http/route.ts';
import { API_KEY_SCOPES, type ApiKeyScope, formatApiKey } from '../../lib/core/tenancy/api-key.ts';
import { MEMBER_ROLES, type MemberRole } from '../../lib/core/tenancy/merchant.ts';
import { routesOf } from '../../lib/events/routes/every-route.ts';
import { connectPlatform } from '../../lib/events/routes/platforms.ts';
import { type ApiHost, bodyOf, codeOf, NOW, openApi, THEIRS } from './api-host.ts';
import { normalizedRow, store } from './stored-rows.ts';

const ROUTES = routesOf('api');
const NOTHING_VALID: readonly (readonly [string, string | undefined])[] = [
  ['no header', undefined],
  ['an empty header', ''],
  ['no scheme', 'session-mine-owner'],
  ['Basic', 'Basic bWluZTpvd25lcg=='],
  ['no token', 'Bearer '],
  ['two tokens', 'Bearer session-mine-owner session-mine-owner'],
  ['a token with a space inside', 'Bearer session mine'],
  ['a token that is none', 'Bearer nonsense'],
  ['a key of nobody', `Bearer ${formatApiKey('live', Buffer.alloc(32, 250))}`],
  ['a key with a wrong checksum', `Bearer ${formatApiKey('live', Buffer.alloc(32, 1)).slice(0, -1)}_`],
  ['a key that is only a prefix', 'Bearer evk_live_'],
  ['a long token', `Bearer ${'a'.repeat(10_000)}`],
];

let host: ApiHost;
const keys = new Map<ApiKeyScope, string>();
beforeAll(async () => {
  host = await openApi();
  for (const scope of API_KEY_SCOPES) keys.set(scope, (await host.keyFor([scope])).key);
});

function ask(route: Route, authorization: string | undefined) {
  const url = route.path.replaceAll(/:\w+/g, 'nothing');
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  return host.call(url, { method: route.method, headers, ...(route.body ? { body: {} } : {}) });
}

/** The role or scope a route asks for, as the contract states it. */
function grants(route: Route, who: { readonly role?: MemberRole; readonly scope?: ApiKeyScope }): boolean {
  if (route.auth === 'public') return true;
  const { session, key } = route.auth;
  if (who.scope !== undefined) return key !== undefined && (who.scope === key || who.scope === 'admin');
  if (session === undefined || who.role === undefined) return false;
  return MEMBER_ROLES.indexOf(who.role) >= MEMBER_ROLES.indexOf(session);
}

const GUARDED = ROUTES.filter(({ auth }) => auth !== 'public');

describe.each(GUARDED.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (_name, route) => {
    it.each(NOTHING_VALID)('answers 401 to %s', async (_what, authorization) => {
      const reply = await ask(route, authorization);
      expect([reply.status, codeOf(reply)]).toEqual([401, 'unauthorized']);
      expect(reply.headers['www-authenticate']).toBe('Bearer');
    });

    it('answers 403 to a valid session of somebody who is no member', async () => {
      const reply = await ask(route, 'Bearer session-stranger');
      expect([reply.status, codeOf(reply)]).toEqual([403, 'forbidden']);
    });

    it.each(MEMBER_ROLES)('gives %s what the contract says', async (role) => {
      const reply = await ask(route, `Bearer session-mine-${role}`);
      if (grants(route, { role })) expect([401, 403]).not.toContain(reply.status);
      else expect([reply.status, codeOf(reply)]).toEqual([403, 'forbidden']);
    });

    it.each(API_KEY_SCOPES)('gives a key with %s what the contract says', async (scope) => {
      const reply = await ask(route, `Bearer ${keys.get(scope)}`);
      if (grants(route, { scope })) expect([401, 403]).not.toContain(reply.status);
      else expect([reply.status, codeOf(reply)]).toEqual([403, 'forbidden']);
    });

    it('refuses a key from the request after its revocation on', async () => {
      const { key, keyId } = await host.keyFor(['admin']);
      expect((await ask(route, `Bearer ${key}`)).status).not.toBe(401);
      await host.config.revokeApiKey('11111111-1111-4111-8111-111111111111', keyId, NOW);
      expect((await ask(route, `Bearer ${key}`)).status).toBe(401);
    });

    it('takes the role from the membership record of this very request', async () => {
      const sub = `moving-${route.id}`;
      for (const role of MEMBER_ROLES) {
        await host.config.putMember({ sub, merchantId: THEIRS, role });
        expect((await ask(route, `Bearer session-${sub}`)).status === 403).toBe(!grants(route, { role }));
      }
    });
  },
);

describe('the matrix', () => {
  it.each(ROUTES.filter((route) => !GUARDED.includes(route)).map((route) => [route.path, route] as const))(
    'asks nobody at %s who they are',
    async (_path, route) => {
      for (const [, authorization] of NOTHING_VALID)
        expect([401, 403]).not.toContain((await ask(route, authorization)).status);
    },
  );

  it('has every route and finds both answers in it', () => {
    const allowed = ROUTES.map((route) => MEMBER_ROLES.filter((role) => grants(route, { role })).length);
    expect(ROUTES.length).toBeGreaterThanOrEqual(9);
    expect(Math.max(...allowed)).toBe(MEMBER_ROLES.length);
    expect(Math.min(...allowed)).toBeLessThan(MEMBER_ROLES.length);
  });

  it('checks the credential before the body', async () => {
    const reply = await host.call('/v1/platforms', { method: 'POST', body: '{"a":1,"a":2}' });
    expect(reply.status).toBe(401);
  });

  it('takes the scheme in any case', async () => {
    const headers = { authorization: 'bEARER session-mine-member' };
    expect((await host.call('/v1/events', { headers })).status).toBe(200);
  });
});

describe('tenants', () => {
  it('answers foreign ids byte for byte like missing ones', async () => {
    const foreign = await openApi();
    await store(foreign.events, normalizedRow({ eventId: 'order-1', merchantId: THEIRS }));
    const connected = await foreign.call('/v1/platforms', {
      method: 'POST',
      token: foreign.session('owner', 'theirs'),
      body: { platform: 'meta', credentials: { pixel_id: '1234567890', access_token: 'x'.repeat(20) } },
    });
    const { id } = bodyOf(connectPlatform, connected).platform;
    const token = foreign.session('owner');
    const pairs = [
      ['GET', '/v1/events/order-1', '/v1/events/order-2'],
      ['GET', '/v1/events/order-1/explain', '/v1/events/order-2/explain'],
      ['GET', '/v1/events/order-1?trust=server', '/v1/events/order-2?trust=server'],
      ['POST', `/v1/platforms/${id}/test`, '/v1/platforms/con_none/test'],
      ['DELETE', `/v1/platforms/${id}`, '/v1/platforms/con_none'],
    ] as const;
    for (const [method, theirs, missing] of pairs) {
      const headers = { 'x-request-id': 'same' };
      const [a, b] = [
        await foreign.call(theirs, { method, token, headers }),
        await foreign.call(missing, { method, token, headers }),
      ];
      expect([a.status, a.text]).toEqual([404, b.text]);
      expect({ ...a.headers, date: '' }).toEqual({ ...b.headers, date: '' });
    }
    const mine = await foreign.call('/v1/events', { token });
    expect(mine.body).toMatchObject({ events: [], total: 0 });
    expect((await foreign.config.listConnections(THEIRS)).map((c) => c.id)).toEqual([id]);
    expect(
      (await foreign.call('/v1/events/order-1', { token: foreign.session('member', 'theirs') })).status,
    ).toBe(200);
  });
});
