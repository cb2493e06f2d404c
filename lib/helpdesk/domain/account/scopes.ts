// What a credential of the helpdesk may open: the scopes of an API key, and what each role has of them. Guarantees: no scope
// grants another.
import type { MemberRole } from '#lib/core/tenancy/merchant.ts';

export const HELPDESK_SCOPES = [
  'read:contacts',
  'write:contacts',
  'read:knowledge',
  'write:knowledge',
  'read:tickets',
  'write:tickets',
  'write:webhooks',
  'manage:workspace',
  'read:conversations',
  'write:conversations',
  'read:messages',
  'write:messages',
  'read:runs',
] as const;
export type HelpdeskScope = (typeof HELPDESK_SCOPES)[number];

export const isHelpdeskScope = (scope: string): scope is HelpdeskScope =>
  (HELPDESK_SCOPES as readonly string[]).includes(scope);

/** What supporters leave to those who run the workspace. */
const ADMINISTRATION: ReadonlySet<HelpdeskScope> = new Set([
  'manage:workspace',
  'write:webhooks',
  'write:knowledge',
]);
const SUPPORT: readonly HelpdeskScope[] = HELPDESK_SCOPES.filter((scope) => !ADMINISTRATION.has(scope));

/** A member answers customers; an admin and an owner do everything. */
export const scopesOfRole = (role: MemberRole): readonly HelpdeskScope[] =>
  role === 'member' ? SUPPORT : HELPDESK_SCOPES;
