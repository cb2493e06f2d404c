// Goal: what each role may is what was decided, scope by scope.
import { expect, it } from 'vitest';
import { HELPDESK_SCOPES, isHelpdeskScope, scopesOfRole } from './scopes.ts';

it('has thirteen scopes, each once', () => {
  expect(new Set(HELPDESK_SCOPES).size).toBe(13);
  expect(HELPDESK_SCOPES.every(isHelpdeskScope)).toBe(true);
  expect(['admin', '', 'read:', 'constructor'].some(isHelpdeskScope)).toBe(false);
});

it('gives owners and admins all of them', () => {
  for (const role of ['owner', 'admin'] as const) expect(scopesOfRole(role)).toEqual(HELPDESK_SCOPES);
});

it('gives members what support takes', () => {
  expect(scopesOfRole('member')).toEqual([
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
