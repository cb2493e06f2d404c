// The dashboard API: the contract's routes of part `api`, each with its handler.
import type { FastifyInstance } from 'fastify';
import { createHttpApp } from '../../../lib/adapters/fastify/http-app.ts';
import { auditedHandlers } from '../../../lib/core/audit-log/audited.ts';
import type { Handlers } from '../../../lib/core/http/handler.ts';
import { API_KEY_ROUTES } from '../../../lib/core/routes/api-keys.ts';
import { AUDIT_LOG_ROUTES } from '../../../lib/core/routes/audit-log.ts';
import { MEMBER_ROUTES } from '../../../lib/core/routes/members.ts';
import { ACCOUNT_ROUTES } from '../../../lib/events/routes/account.ts';
import { ANALYTICS_ROUTES } from '../../../lib/events/routes/analytics.ts';
import { BILLING_ROUTES } from '../../../lib/events/routes/billing.ts';
import { DELIVERY_ROUTES } from '../../../lib/events/routes/deliveries.ts';
import { DOCUMENT_ROUTES } from '../../../lib/events/routes/documents.ts';
import { EVENT_ROUTES } from '../../../lib/events/routes/events.ts';
import { routesOf } from '../../../lib/events/routes/every-route.ts';
import { PLATFORM_CHECK_ROUTES } from '../../../lib/events/routes/platform-checks.ts';
import { PLATFORM_ROUTES } from '../../../lib/events/routes/platforms.ts';
import { REPLAY_ROUTES } from '../../../lib/events/routes/replays.ts';
import { RULE_ROUTES } from '../../../lib/events/routes/rules.ts';
import { authenticate } from './authenticate.ts';
import type { ApiPorts } from './ports.ts';
import { accountHandlers } from './routes/account.ts';
import { analyticsHandlers } from './routes/analytics.ts';
import { apiKeyHandlers } from './routes/api-keys.ts';
import { auditLogHandlers } from './routes/audit-log.ts';
import { billingHandlers } from './routes/billing.ts';
import { deliveryHandlers } from './routes/deliveries.ts';
import { documentHandlers } from './routes/documents.ts';
import { eventHandlers } from './routes/events.ts';
import { memberHandlers } from './routes/members.ts';
import { platformCheckHandlers } from './routes/platform-checks.ts';
import { platformHandlers } from './routes/platforms.ts';
import { replayHandlers } from './routes/replays.ts';
import { ruleHandlers } from './routes/rules.ts';

const routes = [
  ...EVENT_ROUTES,
  ...DELIVERY_ROUTES,
  ...ANALYTICS_ROUTES,
  ...PLATFORM_ROUTES,
  ...PLATFORM_CHECK_ROUTES,
  ...RULE_ROUTES,
  ...REPLAY_ROUTES,
  ...ACCOUNT_ROUTES,
  ...API_KEY_ROUTES,
  ...MEMBER_ROUTES,
  ...AUDIT_LOG_ROUTES,
  ...BILLING_ROUTES,
  ...DOCUMENT_ROUTES,
];
type ApiRoute = (typeof routes)[number];

export function buildApi(ports: ApiPorts): FastifyInstance {
  const handlers: Handlers<ApiRoute> = {
    ...eventHandlers(ports),
    ...deliveryHandlers(ports),
    ...analyticsHandlers(ports),
    ...platformHandlers(ports),
    ...platformCheckHandlers(ports),
    ...ruleHandlers(ports),
    ...replayHandlers(ports),
    ...accountHandlers(ports, routesOf('api')),
    ...apiKeyHandlers(ports),
    ...memberHandlers(ports),
    ...auditLogHandlers(ports),
    ...billingHandlers(ports),
    ...documentHandlers(),
  };
  return createHttpApp<ApiRoute>({
    routes,
    handlers: auditedHandlers(routes, handlers, ports),
    authenticate: (authorization) => authenticate(authorization, ports),
    idempotency: { store: ports.idempotency, vault: ports.vault, clock: ports.clock, random: ports.random },
    origins: ports.origins,
    report: ports.report,
  });
}
