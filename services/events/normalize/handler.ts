import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createDayKeyStore } from '#lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/core/tenancy/merchants.ts';
import { rememberMerchants } from '#lib/adapters/dynamodb/core/tenancy/remembered-merchants.ts';
import { createAttributionStore } from '#lib/adapters/dynamodb/events/attribution-store.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createRoutingStore } from '#lib/adapters/dynamodb/events/routing/store.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
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
import { createSlotMarker } from '#lib/events/pipeline/counting/due-slots.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { acceptedMessageSchema } from './message.ts';
import { createNormalizeStage } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  BATCHES_TABLE: true,
  RETENTION_DAYS_MAX: true,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  NORMALIZED_QUEUE_URL: true,
  COUNTER_REFRESH_QUEUE_URL: true,
  VAULT_KEY_ARN: true,
  VAULT_KEY_FILE: true,
  LOG_LEVEL: true,
});

/** Longer than an invocation may take. */
const COMMIT_MS = 60_000;

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({
    level: logLevelFrom(settings.LOG_LEVEL),
    bindings: { service: 'normalize' },
  });
  const setAside = createItemQuarantine(logger, systemClock.now);
  const report = createReport(logger);
  const db = createDocumentClient();
  const vault = createVault({
    wrapper: await chooseWrapper({ keyArn: settings.VAULT_KEY_ARN, keyFile: settings.VAULT_KEY_FILE }),
    keys: createDataKeyStore(db, settings.CONFIG_TABLE),
    clock: systemClock,
  });
  const quarantine = createQuarantineLog(logger, systemClock.now);
  const sqs = createSqsClient({ attempts: 1 });
  const stage = createNormalizeStage({
    events: createEventStore(db, settings.EVENTS_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    batches: createBatchStore(db, settings.BATCHES_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    random: systemRandom,
    config: {
      ...createRoutingStore(db, settings.CONFIG_TABLE, setAside),
      ...rememberMerchants(createMerchantStore(db, settings.CONFIG_TABLE), systemClock),
    },
    attribution: createAttributionStore(
      createDocumentClient({ attempts: 1, beside: db }),
      settings.ANALYTICS_TABLE,
      setAside,
    ),
    slots: createSlotMarker(createCounterStore(db, settings.ANALYTICS_TABLE), systemClock, COMMIT_MS),
    eventVault: createEventVault({
      vault,
      dayKeys: createDayKeyStore(db, settings.CONFIG_TABLE),
      clock: systemClock,
    }),
    normalized: createMessageSender(sqs, settings.NORMALIZED_QUEUE_URL, { fair: false }),
    counterRefresh: createMessageSender(sqs, settings.COUNTER_REFRESH_QUEUE_URL),
    lookups: { nationalPhone, countryCode, regionCode },
    platforms: PLATFORMS,
    clock: systemClock,
    report,
  });
  const log = createBatchLog(logger, { stage: 'normalize', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(acceptedMessageSchema, stage, log, systemClock.now, report);
}
