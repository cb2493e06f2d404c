import { systemPause } from '#lib/adapters/clock/system-clock.ts';
import { createProfileStore } from '#lib/adapters/dynamodb/core/tenancy/profiles.ts';
import { parseMail } from '#lib/adapters/mail/parse.ts';
import { createObjectStore } from '#lib/adapters/s3/object-store.ts';
import { createTenantMac } from '#lib/adapters/vault/tenant-mac.ts';
import { dataKeyParts } from '#lib/functions/data-keys.ts';
import { createFunctionBase, type FunctionHandler, stageFunction } from '#lib/functions/function-base.ts';
import { helpdeskPorts } from '#lib/functions/helpdesk-ports.ts';
import { type RawEnvironment, readEnvironment } from '#lib/helpdesk/domain/account/environment.ts';
import { mailInEnvironment } from '#lib/helpdesk/domain/mail/environment.ts';
import { inboundMailSchema } from './message.ts';
import { createMailInStage } from './stage.ts';

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(mailInEnvironment, env);
  const base = createFunctionBase('mail-in', settings);
  const merchants = createProfileStore(base.db, settings.CONFIG_TABLE);
  const stage = createMailInStage({
    ...helpdeskPorts(base, settings),
    objects: createObjectStore(settings.HELPDESK_MAIL_BUCKET),
    bucket: settings.HELPDESK_MAIL_BUCKET,
    parse: parseMail,
    macs: createTenantMac(await dataKeyParts(base, settings)),
    mailDomain: settings.HELPDESK_MAIL_DOMAIN,
    isWorkspace: async (id) => (await merchants.merchant(id)) !== null,
    noted: ({ outcome: mail, reason, key }) =>
      mail === 'quarantined'
        ? base.logger.warn({ mail, reason, key }, 'a mail was quarantined')
        : base.logger.info({ mail, reason, key }, 'a mail came in'),
    pause: systemPause,
  });
  return stageFunction('mail-in', base, inboundMailSchema, stage);
}
