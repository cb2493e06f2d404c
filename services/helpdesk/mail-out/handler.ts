import { systemPause } from '#lib/adapters/clock/system-clock.ts';
import { createProfileStore } from '#lib/adapters/dynamodb/core/tenancy/profiles.ts';
import { composeMail } from '#lib/adapters/mail/compose.ts';
import { createMailSender } from '#lib/adapters/ses/mail-sender.ts';
import { createTenantMac } from '#lib/adapters/vault/tenant-mac.ts';
import { dataKeyParts } from '#lib/functions/data-keys.ts';
import { createFunctionBase, type FunctionHandler, stageFunction } from '#lib/functions/function-base.ts';
import { helpdeskPorts } from '#lib/functions/helpdesk-ports.ts';
import { type RawEnvironment, readEnvironment } from '#lib/helpdesk/domain/account/environment.ts';
import { mailOutEnvironment } from '#lib/helpdesk/domain/mail/environment.ts';
import { NO_PATIENCE, PATIENCE } from '#lib/helpdesk/domain/mail/transition.ts';
import { pointerSchema } from '#lib/helpdesk/domain/pointer.ts';
import { createMailOutStage } from './stage.ts';

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(mailOutEnvironment, env);
  const base = createFunctionBase('mail-out', settings);
  const merchants = createProfileStore(base.db, settings.CONFIG_TABLE);
  const configurationSet = settings.HELPDESK_MAIL_CONFIGURATION_SET;
  const stage = createMailOutStage({
    ...helpdeskPorts(base, settings),
    sender: createMailSender(configurationSet === undefined ? {} : { configurationSet }),
    patience: settings.HELPDESK_MAIL_IDEMPOTENT === 'true' ? NO_PATIENCE : PATIENCE,
    compose: composeMail,
    macs: createTenantMac(await dataKeyParts(base, settings)),
    mailDomain: settings.HELPDESK_MAIL_DOMAIN,
    workspaceName: async (id) => (await merchants.merchant(id))?.name ?? '',
    pause: systemPause,
  });
  return stageFunction('mail-out', base, pointerSchema, stage);
}
