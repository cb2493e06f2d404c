// API keys of the helpdesk.
import type { Handlers } from '#lib/core/http/handler.ts';
import { type KeyPorts, keyHandlers } from '#lib/core/tenancy/key-handlers.ts';
import { HELPDESK_ACCESS, isHelpdeskScope } from '#lib/helpdesk/domain/account/scopes.ts';
import type { HELPDESK_KEY_ROUTES } from '#lib/helpdesk/routes/api-keys.ts';

export function helpdeskKeyHandlers(ports: KeyPorts): Handlers<(typeof HELPDESK_KEY_ROUTES)[number]> {
  const keys = keyHandlers({ access: HELPDESK_ACCESS, isScope: isHelpdeskScope }, ports);
  return { listHelpdeskKeys: keys.list, createHelpdeskKey: keys.create, revokeHelpdeskKey: keys.revoke };
}
