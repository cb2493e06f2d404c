import { setTimeout as pause } from 'node:timers/promises';
import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createDayKeyStore } from '#lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/core/tenancy/merchants.ts';
import { rememberMerchants } from '#lib/adapters/dynamodb/core/tenancy/remembered-merchants.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { createTransport } from '#lib/adapters/http/transport.ts';
import { stageHandler } from '#lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '#lib/adapters/logger/batch-line.ts';
import { createDeliveryLines } from '#lib/adapters/logger/delivery-lines.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createItemQuarantine, createQuarantineLog, createReport } from '#lib/adapters/logger/quarantine.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { chooseWrapper } from '#lib/adapters/vault/choose-wrapper.ts';
import { createEventVault } from '#lib/adapters/vault/event-vault.ts';
import { createVault } from '#lib/adapters/vault/vault.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { SOCKETS_MAX } from './in-flight.ts';
import { deliveryMessageSchema } from './message.ts';
import { createDeliverStage } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  BATCHES_TABLE: true,
  RETENTION_DAYS_MAX: true,
  CONFIG_TABLE: true,
  COUNTER_REFRESH_QUEUE_URL: true,
  TASK_WORK_QUEUE_URL: true,
  VAULT_KEY_ARN: true,
  VAULT_KEY_FILE: true,
  PLATFORM_SANDBOX_URL: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'deliver' } });
  const setAside = createItemQuarantine(logger, systemClock.now);
  const report = createReport(logger);
  const db = createDocumentClient();
  const sqs = createSqsClient();
  const quarantine = createQuarantineLog(logger, systemClock.now);
  const vault = createVault({
    wrapper: await chooseWrapper({ keyArn: settings.VAULT_KEY_ARN, keyFile: settings.VAULT_KEY_FILE }),
    keys: createDataKeyStore(db, settings.CONFIG_TABLE),
    clock: systemClock,
  });
  const stage = createDeliverStage({
    events: createEventStore(db, settings.EVENTS_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    batches: createBatchStore(db, settings.BATCHES_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    config: {
      ...createConnectionStore(db, settings.CONFIG_TABLE, setAside),
      merchant: rememberMerchants(createMerchantStore(db, settings.CONFIG_TABLE), systemClock).merchant,
    },
    vault,
    eventVault: createEventVault({
      vault,
      dayKeys: createDayKeyStore(db, settings.CONFIG_TABLE),
      clock: systemClock,
    }),
    transport: createTransport({
      connections: SOCKETS_MAX,
      ...(settings.PLATFORM_SANDBOX_URL === undefined ? {} : { sandboxUrl: settings.PLATFORM_SANDBOX_URL }),
    }),
    counterRefresh: createMessageSender(sqs, settings.COUNTER_REFRESH_QUEUE_URL),
    platforms: PLATFORMS,
    clock: systemClock,
    random: systemRandom,
    // Never what keeps a process alive.
    pause: (ms) => pause(ms, undefined, { ref: false }),
    report,
    taskWork: createMessageSender(sqs, settings.TASK_WORK_QUEUE_URL),
    signals: createDeliveryLines(logger, systemClock.now),
  });
  const log = createBatchLog(logger, { stage: 'deliver', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(deliveryMessageSchema, stage, log, systemClock.now, report);
}
