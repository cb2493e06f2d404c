// Goal: a credential hands on nothing that it does not have. Method: every maker with every wish, in both products, against what
// each role opens, written down here once more.
import { describe, expect, it } from 'vitest';
import { EVENT_SCOPES, EVENTS_ACCESS } from '../../events/domain/scopes.ts';
import { HELPDESK_ACCESS, HELPDESK_SCOPES } from '../../helpdesk/domain/account/scopes.ts';
import { API_KEY_ENVIRONMENTS, type KeyProduct } from './api-key.ts';
import type { Caller } from './caller.ts';
import {
  excessOf,
  type Grant,
  grantOfKey,
  grantOfPerson,
  isWithin,
  type Limits,
  opensProduct,
  type ProductAccess,
  type Standing,
} from './grant.ts';
import { MEMBER_ROLES, type MemberRole } from './role.ts';
import { changeRole, type Invitation, invite, type Team } from './team.ts';

const ACCESS: Readonly<Record<KeyProduct, ProductAccess>> = { evk: EVENTS_ACCESS, hdk: HELPDESK_ACCESS };
const PRODUCTS = ['evk', 'hdk'] as const;
const ENDS = [undefined, 1_000, 2_000];
/** Those of people whom a key invited, and none. */
const LIMITS: readonly (Limits | undefined)[] = [
  undefined,
  ...PRODUCTS.flatMap((product) =>
    [undefined, 'test' as const].flatMap((environment) =>
      ENDS.map((expiresAtMs) => ({
        product,
        ...(environment === undefined ? {} : { environment }),
        ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
      })),
    ),
  ),
];

/** What each role may do in each product, in words. */
const MAY: Readonly<Record<MemberRole, Readonly<Record<KeyProduct, string>>>> = {
  viewer: { evk: 'see', hdk: 'see' },
  agent: { evk: '', hdk: 'see answer' },
  member: { evk: 'see', hdk: 'see answer' },
  admin: { evk: 'see manage', hdk: 'see answer manage' },
  owner: { evk: 'see manage own', hdk: 'see answer manage own' },
};
/** Product and deed of all that the standing opens, without the code under test. */
const deedsOf = ({ role, limits }: Standing): string[] =>
  PRODUCTS.filter((product) => limits?.product === undefined || limits.product === product).flatMap(
    (product) =>
      MAY[role][product]
        .split(' ')
        .filter(Boolean)
        .map((deed) => `${product} ${deed}`),
  );
const exceeds = (wanted: Standing, own: Standing): boolean =>
  deedsOf(wanted).some((deed) => !deedsOf(own).includes(deed)) ||
  (own.limits?.environment === 'test' && wanted.limits?.environment !== 'test') ||
  (wanted.limits?.expiresAtMs ?? Number.POSITIVE_INFINITY) >
    (own.limits?.expiresAtMs ?? Number.POSITIVE_INFINITY);

const subsetsOf = <Scope extends string>(scopes: readonly Scope[]): Scope[][] =>
  Array.from({ length: 2 ** scopes.length - 1 }, (_, i) =>
    scopes.filter((_scope, bit) => ((i + 1) >> bit) % 2 === 1),
  );
const standings = MEMBER_ROLES.flatMap((role) => LIMITS.map((limits) => ({ role, limits })));
const whole = ({ role, limits }: Standing) => ({
  sub: role,
  role,
  joinedAtMs: 0,
  ...(limits === undefined ? {} : { limits, invitedBy: 'key:k' }),
});
const byPerson = (standing: Standing, access: ProductAccess, sub = 'me') => {
  const grant = grantOfPerson(standing, access);
  const caller: Caller = { kind: 'session', sub, merchantId: 'm', role: standing.role, grant };
  return { caller, access };
};
const INVITATION: Omit<Invitation, 'limits' | 'role'> = {
  id: 'i',
  sealedEmail: 'sealed',
  tokenSha256: 'a',
  invitedBy: 'user:me',
  createdAtMs: 0,
  expiresAtMs: 1,
};

