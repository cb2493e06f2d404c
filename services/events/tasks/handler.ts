import { systemClock } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createDayKeyStore } from '#lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/core/tenancy/merchants.ts';
import { createAttributionStore } from '#lib/adapters/dynamodb/events/attribution-store.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createRowErasure } from '#lib/adapters/dynamodb/events/rows/erased-rows.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { createErasureStore } from '#lib/adapters/dynamodb/events/tasks/erasure-store.ts';
import { createReconciliationStore } from '#lib/adapters/dynamodb/events/tasks/reconciliation-store.ts';
import { stageHandler } from '#lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '#lib/adapters/logger/batch-line.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createItemQuarantine, createQuarantineLog, createReport } from '#lib/adapters/logger/quarantine.ts';
import { nationalPhone } from '#lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '#lib/adapters/regions/region-codes.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { chooseWrapper } from '#lib/adapters/vault/choose-wrapper.ts';
import { createEventVault } from '#lib/adapters/vault/event-vault.ts';
import { createVault } from '#lib/adapters/vault/vault.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { taskWorkSchema } from './message.ts';
import { createTaskStage } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  BATCHES_TABLE: true,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  TASK_WORK_QUEUE_URL: true,
  VAULT_KEY_ARN: true,
  VAULT_KEY_FILE: true,
  NOTICE_MAIL_DOMAIN: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'tasks' } });
  const setAside = createItemQuarantine(logger, systemClock.now);
  const report = createReport(logger);
  const db = createDocumentClient();
  const wrapper = await chooseWrapper({ keyArn: settings.VAULT_KEY_ARN, keyFile: settings.VAULT_KEY_FILE });
  const vault = createVault({
    wrapper,
    keys: createDataKeyStore(db, settings.CONFIG_TABLE),
    clock: systemClock,
  });
  const quarantine = createQuarantineLog(logger, systemClock.now);
  const stage = createTaskStage({
    erasures: createErasureStore(db, settings.CONFIG_TABLE, setAside),
    events: {
      ...createEventStore(db, settings.EVENTS_TABLE, quarantine),
      ...createRowErasure(db, settings.EVENTS_TABLE),
    },
    reconciliations: createReconciliationStore(db, settings.CONFIG_TABLE, setAside),
    batches: createBatchStore(db, settings.BATCHES_TABLE, quarantine),
    touches: createAttributionStore(db, settings.ANALYTICS_TABLE, setAside),
    counters: createCounterStore(db, settings.ANALYTICS_TABLE),
    vault,
    eventVault: createEventVault({
      vault,
      dayKeys: createDayKeyStore(db, settings.CONFIG_TABLE),
      clock: systemClock,
    }),
    config: {
      ...createMerchantStore(db, settings.CONFIG_TABLE),
      ...createConnectionStore(db, settings.CONFIG_TABLE),
    },
    // Rare: loaded when there is something to say.
    notices: async () => {
      const domain = settings.NOTICE_MAIL_DOMAIN;
      if (domain === undefined) return null;
      const { createNoticeSender } = await import('#lib/adapters/ses/notice-sender.ts');
      return createNoticeSender(domain);
    },
    lookups: { nationalPhone, countryCode, regionCode },
    work: createMessageSender(createSqsClient(), settings.TASK_WORK_QUEUE_URL),
    clock: systemClock,
    report,
  });
  const log = createBatchLog(logger, { stage: 'tasks', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(taskWorkSchema, stage, log, systemClock.now, report);
}
