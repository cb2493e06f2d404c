import { setTimeout as wait } from 'node:timers/promises';
import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/core/tenancy/merchants.ts';
import { createHelpdeskStores } from '#lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { stageHandler } from '#lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '#lib/adapters/logger/batch-line.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createRecordQuarantine, createReport } from '#lib/adapters/logger/quarantine.ts';
import { composeMail } from '#lib/adapters/mail/compose.ts';
import { createMailSender } from '#lib/adapters/ses/mail-sender.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createHelpdeskSenders } from '#lib/adapters/sqs/helpdesk-senders.ts';
import { chooseWrapper } from '#lib/adapters/vault/choose-wrapper.ts';
import { createTenantMac } from '#lib/adapters/vault/tenant-mac.ts';
import { type RawEnvironment, readEnvironment } from '#lib/helpdesk/domain/account/environment.ts';
import { mailOutEnvironment } from '#lib/helpdesk/domain/mail/environment.ts';
import { NO_PATIENCE, PATIENCE } from '#lib/helpdesk/domain/mail/transition.ts';
import { mailPointerSchema } from './message.ts';
import { createMailOutStage } from './stage.ts';

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(mailOutEnvironment, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'mail-out' } });
  const report = createReport(logger);
  const db = createDocumentClient();
  const sqs = createSqsClient();
  const tables = { table: settings.HELPDESK_TABLE, auditTable: settings.HELPDESK_AUDIT_TABLE };
  const macs = createTenantMac({
    wrapper: await chooseWrapper({ keyArn: settings.VAULT_KEY_ARN, keyFile: settings.VAULT_KEY_FILE }),
    keys: createDataKeyStore(db, settings.CONFIG_TABLE),
    clock: systemClock,
  });
  const merchants = createMerchantStore(db, settings.CONFIG_TABLE);
  const configurationSet = settings.HELPDESK_MAIL_CONFIGURATION_SET;
  const stage = createMailOutStage({
    stores: createHelpdeskStores(
      db,
      tables,
      systemClock.now,
      createRecordQuarantine(logger, systemClock.now),
    ),
    ...createHelpdeskSenders(sqs, settings),
    sender: createMailSender(configurationSet === undefined ? {} : { configurationSet }),
    patience: settings.HELPDESK_MAIL_IDEMPOTENT === 'true' ? NO_PATIENCE : PATIENCE,
    compose: composeMail,
    macs,
    mailDomain: settings.HELPDESK_MAIL_DOMAIN,
    workspaceName: async (id) => (await merchants.merchant(id))?.name ?? '',
    clock: systemClock,
    random: systemRandom,
    report,
    pause: (ms) => wait(ms),
  });
  const log = createBatchLog(logger, { stage: 'mail-out', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(mailPointerSchema, stage, log, systemClock.now, report);
}
