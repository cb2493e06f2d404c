import { createAddressRule } from '#lib/adapters/http/address-guard.ts';
import { createTransport } from '#lib/adapters/http/transport.ts';
import { createVault } from '#lib/adapters/vault/vault.ts';
import { dataKeyParts } from '#lib/functions/data-keys.ts';
import { createFunctionBase, type FunctionHandler, stageFunction } from '#lib/functions/function-base.ts';
import { helpdeskPorts } from '#lib/functions/helpdesk-ports.ts';
import {
  CARRY_OUT_VARIABLES,
  helpdeskEnvironment,
  type RawEnvironment,
  readEnvironment,
} from '#lib/helpdesk/domain/account/environment.ts';
import { pointerSchema } from '#lib/helpdesk/domain/pointer.ts';
import { WEBHOOK_USER_AGENT } from '#lib/helpdesk/work/webhook-call.ts';
import { createWebhookStage, REQUESTS_MAX } from './stage.ts';

const variables = helpdeskEnvironment.pick({
  ...CARRY_OUT_VARIABLES,
  WEBHOOK_ALLOW_PRIVATE_CIDRS: true,
  CONFIG_TABLE: true,
  VAULT_KEY_ARN: true,
  VAULT_KEY_FILE: true,
});

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('webhooks', settings);
  const stage = createWebhookStage({
    ...helpdeskPorts(base, settings),
    vault: createVault(await dataKeyParts(base, settings)),
    transport: createTransport({
      addresses: createAddressRule({
        highPorts: true,
        allowedCidrs: settings.WEBHOOK_ALLOW_PRIVATE_CIDRS,
      }),
      userAgent: WEBHOOK_USER_AGENT,
      // Many webhooks may be of one host: none of them waits for a socket that another one holds.
      connections: REQUESTS_MAX,
    }),
    countDisabled: (figure, text) => base.logger.warn(figure, text),
  });
  return stageFunction('webhooks', base, pointerSchema, stage);
}
