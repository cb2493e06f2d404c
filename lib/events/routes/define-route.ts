import type { Route } from '../../core/http/route.ts';
import type { EventsErrorCode } from './errors.ts';

/** `ingestion` accepts events, `api` is for the dashboard and integrations. */
export type EventsPart = 'ingestion' | 'api';

export function defineRoute<const R extends Route<EventsErrorCode, EventsPart>>(route: R): R {
  return route;
}