describe.each(PRODUCTS)('in %s', (product) => {
  const access = ACCESS[product];

  it('a person invites to no more than what the person has, limits included, and to something', () => {
    const verdicts = new Set<string>();
    for (const own of standings)
      for (const role of MEMBER_ROLES) {
        const team: Team = { members: [{ ...whole(own), sub: 'me' }], invitations: [] };
        const decided = invite(team, byPerson(own, access), { ...INVITATION, role }, new Set());
        verdicts.add(decided.result);
        if (decided.result !== 'invited') continue;
        const invitation = decided.team?.invitations[0] as Invitation;
        expect([own, role, exceeds(invitation, own)]).toEqual([own, role, false]);
        expect(deedsOf(invitation)).not.toEqual([]);
        expect(deedsOf(own)).toContain(`${product} manage`);
      }
    // Of what events give, an agent gets nothing.
    const exceeded = product === 'evk' ? ['grant_exceeded'] : [];
    expect([...verdicts].sort()).toEqual(['forbidden', ...exceeded, 'invited', 'owner_required']);
  });

  it('a person gives no role that opens more than the member or the person had', () => {
    let changed = 0;
    for (const own of standings)
      for (const old of standings)
        for (const role of MEMBER_ROLES) {
          const boss = { sub: 'boss', role: 'owner', joinedAtMs: 0 } as const;
          const members = [boss, { ...whole(own), sub: 'me' }, { ...whole(old), sub: 'other' }];
          const by = byPerson(own, access);
          const decided = changeRole({ members, invitations: [] }, by, { sub: 'other', role });
          const after = decided.team?.members[2];
          if (after === undefined) continue;
          changed += 1;
          expect([own, old, role, exceeds(after, own) && exceeds(after, old)]).toEqual([
            own,
            old,
            role,
            false,
          ]);
          if (old.role === 'owner' || role === 'owner') expect(own.role).toBe('owner');
          // Who is bound to a product raises no one who is not: that would outlive the revocation of the key.
          if (exceeds(after, old)) expect(after.limits?.product).toBe(own.limits?.product);
        }
    expect(changed).toBeGreaterThan(500);
  });

  it('a key invites to nothing that its scopes do not open', () => {
    const scopes: readonly string[] = product === 'evk' ? EVENT_SCOPES : HELPDESK_SCOPES;
    const needed = product === 'evk' ? 'admin' : 'manage:workspace';
    const invited = new Set<MemberRole>();
    for (const held of subsetsOf(scopes).filter((some) => some.includes(needed)))
      for (const role of MEMBER_ROLES) {
        const grant = grantOfKey({ scopes: held, environment: 'test', expiresAtMs: 1_000 }, access);
        const by = { caller: { kind: 'key', keyId: 'k', merchantId: 'm', grant } as const, access };
        const decided = invite({ members: [], invitations: [] }, by, { ...INVITATION, role }, new Set());
        if (decided.result !== 'invited') continue;
        invited.add(role);
        const made = grantOfPerson(decided.team?.invitations[0] as Invitation, access);
        expect(made.limits).toEqual({ product, environment: 'test', expiresAtMs: 1_000 });
        const opened = made.opens.filter((name) => scopes.includes(name));
        expect(access.opensOf(held)).toEqual(expect.arrayContaining(opened));
      }
    const ofEvents = ['admin', 'member', 'viewer'];
    expect([...invited].sort()).toEqual(
      product === 'evk' ? ofEvents : ['admin', 'agent', 'member', 'viewer'],
    );
  });
});

it('grants a key of a key nothing that the first one has not', () => {
  let granted = 0;
  for (const scopes of subsetsOf(EVENT_SCOPES))
    for (const wantedScopes of subsetsOf(EVENT_SCOPES))
      for (const environment of API_KEY_ENVIRONMENTS)
        for (const wantedEnvironment of API_KEY_ENVIRONMENTS)
          for (const expiresAtMs of ENDS)
            for (const wantedEnd of ENDS) {
              const own = grantOfKey({ scopes, environment, expiresAtMs }, EVENTS_ACCESS);
              const wanted = { scopes: wantedScopes, environment: wantedEnvironment, expiresAtMs: wantedEnd };
              if (!isWithin(grantOfKey(wanted, EVENTS_ACCESS), own)) continue;
              granted += 1;
              const opens = scopes.includes('admin') ? EVENT_SCOPES : scopes;
              expect(opens).toEqual(expect.arrayContaining(wantedScopes));
              if (environment === 'test') expect(wantedEnvironment).toBe('test');
              if (expiresAtMs !== undefined) expect(wantedEnd).toBeLessThanOrEqual(expiresAtMs);
            }
  expect(granted).toBeGreaterThan(500);
});

it.each(MEMBER_ROLES)('lets a person with the role %s put into keys what the role manages', (role) => {
  const manages = role === 'admin' || role === 'owner';
  const writing = { scopes: ['events:write'], environment: 'live' } as const;
  const own = grantOfPerson({ role }, EVENTS_ACCESS);
  expect(excessOf(grantOfKey(writing, EVENTS_ACCESS), own)).toBe(manages ? null : 'opens');
  const hooks = { scopes: ['write:webhooks'], environment: 'live' } as const;
  const desk = grantOfPerson({ role }, HELPDESK_ACCESS);
  expect(excessOf(grantOfKey(hooks, HELPDESK_ACCESS), desk)).toBe(manages ? null : 'opens');
});

it('compares in one way only: within itself, and within what is within that', () => {
  const grants: Grant[] = standings.map((one) => grantOfPerson(one, HELPDESK_ACCESS));
  for (const a of grants) {
    expect(isWithin(a, a)).toBe(true);
    for (const b of grants.filter((one) => isWithin(a, one)))
      for (const c of grants.filter((one) => isWithin(b, one))) expect(isWithin(a, c)).toBe(true);
  }
});

it('orders roles by what they open, and neither a viewer nor an agent above the other', () => {
  const within = (a: MemberRole, b: MemberRole) =>
    isWithin(grantOfPerson({ role: a }, EVENTS_ACCESS), grantOfPerson({ role: b }, EVENTS_ACCESS));
  const above = (role: MemberRole) => MEMBER_ROLES.filter((other) => within(role, other));
  expect(Object.fromEntries(MEMBER_ROLES.map((role) => [role, above(role)]))).toEqual({
    viewer: ['viewer', 'member', 'admin', 'owner'],
    agent: ['agent', 'member', 'admin', 'owner'],
    member: ['member', 'admin', 'owner'],
    admin: ['admin', 'owner'],
    owner: ['owner'],
  });
});

it('opens a product to whom it gives a right there, until it ends', () => {
  for (const standing of standings)
    for (const product of PRODUCTS) {
      const has = deedsOf(standing).some((deed) => deed.startsWith(product));
      const endMs = standing.limits?.expiresAtMs ?? Number.POSITIVE_INFINITY;
      for (const nowMs of [999, 1_000, 2_000])
        expect(opensProduct(standing, product, nowMs)).toBe(has && nowMs < endMs);
    }
});
