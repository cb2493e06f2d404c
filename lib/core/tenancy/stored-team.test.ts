// Goal: what a release before wrote of a person is the same right today, and a role of a later release is none.
import { expect, it } from 'vitest';
import { EVENTS_ACCESS } from '#lib/events/domain/scopes.ts';
import { HELPDESK_ACCESS } from '#lib/helpdesk/domain/account/scopes.ts';
import { grantOfPerson, opensProduct } from './grant.ts';
import { STORED_INVITATION, STORED_MEMBER } from './team.ts';

/** As the release wrote them that knew three roles. */
const MEMBER = { sub: 'ada', role: 'member', joinedAtMs: 1, sealedEmail: 'v1.sealed', invitedBy: 'user:eve' };
const LIMITED = {
  ...MEMBER,
  role: 'admin',
  invitedBy: 'key:key_1',
  limits: { product: 'hdk', environment: 'test' },
};

it('a member reads events and answers customers, as before', () => {
  const member = STORED_MEMBER.parse(MEMBER);
  expect(member).toEqual(MEMBER);
  expect(grantOfPerson(member, EVENTS_ACCESS)).toEqual({
    opens: ['see:events', 'see:helpdesk', 'answer:helpdesk'],
  });
  expect(opensProduct(member, 'evk', 0) && opensProduct(member, 'hdk', 0)).toBe(true);
});

it('whom a key of the helpdesk invited is within its limits and ends with it, as before', () => {
  const member = STORED_MEMBER.parse(LIMITED);
  const { opens, limits, from } = grantOfPerson(member, HELPDESK_ACCESS);
  expect([limits, from]).toEqual([LIMITED.limits, 'key:key_1']);
  expect(opens).toContain('manage:workspace');
  expect(opens.filter((name) => name.endsWith(':events'))).toEqual([]);
  expect([opensProduct(member, 'evk', 0), opensProduct(member, 'hdk', 0)]).toEqual([false, true]);
});

it.each(['viewer', 'agent', 'member', 'admin', 'owner'])('a %s is read', (role) => {
  expect(STORED_MEMBER.parse({ ...MEMBER, role }).role).toBe(role);
});

it.each(['auditor', '', 'OWNER', 'constructor', 0, null, undefined])('the role %j is none', (role) => {
  const invitation = { id: 'i', sealedEmail: 's', tokenSha256: 'a', invitedBy: 'user:eve', createdAtMs: 1 };
  expect(STORED_MEMBER.safeParse({ ...MEMBER, role }).success).toBe(false);
  expect(STORED_INVITATION.safeParse({ ...invitation, expiresAtMs: 2, role }).success).toBe(false);
});
