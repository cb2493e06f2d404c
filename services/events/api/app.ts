// The dashboard API: the contract's routes of part `api`, each with its handler.

import type { FastifyInstance } from 'fastify';
import { createHttpApp } from '#lib/adapters/fastify/http-app.ts';
import { auditedHandlers } from '#lib/core/audit-log/audited.ts';
import type { Handlers } from '#lib/core/http/handler.ts';
import { MERCHANT_CALLS_PER_MINUTE } from '#lib/core/routes/call-limits.ts';
import { keyHandlers } from '#lib/core/tenancy/key-handlers.ts';
import { memberHandlers } from '#lib/core/tenancy/member-handlers.ts';
import { EVENTS_ACCESS, isEventScope } from '#lib/events/domain/scopes.ts';
import type { aiChat } from '#lib/events/routes/assistant/ai-chat.ts';
import { EVENTS_ERRORS } from '#lib/events/routes/errors.ts';
import { API_ROUTES } from '#lib/events/routes/every-route.ts';
import { authenticate } from './authenticate.ts';
import type { ApiPorts } from './ports.ts';
import { accountHandlers } from './routes/account.ts';
import { aiChatHandlers } from './routes/ai-chat.ts';
import { analyticsHandlers } from './routes/analytics.ts';
import { auditLogHandlers } from './routes/audit-log.ts';
import { billingHandlers } from './routes/billing.ts';
import { documentHandlers } from './routes/documents.ts';
import { eventHandlers } from './routes/events.ts';
import { exchangeRateHandlers } from './routes/exchange-rates.ts';
import { meHandlers } from './routes/me.ts';
import { orderHandlers } from './routes/orders.ts';
import { platformCheckHandlers } from './routes/platform-checks.ts';
import { platformHandlers } from './routes/platforms.ts';
import { privacyHandlers } from './routes/privacy.ts';
import { reconciliationHandlers } from './routes/reconciliations.ts';
import { replayHandlers } from './routes/replays.ts';
import { ruleHandlers } from './routes/rules.ts';

type ApiRoute = (typeof API_ROUTES)[number];

export function buildApi(ports: ApiPorts): FastifyInstance {
  const keys = keyHandlers({ access: EVENTS_ACCESS, isScope: isEventScope }, ports);
  const handlers: Handlers<Exclude<ApiRoute, typeof aiChat>> = {
    ...eventHandlers(ports),
    ...orderHandlers(ports),
    ...analyticsHandlers(ports),
    ...platformHandlers(ports),
    ...platformCheckHandlers(ports),
    ...ruleHandlers(ports),
    ...replayHandlers(ports),
    ...reconciliationHandlers(ports),
    ...accountHandlers(ports, API_ROUTES),
    ...exchangeRateHandlers(ports),
    listApiKeys: keys.list,
    createApiKey: keys.create,
    revokeApiKey: keys.revoke,
    ...memberHandlers(ports, EVENTS_ACCESS),
    ...meHandlers(ports),
    ...auditLogHandlers(ports),
    ...billingHandlers(ports),
    ...privacyHandlers(ports),
    ...documentHandlers(),
  };
  const audited = auditedHandlers(API_ROUTES, handlers, ports);
  return createHttpApp<ApiRoute>({
    routes: API_ROUTES,
    handlers: { ...audited, ...aiChatHandlers(ports, { routes: API_ROUTES, handlers: audited }) },
    failures: { style: 'coded', errors: EVENTS_ERRORS },
    authenticate: (authorization, _key, merchant) => authenticate(authorization, merchant, ports),
    idempotency: { store: ports.idempotency, vault: ports.vault, clock: ports.clock, random: ports.random },
    limits: {
      limiter: ports.calls,
      clock: ports.clock,
      merchantPerMinute: MERCHANT_CALLS_PER_MINUTE,
      ...(ports.units === undefined ? {} : { units: ports.units }),
    },
    origins: ports.origins,
    ...(ports.answered === undefined ? {} : { answered: ports.answered }),
    report: ports.report,
  });
}
