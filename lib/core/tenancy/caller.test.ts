// Goal: the whole rule of who may use a route, cell by cell: nothing but the role or the scope named lets a caller in.
import { describe, expect, it } from 'vitest';
import { API_KEY_SCOPES, type ApiKeyScope } from './api-key.ts';
import { type Caller, isAllowed } from './caller.ts';
import { MEMBER_ROLES, type MemberRole } from './merchant.ts';

const session = (role: MemberRole): Caller => ({ kind: 'session', sub: 's', merchantId: 'm', role });
const key = (...scopes: readonly ApiKeyScope[]): Caller => ({
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
    expect(isAllowed({ key: 'events:write' }, session('owner'))).toBe(false);
  });
});

describe('a key', () => {
  it.each(API_KEY_SCOPES)('with %s opens what asks for it, and with admin for anything', (scope) => {
    const opened = API_KEY_SCOPES.filter((asked) => isAllowed({ key: asked, session: 'owner' }, key(scope)));
    expect(opened).toEqual(scope === 'admin' ? API_KEY_SCOPES : [scope]);
  });

  it('opens nothing that is meant for people only, such as billing, whatever it is for', () => {
    expect(isAllowed({ session: 'owner' }, key(...API_KEY_SCOPES))).toBe(false);
    expect(isAllowed({ session: 'member' }, key('admin'))).toBe(false);
  });

  it('without a scope opens what is public', () => {
    expect([isAllowed({ key: 'events:read' }, key()), isAllowed('public', key())]).toEqual([false, true]);
  });
});
