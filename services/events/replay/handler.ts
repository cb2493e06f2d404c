import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createDayKeyStore } from '#lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createLeaseStore } from '#lib/adapters/dynamodb/core/lease-store.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/core/tenancy/merchants.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createRoutingStore } from '#lib/adapters/dynamodb/events/routing/store.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { createReplayStore } from '#lib/adapters/dynamodb/events/tasks/replay-store.ts';
import { stageHandler } from '#lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '#lib/adapters/logger/batch-line.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createItemQuarantine, createQuarantineLog, createReport } from '#lib/adapters/logger/quarantine.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { chooseWrapper } from '#lib/adapters/vault/choose-wrapper.ts';
import { createEventVault } from '#lib/adapters/vault/event-vault.ts';
import { createVault } from '#lib/adapters/vault/vault.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { createSlotMarker } from '#lib/events/pipeline/counting/due-slots.ts';
import { createJoinedEventStore } from '#lib/events/pipeline/outcomes-of-batches.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { createDailyLimit } from './daily-limit.ts';
import { replayWorkSchema } from './message.ts';
import { createReplayStage } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  BATCHES_TABLE: true,
  RETENTION_DAYS_MAX: true,
  RATES_TABLE: true,
  REPLAYS_PER_DAY_MAX: true,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  ACCEPTED_QUEUE_URL: true,
  REPLAYS_QUEUE_URL: true,
  VAULT_KEY_ARN: true,
  VAULT_KEY_FILE: true,
  LOG_LEVEL: true,
});

/** Longer than an invocation may take. */
const COMMIT_MS = 90_000;

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'replay' } });
  const setAside = createItemQuarantine(logger, systemClock.now);
  const report = createReport(logger);
  const db = createDocumentClient();
  const sqs = createSqsClient();
  const quarantine = createQuarantineLog(logger, systemClock.now);
  const wrapper = await chooseWrapper({ keyArn: settings.VAULT_KEY_ARN, keyFile: settings.VAULT_KEY_FILE });
  const keys = createDataKeyStore(db, settings.CONFIG_TABLE);
  const counters = createCounterStore(db, settings.ANALYTICS_TABLE);
  const stage = createReplayStage({
    replays: createReplayStore(db, settings.CONFIG_TABLE, setAside),
    events: createJoinedEventStore(
      createEventStore(db, settings.EVENTS_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
      createBatchStore(db, settings.BATCHES_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    ),
    counters,
    slots: createSlotMarker(counters, systemClock, COMMIT_MS),
    config: {
      ...createRoutingStore(db, settings.CONFIG_TABLE, setAside),
      ...createMerchantStore(db, settings.CONFIG_TABLE),
    },
    eventVault: createEventVault({
      vault: createVault({ wrapper, keys, clock: systemClock }),
      dayKeys: createDayKeyStore(db, settings.CONFIG_TABLE),
      clock: systemClock,
    }),
    accepted: createMessageSender(sqs, settings.ACCEPTED_QUEUE_URL),
    work: createMessageSender(sqs, settings.REPLAYS_QUEUE_URL),
    daily: createDailyLimit(createLeaseStore(db, settings.RATES_TABLE), settings.REPLAYS_PER_DAY_MAX),
    platforms: PLATFORMS,
    clock: systemClock,
    random: systemRandom,
    report,
  });
  const log = createBatchLog(logger, { stage: 'replay', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(replayWorkSchema, stage, log, systemClock.now, report);
}
