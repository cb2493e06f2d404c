// The caller and its workspace.
import type { Handlers } from '#lib/core/http/handler.ts';
import { actorOf } from '#lib/core/tenancy/caller.ts';
import { isHelpdeskScope } from '#lib/helpdesk/domain/account/scopes.ts';
import { accountView } from '#lib/helpdesk/domain/wire-views.ts';
import type { ME_ROUTES } from '#lib/helpdesk/routes/me.ts';
import { accountOf } from '../accounts.ts';
import type { HelpdeskApiPorts } from '../ports.ts';

export function meHandlers(
  ports: Pick<HelpdeskApiPorts, 'stores' | 'config'>,
): Handlers<(typeof ME_ROUTES)[number]> {
  return {
    async getMe({ caller }) {
      const account = accountView((await accountOf(caller.merchantId, ports)).record);
      const { id, name, default_language, default_timezone } = account;
      const isPerson = caller.kind === 'session';
      return {
        status: 200,
        body: {
          success: true,
          workspace: { id, name, default_language, default_timezone },
          caller: {
            type: isPerson ? 'user' : 'api_key',
            id: isPerson ? caller.sub : caller.keyId,
            author_id: actorOf(caller),
            role: isPerson ? caller.role : null,
            scopes: caller.grant.opens.filter(isHelpdeskScope),
          },
        },
      };
    },
  };
}
