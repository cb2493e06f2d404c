// API keys of the events product.
import type { Handlers } from '#lib/core/http/handler.ts';
import { keyHandlers } from '#lib/core/tenancy/key-handlers.ts';
import { EVENTS_ACCESS, isEventScope } from '#lib/events/domain/scopes.ts';
import type { API_KEY_ROUTES } from '#lib/events/routes/api-keys.ts';
import type { ApiPorts } from '../ports.ts';

export function apiKeyHandlers(ports: ApiPorts): Handlers<(typeof API_KEY_ROUTES)[number]> {
  const keys = keyHandlers({ access: EVENTS_ACCESS, isScope: isEventScope }, ports);
  return { listApiKeys: keys.list, createApiKey: keys.create, revokeApiKey: keys.revoke };
}
