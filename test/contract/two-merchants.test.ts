// Goal: a person in two shops acts in the one that the request names, with the role of that one, and in no other; who names none is
// asked which. Method: every route of both products that takes sessions, with a person who owns one shop and looks on in the other.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MERCHANT_HEADER } from '../../lib/core/http/credential.ts';
import type { Route } from '../../lib/core/http/route.ts';
import type { Membership } from '../../lib/core/tenancy/membership.ts';
import { routesOf } from '../../lib/events/routes/every-route.ts';
import { getPerson } from '../../lib/events/routes/me.ts';
import { acceptInvitation, inviteMember, listMembers } from '../../lib/events/routes/members.ts';
import { HELPDESK_ROUTES } from '../../lib/helpdesk/routes/every-route.ts';
import { type ApiHost, bodyOf, codeOf, MINE, NOW, openApi, THEIRS } from './api-host.ts';
import { type Desk, errorOf, openHelpdesk } from './helpdesk-host.ts';

const BOTH = 'session-both';
const FOREIGN = '33333333-3333-4333-8333-333333333333';
const OF_BOTH = [
  { sub: 'both', merchantId: MINE, role: 'owner' },
  { sub: 'both', merchantId: THEIRS, role: 'viewer' },
] as const;

let api: ApiHost;
let desk: Desk;
async function open() {
  api = await openApi();
  desk = await openHelpdesk();
  for (const { config } of [api, desk]) for (const member of OF_BOTH) await config.putMember(member);
  // Of which the person is no member.
  for (const { config } of [api, desk])
    await config.putMember({ sub: 'third', merchantId: FOREIGN, role: 'owner' });
}

const named = (merchant: string) => ({ [MERCHANT_HEADER]: merchant });
const urlOf = ({ path }: Route): string => path.replaceAll(/:\w+/g, 'nothing');
/** Refused by the schema, once the caller is let in. */
const bodyFor = ({ method }: Route) => (method === 'GET' || method === 'DELETE' ? {} : { body: '{"broken' });
const takesMembers = ({ auth }: Route): boolean =>
  auth !== 'public' && auth.session !== undefined && auth.session !== 'anyone';
const rows = (routes: readonly Route[]) =>
  routes.filter(takesMembers).map((route) => [`${route.method} ${route.path}`, route] as const);
const hosts = [
  ['events', rows(routesOf('api')), () => api],
  ['helpdesk', rows(HELPDESK_ROUTES), () => desk],
] as const;
const answer = async (host: ApiHost | Desk, route: Route, token: string, headers = {}) => {
  const asked = { method: route.method, token, headers: { 'x-request-id': 'same', ...headers } };
  const { status, text } = await host.call(urlOf(route), { ...asked, ...bodyFor(route) });
  return { status, text };
};

describe.each(hosts)('of %s', (product, routes, hostOf) => {
  beforeAll(open);

  it.each(routes)('%s asks for which of several, and changes nothing', async (_name, route) => {
    const { status, text } = await answer(hostOf(), route, BOTH);
    expect([status, text.includes(MINE), text.includes(THEIRS), text.includes(FOREIGN)]).toEqual([
      409,
      true,
      true,
      false,
    ]);
    expect(text).toContain(
      product === 'events' ? '"code":"merchant_required"' : 'millrace-merchant: must name',
    );
  });

  it.each(routes)('%s gives the role of the named one, and none of the other', async (_name, route) => {
    const host = hostOf();
    const as = async (merchant: string) => await answer(host, route, BOTH, named(merchant));
    const alone = async (token: string) => await answer(host, route, token);
    const [owner, viewer] = [await alone('session-mine-owner'), await alone('session-theirs-viewer')];
    expect([(await as(MINE)).status, (await as(THEIRS)).status]).toEqual([owner.status, viewer.status]);
    if (route.auth !== 'public' && /^(manage|own|answer)/.test(route.auth.session ?? ''))
      expect([owner.status === 403, viewer.status]).toEqual([false, 403]);
  });

  it.each(routes)('%s says of a foreign one what it says of one that is not there', async (_name, route) => {
    const host = hostOf();
    const unknown = await answer(host, route, BOTH, named('44444444-4444-4444-8444-444444444444'));
    expect(unknown.status).toBe(403);
    for (const other of [FOREIGN, '', 'MEMBER', `${MINE}, ${THEIRS}`, `TEAM#${MINE}`, MINE.slice(0, -1)])
      expect(await answer(host, route, BOTH, named(other))).toEqual(unknown);
    // One who is in a single shop names another one.
    expect(await answer(host, route, 'session-mine-owner', named(THEIRS))).toEqual(unknown);
    expect(await answer(host, route, 'session-stranger', named(MINE))).toEqual(unknown);
  });
});

