// What an API key of the event product may open. `admin` grants every route that takes keys.
import type { MemberRole } from '../../core/tenancy/merchant.ts';

export const EVENT_SCOPES = ['events:write', 'events:read', 'platforms:read', 'admin'] as const;
export type EventScope = (typeof EVENT_SCOPES)[number];

export const isEventScope = (scope: string): scope is EventScope =>
  (EVENT_SCOPES as readonly string[]).includes(scope);

/** All that a key with these scopes opens. */
export const opensOf = (scopes: readonly string[]): readonly string[] =>
  scopes.includes('admin') ? EVENT_SCOPES : scopes;

/** What a person with the role may put into a key. */
export const scopesOfRole = (role: MemberRole): readonly EventScope[] =>
  role === 'member' ? [] : EVENT_SCOPES;
