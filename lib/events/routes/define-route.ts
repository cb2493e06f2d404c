import type { Route } from '../../core/http/route.ts';
import { CHANGES, JOBS, READS } from '../../core/routes/call-limits.ts';
import type { EventsErrorCode } from './errors.ts';

/** `ingestion` accepts events, `api` is for the dashboard and integrations. */
export type EventsPart = 'ingestion' | 'api';

export function defineRoute<const R extends Route<EventsErrorCode, EventsPart>>(route: R): R {
  return route;
}

/** Who may call a route of the API; how often, and with which errors, where the route says nothing else. */
const called = { part: 'api', cors: 'listed', errors: [] } as const;
export const READS_EVENTS = {
  ...called,
  rateLimit: READS,
  auth: { key: 'events:read', session: 'see:events' },
} as const;
export const SEES = { ...called, rateLimit: READS, auth: { key: 'admin', session: 'see:events' } } as const;
export const MANAGES = {
  ...called,
  rateLimit: CHANGES,
  auth: { key: 'admin', session: 'manage:events' },
} as const;
export const OWNS = { ...called, rateLimit: JOBS, auth: { session: 'own:merchant' } } as const;
