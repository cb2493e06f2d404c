// Who may call what, written down from the contract by hand: what the routes say of themselves, and what the applications do,
// is held against this. A route without a line here fails the matrix; a line whose route is not served yet does no harm.

import type { MemberRole } from '../../lib/core/tenancy/role.ts';
import type { EventScope } from '../../lib/events/domain/scopes.ts';

/** What each role may at the routes of events. */
export const ROLE_RIGHTS: Readonly<Record<MemberRole, readonly EventRight[]>> = {
  viewer: ['see:events'],
  agent: [],
  member: ['see:events'],
  admin: ['see:events', 'manage:events'],
  owner: ['see:events', 'manage:events', 'own:merchant'],
};
type EventRight = 'see:events' | 'manage:events' | 'own:merchant';

/** `anyone`: any person who is signed in, member of a merchant or not. */
export interface Access {
  readonly key?: EventScope;
  /** The key may come as the user name of HTTP Basic too. */
  readonly basic?: true;
  readonly session?: EventRight | 'anyone';
}

/** Scope of the narrowest key; a key with `admin` may as well. Absent: no key may. */
const forKeys = (key: EventScope): Access => ({ key });
/** As Segment's libraries send it. */
const WRITE_KEY: Access = { key: 'events:write', basic: true };
/** Reading: roles that see events, and keys with the scope. */
const reading = (key: EventScope): Access => ({ key, session: 'see:events' });
/** Changing: who manages, and keys that are made for everything. */
const CHANGING: Access = { key: 'admin', session: 'manage:events' };
/** Billing: owners in person. Keys never reach it. */
const BILLING: Access = { session: 'own:merchant' };

export const ACCESS: Readonly<Record<string, Access | 'public'>> = {
  'POST /v1/events': forKeys('events:write'),
  'POST /v1/ingest': forKeys('events:write'),
  'POST /v1/batch': WRITE_KEY,
  'POST /v1/track': WRITE_KEY,
  'POST /v1/page': WRITE_KEY,
  'POST /v1/screen': WRITE_KEY,
  'POST /v1/identify': WRITE_KEY,
  'POST /v1/group': WRITE_KEY,
  'POST /v1/alias': WRITE_KEY,
  'POST /v1/browser/events': 'public',
  'POST /v1/browser/batch': 'public',
  'GET /v1/pixel.js': 'public',

  'GET /v1/events': reading('events:read'),
  'GET /v1/events/:id': reading('events:read'),
  'GET /v1/events/:id/explain': reading('events:read'),
  'POST /v1/events/:id/replay': CHANGING,
  'POST /v1/events/:id/forward': CHANGING,
  'POST /v1/events/:id/retry-failed': CHANGING,
  'GET /v1/deliveries': reading('events:read'),
  'GET /v1/orders': reading('events:read'),
  'GET /v1/orders/:id': reading('events:read'),
  'GET /v1/people': reading('events:read'),
  'GET /v1/people/report': CHANGING,
  'GET /v1/replays': reading('admin'),
  'GET /v1/replays/:id': reading('admin'),
  'POST /v1/replays': CHANGING,
  'PATCH /v1/replays/:id': CHANGING,
  'DELETE /v1/replays/:id': CHANGING,
  'GET /v1/reconciliations': reading('admin'),
  'GET /v1/reconciliations/:id': reading('admin'),
  'GET /v1/reconciliations/:id/orders': reading('admin'),
  'POST /v1/reconciliations': CHANGING,
  'POST /v1/reconciliations/:id/replay': CHANGING,

  'GET /v1/analytics/overview': reading('admin'),
  'GET /v1/analytics/volume': reading('admin'),
  'GET /v1/analytics/coverage': reading('admin'),
  'GET /v1/analytics/quality': reading('admin'),
  'GET /v1/analytics/funnel': reading('admin'),
  'GET /v1/analytics/revenue-attribution': reading('admin'),
  'POST /v1/analytics/verify': reading('admin'),

  'GET /v1/platforms': reading('platforms:read'),
  'GET /v1/incidents': reading('platforms:read'),
  'POST /v1/platforms': CHANGING,
  'POST /v1/platforms/preview': CHANGING,
  'POST /v1/platforms/:id/test': CHANGING,
  'PATCH /v1/platforms/:id': CHANGING,
  'DELETE /v1/platforms/:id': CHANGING,

  'GET /v1/rules': reading('admin'),
  'POST /v1/rules': CHANGING,
  'PATCH /v1/rules/:id': CHANGING,
  'DELETE /v1/rules/:id': CHANGING,
  'POST /v1/rules/preview': CHANGING,

  'GET /v1/billing/plans': 'public',
  'GET /v1/billing/usage': BILLING,
  'POST /v1/billing/checkout': BILLING,
  'POST /v1/billing/portal': BILLING,
  'POST /v1/billing/webhook': 'public',

  'POST /v1/ai/chat': reading('admin'),

  'GET /v1/account': reading('admin'),
  'PATCH /v1/account': CHANGING,
  'GET /v1/account/rates': reading('admin'),
  'PUT /v1/account/rates': CHANGING,
  'GET /v1/api-keys': CHANGING,
  'POST /v1/api-keys': CHANGING,
  'DELETE /v1/api-keys/:id': CHANGING,

  'POST /v1/privacy/erasures': CHANGING,
  'GET /v1/privacy/erasures': CHANGING,
  'GET /v1/privacy/erasures/:id': CHANGING,
  'POST /v1/privacy/suppressions': CHANGING,
  'POST /v1/privacy/suppressions/import': CHANGING,
  'GET /v1/privacy/suppressions': CHANGING,
  'DELETE /v1/privacy/suppressions': CHANGING,

  'GET /openapi.json': 'public',
  'GET /docs': 'public',
  'GET /docs/swagger-ui.js': 'public',
  'GET /docs/swagger-ui.css': 'public',
  'GET /docs/start.js': 'public',

  'GET /v1/members': reading('admin'),
  'POST /v1/members/invitations': CHANGING,
  'POST /v1/members/invitations/accept': { session: 'anyone' },
  'GET /v1/me': { session: 'anyone' },
  'POST /v1/merchants': { session: 'anyone' },
  'DELETE /v1/members/invitations/:id': CHANGING,
  'PATCH /v1/members/:id': CHANGING,
  'DELETE /v1/members/:id': CHANGING,
  'GET /v1/audit-log': CHANGING,
};
