// What an API key of the event product may open. `admin` grants every route that takes keys.
import type { ProductAccess } from '../../core/tenancy/grant.ts';

export const EVENT_SCOPES = ['events:write', 'events:read', 'platforms:read', 'admin'] as const;
export type EventScope = (typeof EVENT_SCOPES)[number];

export const isEventScope = (scope: string): scope is EventScope =>
  (EVENT_SCOPES as readonly string[]).includes(scope);

/** All that a key with these scopes opens: with `admin`, what an admin has. */
export const opensOf = (scopes: readonly string[]): readonly string[] =>
  scopes.includes('admin') ? [...EVENT_SCOPES, 'see:events', 'manage:events'] : scopes;

export const EVENTS_ACCESS: ProductAccess = {
  product: 'evk',
  opensOf,
  /** Who manages may put every scope into a key; who only sees, none. */
  scopesOf: (rights) => (rights.includes('manage:events') ? EVENT_SCOPES : []),
};
