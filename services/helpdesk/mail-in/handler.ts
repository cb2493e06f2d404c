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
import { parseMail } from '#lib/adapters/mail/parse.ts';
import { createObjectStore } from '#lib/adapters/s3/object-store.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createHelpdeskSenders } from '#lib/adapters/sqs/helpdesk-senders.ts';
import { chooseWrapper } from '#lib/adapters/vault/choose-wrapper.ts';
import { createTenantMac } from '#lib/adapters/vault/tenant-mac.ts';
import { type RawEnvironment, readEnvironment } from '#lib/helpdesk/domain/account/environment.ts';
import { mailInEnvironment } from '#lib/helpdesk/domain/mail/environment.ts';
import { inboundMailSchema } from './message.ts';
import { createMailInStage } from './stage.ts';

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(mailInEnvironment, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'mail-in' } });
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
  const stage = createMailInStage({
    stores: createHelpdeskStores(
      db,
      tables,
      systemClock.now,
      createRecordQuarantine(logger, systemClock.now),
    ),
    ...createHelpdeskSenders(sqs, settings),
    objects: createObjectStore(settings.HELPDESK_MAIL_BUCKET),
    bucket: settings.HELPDESK_MAIL_BUCKET,
    parse: parseMail,
    macs,
    mailDomain: settings.HELPDESK_MAIL_DOMAIN,
    isWorkspace: async (id) => (await merchants.merchant(id)) !== null,
    noted: (outcome) =>
      outcome.outcome === 'quarantined'
        ? logger.warn(
            { mail: outcome.outcome, reason: outcome.reason, key: outcome.key },
            'a mail was quarantined',
          )
        : logger.info({ mail: outcome.outcome, reason: outcome.reason, key: outcome.key }, 'a mail came in'),
    clock: systemClock,
    random: systemRandom,
    report,
    pause: (ms) => wait(ms),
  });
  const log = createBatchLog(logger, { stage: 'mail-in', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(inboundMailSchema, stage, log, systemClock.now, report);
}
