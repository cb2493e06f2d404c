// The dashboard API: the contract's routes of part `api`, each with its handler.
import type { FastifyInstance } from 'fastify';
import { createHttpApp } from '../../../lib/adapters/fastify/http-app.ts';
import type { Handlers } from '../../../lib/core/http/handler.ts';
import { ANALYTICS_ROUTES } from '../../../lib/events/routes/analytics.ts';
import { DELIVERY_ROUTES } from '../../../lib/events/routes/deliveries.ts';
import { DOCUMENT_ROUTES } from '../../../lib/events/routes/documents.ts';
import { EVENT_ROUTES } from '../../../lib/events/routes/events.ts';
import { PLATFORM_CHECK_ROUTES } from '../../../lib/events/routes/platform-checks.ts';
import { PLATFORM_ROUTES } from '../../../lib/events/routes/platforms.ts';
import { authenticate } from './authenticate.ts';
import type { ApiPorts } from './ports.ts';
import { analyticsHandlers } from './routes/analytics.ts';
import { deliveryHandlers } from './routes/deliveries.ts';
import { documentHandlers } from './routes/documents.ts';
import { eventHandlers } from './routes/events.ts';
import { platformCheckHandlers } from './routes/platform-checks.ts';
import { platformHandlers } from './routes/platforms.ts';

const routes = [
  ...EVENT_ROUTES,
  ...DELIVERY_ROUTES,
  ...ANALYTICS_ROUTES,
  ...PLATFORM_ROUTES,
  ...PLATFORM_CHECK_ROUTES,
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
    ...documentHandlers(),
  };
  return createHttpApp<ApiRoute>({
    routes,
    handlers,
    authenticate: (authorization) => authenticate(authorization, ports),
    idempotency: { store: ports.idempotency, vault: ports.vault, clock: ports.clock, random: ports.random },
    origins: ports.origins,
    report: ports.report,
  });
}
