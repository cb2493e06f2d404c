// Goal: the whole rule of who may use a route, cell by cell: nothing but the role or the scope named lets a caller in.
import { describe, expect, it } from 'vitest';
import { type Caller, isAllowed } from './caller.ts';
import { MEMBER_ROLES, type MemberRole } from './merchant.ts';

const SCOPES = ['read:things', 'write:things', 'admin'];
const session = (role: MemberRole, ...scopes: readonly string[]): Caller => ({
  kind: 'session',
  sub: 's',
  merchantId: 'm',
  role,
  scopes,
});
const key = (...scopes: readonly string[]): Caller => ({
  kind: 'key',
  keyId: 'k',
  merchantId: 'm',
  scopes,
});
const rolesAt = (least?: MemberRole) =>
  MEMBER_ROLES.filter((role) => isAllowed(least === undefined ? {} : { session: least }, session(role)));

describe('a role', () => {
  it('opens what is meant for it and for those below it', () => {
    expect(rolesAt('member')).toEqual(['member', 'admin', 'owner']);
    expect(rolesAt('admin')).toEqual(['admin', 'owner']);
    expect(rolesAt('owner')).toEqual(['owner']);
  });

  it('opens nothing that is meant for keys only', () => {
    expect(rolesAt()).toEqual([]);
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
    for (const session of ['owner', 'by_scope'] as const) {
      const opened = SCOPES.filter((asked) => isAllowed({ key: asked, session }, key(scope)));
      expect(opened).toEqual([scope]);
    }
  });

  it('opens nothing that is meant for people only, such as billing, whatever it is for', () => {
    expect(isAllowed({ session: 'owner' }, key(...SCOPES))).toBe(false);
    expect(isAllowed({ key: '*' }, key('read:things'))).toBe(true);
    expect(isAllowed({ key: '*' }, session('owner', ...SCOPES))).toBe(false);
    expect(isAllowed({ session: 'member' }, key('admin'))).toBe(false);
  });

  it('without a scope opens what is public', () => {
    expect([isAllowed({ key: 'read:things' }, key()), isAllowed('public', key())]).toEqual([false, true]);
  });
});