describe('a person in two shops', () => {
  beforeEach(open);
  const members = async (headers = {}, token = BOTH) => await api.call('/v1/members', { token, headers });
  const idsIn = async (merchant: string) =>
    bodyOf(listMembers, await members(named(merchant))).members.map(({ id }) => id);

  it('needs to name none while in one, and the header may name it', async () => {
    expect((await members({}, 'session-mine-owner')).status).toBe(200);
    expect((await members(named(MINE), 'session-mine-owner')).status).toBe(200);
  });

  it('sees in each its own', async () => {
    expect([await idsIn(MINE), await idsIn(THEIRS)]).toEqual([
      expect.arrayContaining(['mine-owner', 'both']),
      expect.arrayContaining(['theirs-owner', 'both']),
    ]);
    expect(await idsIn(MINE)).not.toContain('theirs-owner');
  });

  it('is asked with ids and names, sorted by name, of a coded product as a list', async () => {
    await api.config.putMerchant(profileOf(MINE, 'Zoë’s'));
    await api.config.putMerchant(profileOf(THEIRS, 'Anna’s'));
    const reply = await members();
    expect([codeOf(reply), reply.body]).toMatchObject([
      'merchant_required',
      {
        merchants: [
          { id: THEIRS, name: 'Anna’s' },
          { id: MINE, name: 'Zoë’s' },
        ],
      },
    ]);
    expect(errorOf(await desk.call('/api/v1/members', { token: BOTH }))).toContain(MINE);
  });

  it('is in the other one alone with the request after a removal', async () => {
    const token = 'session-mine-owner';
    expect((await api.call('/v1/members/both', { method: 'DELETE', token })).status).toBe(200);
    expect((await members(named(MINE))).status).toBe(403);
    expect([(await members()).status, (await members(named(THEIRS))).status]).toEqual([200, 200]);
    expect(bodyOf(listMembers, await members()).members.map(({ id }) => id)).toContain('theirs-owner');
    await api.config.changeTeam<unknown>(THEIRS, ({ members: all }) => ({
      team: { members: all.filter(({ sub }) => sub !== 'both'), invitations: [] },
      result: null,
    }));
    for (const headers of [{}, named(MINE), named(THEIRS)]) expect((await members(headers)).status).toBe(403);
  });

  it('is refused where a shop is suspended, and not in the other', async () => {
    const { memberships } = api.config;
    // As the table answers of a profile with the operator's word.
    const withSuspension = async (sub: string, wanted?: string): Promise<readonly Membership[]> =>
      (await memberships(sub, wanted)).map((one) =>
        one.merchantId === THEIRS ? { ...one, isSuspended: true } : one,
      );
    api = await openApi(({ config }) => ({ config: { ...config, memberships: withSuspension } }));
    expect(codeOf(await members(named(THEIRS)))).toBe('merchant_suspended');
    expect(codeOf(await members())).toBe('merchant_required');
    const me = bodyOf(getPerson, await api.call('/v1/me', { token: BOTH }));
    expect(me.merchants.map(({ id, suspended }) => [id, suspended])).toEqual(
      expect.arrayContaining([
        [MINE, false],
        [THEIRS, true],
      ]),
    );
  });

  it('joins a second shop without naming one, and an agent there stays out of events', async () => {
    const invited = await api.call('/v1/members/invitations', {
      method: 'POST',
      token: 'session-theirs-owner',
      body: { email: 'mine-admin@example.com', role: 'agent' },
    });
    const { token } = bodyOf(inviteMember, invited);
    const join = async () =>
      await api.call('/v1/members/invitations/accept', {
        method: 'POST',
        token: 'session-mine-admin',
        body: { token },
      });
    expect(bodyOf(acceptInvitation, await join())).toMatchObject({ merchant_id: THEIRS, role: 'agent' });
    expect(codeOf(await members({}, 'session-mine-admin'))).toBe('merchant_required');
    expect((await members(named(MINE), 'session-mine-admin')).status).toBe(200);
    expect(codeOf(await members(named(THEIRS), 'session-mine-admin'))).toBe('forbidden');
  });

  it('has keys of Idempotency-Key in each shop apart', async () => {
    await api.config.putMember({ sub: 'both', merchantId: THEIRS, role: 'owner' });
    const make = async (merchant: string) =>
      await api.call('/v1/api-keys', {
        method: 'POST',
        token: BOTH,
        headers: { ...named(merchant), 'idempotency-key': 'once' },
        body: { name: 'k', scopes: ['events:read'] },
      });
    const [mine, theirs, again] = [await make(MINE), await make(THEIRS), await make(MINE)];
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(again.body).toEqual(mine.body);
    expect(theirs.body).not.toEqual(mine.body);
    expect((await api.config.listApiKeys(THEIRS)).map(({ createdBy }) => createdBy)).toEqual(['user:both']);
  });

  it('is listed the shops of the teams at this moment, whichever the request names', async () => {
    const me = async (headers = {}, token = BOTH) =>
      bodyOf(getPerson, await api.call('/v1/me', { token, headers })).merchants;
    const both = await me();
    expect(both.map(({ id, role }) => [id, role]).sort()).toEqual([
      [MINE, 'owner'],
      [THEIRS, 'viewer'],
    ]);
    for (const headers of [named(MINE), named(FOREIGN)]) expect(await me(headers)).toEqual(both);
    expect(await me({}, 'session-stranger')).toEqual([]);
    expect((await me({}, 'session-mine-agent')).map(({ role }) => role)).toEqual(['agent']);
    expect((await api.call('/v1/me', { token: (await api.keyFor(['admin'])).key })).status).toBe(403);
    expect((await api.call('/v1/me')).status).toBe(401);
  });
});

it('is counted at the routes that ask for no merchant, by person and route', async () => {
  const left = new Map<string, number>();
  const take = async (id: string, limit: number) => {
    const remaining = (left.get(id) ?? limit) - 1;
    left.set(id, remaining);
    return { granted: remaining >= 0, remaining: Math.max(0, remaining), resetSec: 7 };
  };
  const host = await openApi(() => ({ calls: { take } }));
  for (const member of OF_BOTH) await host.config.putMember(member);
  const me = async (token: string) => (await host.call('/v1/me', { token })).status;
  let answered = 0;
  while ((await me(BOTH)) === 200) answered++;
  expect([answered, await me(BOTH)]).toEqual([getPerson.rateLimit.perMinute, 429]);
  expect(await me('session-stranger')).toBe(200);
});

const profileOf = (merchantId: string, name: string) => ({
  merchantId,
  name,
  email: 'owner@shop.example',
  onboardingStep: 'connect',
  onboardingCompleted: false,
  createdAtMs: NOW,
  browserIngestion: { enabled: true, origins: [] },
});
