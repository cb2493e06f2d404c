// Every route there is. Servers, OpenAPI, the client and the reference fold from this list.
import type { Route } from '../../core/http/route.ts';
import { documentRoutes } from '../../core/routes/documents.ts';
import { ACCOUNT_ROUTES } from './account.ts';
import { ANALYTICS_ROUTES } from './analytics/analytics.ts';
import { API_KEY_ROUTES } from './api-keys.ts';
import { AI_ROUTES } from './assistant/ai-chat.ts';
import { AUDIT_LOG_ROUTES } from './audit-log.ts';
import { BILLING_ROUTES } from './billing.ts';
import type { EventsPart } from './define-route.ts';
import { DELIVERY_ROUTES } from './deliveries.ts';
import { EVENT_ROUTES } from './events.ts';
import { INGESTION_ROUTES, SEGMENT_ROUTES } from './ingestion.ts';
import { ME_ROUTES } from './me.ts';
import { MEMBER_ROUTES } from './members.ts';
import { EXCHANGE_RATE_ROUTES } from './orders/exchange-rates.ts';
import { ORDER_ROUTES } from './orders/orders.ts';
import { PEOPLE_ROUTES } from './orders/people.ts';
import { RECONCILIATION_ROUTES } from './orders/reconciliations.ts';
import { INCIDENT_ROUTES } from './platforms/incidents.ts';
import { PLATFORM_CHECK_ROUTES } from './platforms/platform-checks.ts';
import { PLATFORM_ROUTES } from './platforms/platforms.ts';
import { PRIVACY_ROUTES } from './privacy.ts';
import { REPLAY_ROUTES } from './replays.ts';
import { RULE_ROUTES } from './rules.ts';

export const DOCUMENT_ROUTES = documentRoutes('api', '');

/** What the dashboard API answers. */
export const API_ROUTES = [
  ...EVENT_ROUTES,
  ...DELIVERY_ROUTES,
  ...ORDER_ROUTES,
  ...PEOPLE_ROUTES,
  ...ANALYTICS_ROUTES,
  ...PLATFORM_ROUTES,
  ...INCIDENT_ROUTES,
  ...PLATFORM_CHECK_ROUTES,
  ...RULE_ROUTES,
  ...REPLAY_ROUTES,
  ...RECONCILIATION_ROUTES,
  ...ACCOUNT_ROUTES,
  ...EXCHANGE_RATE_ROUTES,
  ...API_KEY_ROUTES,
  ...MEMBER_ROUTES,
  ...ME_ROUTES,
  ...AUDIT_LOG_ROUTES,
  ...AI_ROUTES,
  ...BILLING_ROUTES,
  ...PRIVACY_ROUTES,
  ...DOCUMENT_ROUTES,
] as const;

export const ROUTES = [...INGESTION_ROUTES, ...SEGMENT_ROUTES, ...API_ROUTES] as const;

/** The routes one part answers. */
export function routesOf(part: EventsPart): readonly Route[] {
  return ROUTES.filter((route) => route.part === part);
}
