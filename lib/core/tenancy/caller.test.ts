// Goal: the whole rule of who may use a route, cell by cell: nothing but the right or the scope named lets a caller in.
import { describe, expect, it } from 'vitest';
import { type Caller, isAllowed } from './caller.ts';
import { grantOfPerson } from './grant.ts';
import { MEMBER_ROLES, type MemberRole, RIGHTS, type Right } from './role.ts';

const SCOPES = ['read:things', 'write:things', 'admin'];
const session = (role: MemberRole, ...scopes: readonly string[]): Caller => ({
  kind: 'session',
  sub: 's',
  merchantId: 'm',
  role,
  grant: grantOfPerson({ role }, { product: 'evk', opensOf: (all) => all, scopesOf: () => scopes }),
});
const key = (...opens: readonly string[]): Caller => ({
  kind: 'key',
  keyId: 'k',
  merchantId: 'm',
  grant: { opens },
});
const rolesWith = (right: Right) =>
  MEMBER_ROLES.filter((role) => isAllowed({ session: right }, session(role)));

describe('a role', () => {
  it('opens what asks for a right that it has', () => {
    expect(Object.fromEntries(RIGHTS.map((right) => [right, rolesWith(right)]))).toEqual({
      'see:events': ['viewer', 'member', 'admin', 'owner'],
      'manage:events': ['admin', 'owner'],
      'see:helpdesk': ['viewer', 'agent', 'member', 'admin', 'owner'],
      'answer:helpdesk': ['agent', 'member', 'admin', 'owner'],
      'manage:helpdesk': ['admin', 'owner'],
      'own:merchant': ['owner'],
    });
  });

  it('opens nothing that is meant for keys only', () => {
    expect(MEMBER_ROLES.filter((role) => isAllowed({}, session(role)))).toEqual([]);
    expect(isAllowed({ key: 'read:things' }, session('owner', ...SCOPES))).toBe(false);
  });

  it('opens what goes by scope where it has that scope, whatever the role', () => {
    const auth = { key: 'read:things', session: 'by_scope' } as const;
    expect(isAllowed(auth, session('member', 'read:things'))).toBe(true);
    expect(isAllowed(auth, session('owner', 'write:things', 'admin'))).toBe(false);
    expect(isAllowed({ session: 'by_scope' }, session('owner', ...SCOPES))).toBe(false);
    expect(isAllowed(auth, { kind: 'stranger', sub: 's' })).toBe(false);
  });
});

describe('a key', () => {
  it.each(SCOPES)('with %s opens what asks for it, and nothing else', (scope) => {
    for (const session of ['own:merchant', 'by_scope'] as const) {
      const opened = SCOPES.filter((asked) => isAllowed({ key: asked, session }, key(scope)));
      expect(opened).toEqual([scope]);
    }
  });

  it('opens nothing that is meant for people only, such as billing, whatever it is for', () => {
    expect(isAllowed({ session: 'own:merchant' }, key(...SCOPES, ...RIGHTS))).toBe(false);
    expect(isAllowed({ key: '*' }, key('read:things'))).toBe(true);
    expect(isAllowed({ key: '*' }, session('owner', ...SCOPES))).toBe(false);
    expect(isAllowed({ session: 'see:events' }, key('admin', 'see:events'))).toBe(false);
  });

  it('without a scope opens what is public', () => {
    expect([isAllowed({ key: 'read:things' }, key()), isAllowed('public', key())]).toEqual([false, true]);
  });
});
