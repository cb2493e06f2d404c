// Goal: no route of any product opens for a merchant that the operator has suspended, whatever credential comes, and each says whom
// to ask. Method: every route there is, with a key of all scopes and with an owner's session.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../lib/core/http/route.ts';
import { ROUTES } from '../../lib/events/routes/every-route.ts';
import { HELPDESK_SCOPES } from '../../lib/helpdesk/domain/account/scopes.ts';
import { HELPDESK_ROUTES } from '../../lib/helpdesk/routes/every-route.ts';
import { API_KEY, request, send, testIngestion } from '../support/ingestion.ts';
import { MINE, NOW, openApi } from './api-host.ts';
import { openHelpdesk } from './helpdesk-host.ts';

const named = (routes: readonly Route[]) =>
  routes
    .filter(({ auth }) => auth !== 'public')
    .map((route) => [`${route.method} ${route.path}`, route] as const);
const takes = ({ auth }: Route, what: 'key' | 'session'): boolean =>
  auth !== 'public' && auth[what] !== undefined;
const urlOf = ({ path }: Route): string => path.replaceAll(/:\w+/g, 'nothing');
const SENTENCE = /has suspended this merchant: ask the operator/;
/** As the table answers for any member. */
const memberships = async (sub: string) =>
  [{ sub, merchantId: '8f14e45f-ceea-467f-a111-0000000000aa', role: 'owner', isSuspended: true }] as const;

let api: Awaited<ReturnType<typeof openApi>>;
let desk: Awaited<ReturnType<typeof openHelpdesk>>;
const keys = { api: '', desk: '' };
beforeAll(async () => {
  api = await openApi(({ config }) => ({ config: { ...config, memberships } }));
  keys.api = (await api.keyFor(['admin'], undefined, { suspendedAtMs: NOW })).key;
  desk = await openHelpdesk();
  Object.assign(desk.ports.config, { memberships });
  keys.desk = (await desk.keyFor(HELPDESK_SCOPES, undefined, { suspendedAtMs: NOW })).key;
});

describe.each(named(ROUTES.filter(({ part }) => part === 'api')))('%s', (_name, route) => {
  const { method } = route;

  it('is closed to keys and people, and changes nothing', async () => {
    for (const token of [keys.api, api.session('owner')]) {
      const { status, body } = await api.call(urlOf(route), { method, token });
      expect([status, body]).toMatchObject([
        403,
        { code: 'merchant_suspended', error: expect.stringMatching(SENTENCE) },
      ]);
    }
  });
});

describe.each(named(HELPDESK_ROUTES))('of the helpdesk, %s', (_name, route) => {
  const { method } = route;

  it.runIf(takes(route, 'key'))('is closed to keys', async () => {
    const { status, body } = await desk.call(urlOf(route), { method, key: keys.desk });
    expect([status, body]).toEqual([403, { error: expect.stringMatching(SENTENCE) }]);
  });

  it.runIf(takes(route, 'session'))('is closed to people', async () => {
    const { status, body } = await desk.call(urlOf(route), { method, token: desk.session('owner') });
    expect([status, body]).toEqual([403, { error: expect.stringMatching(SENTENCE) }]);
  });
});

describe.each(named(ROUTES.filter(({ part }) => part === 'ingestion')))('%s', (_name, route) => {
  it('is closed to keys, and stores nothing', async () => {
    const [prefix, scopes] = [API_KEY.slice(0, 13), ['events:write']];
    const record = { sha256: '', keyId: 'k', merchantId: MINE, name: '', prefix, scopes, createdAtMs: NOW };
    const answer = async (more: object) => {
      const apiKey = async () => ({ ...record, ...more });
      const { app, sent } = testIngestion({ config: { apiKey, merchant: async () => null } });
      const { status, json } = await send(app, request(route.path, '{}'));
      return [status, json.code, sent.length];
    };
    expect(await answer({})).not.toContain(403);
    expect(await answer({ suspendedAtMs: NOW })).toEqual([403, 'merchant_suspended', 0]);
  });
});
