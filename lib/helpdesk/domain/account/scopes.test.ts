// Goal: what each role may is what was decided, scope by scope.
import { expect, it } from 'vitest';
import { grantOfPerson } from '#lib/core/tenancy/grant.ts';
import type { MemberRole } from '#lib/core/tenancy/role.ts';
import { HELPDESK_ACCESS, HELPDESK_SCOPES, isHelpdeskScope } from './scopes.ts';

const scopesOfRole = (role: MemberRole) =>
  grantOfPerson({ role }, HELPDESK_ACCESS).opens.filter(isHelpdeskScope);

it('has thirteen scopes, each once', () => {
  expect(new Set(HELPDESK_SCOPES).size).toBe(13);
  expect(HELPDESK_SCOPES.every(isHelpdeskScope)).toBe(true);
  expect(['admin', '', 'read:', 'constructor'].some(isHelpdeskScope)).toBe(false);
});

it('gives owners and admins all of them', () => {
  for (const role of ['owner', 'admin'] as const) expect(scopesOfRole(role)).toEqual(HELPDESK_SCOPES);
});

it.each(['member', 'agent'] as const)('gives a %s what support takes', (role) => {
  expect(scopesOfRole(role)).toEqual([
    'read:contacts',
    'write:contacts',
    'read:knowledge',
    'read:tickets',
    'write:tickets',
    'read:conversations',
    'write:conversations',
    'read:messages',
    'write:messages',
    'read:runs',
  ]);
});

it('gives viewers what support reads', () => {
  expect(scopesOfRole('viewer')).toEqual([
    'read:contacts',
    'read:knowledge',
    'read:tickets',
    'read:conversations',
    'read:messages',
    'read:runs',
  ]);
});

it('counts a key as having a right when it has every scope of it', () => {
  const rightsOf = (scopes: readonly string[]) =>
    HELPDESK_ACCESS.opensOf(scopes).filter((name) => !scopes.includes(name));
  expect(rightsOf(HELPDESK_SCOPES)).toEqual(['see:helpdesk', 'answer:helpdesk', 'manage:helpdesk']);
  expect(rightsOf(scopesOfRole('viewer'))).toEqual(['see:helpdesk']);
  expect(rightsOf(scopesOfRole('viewer').slice(1))).toEqual([]);
});
