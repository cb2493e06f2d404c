import { setTimeout as pause } from 'node:timers/promises';
import { systemClock, systemRandom } from '../../../lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '../../../lib/adapters/dynamodb/core/client.ts';
import { createDataKeyStore } from '../../../lib/adapters/dynamodb/core/data-keys.ts';
import { createDayKeyStore } from '../../../lib/adapters/dynamodb/core/day-keys.ts';
import { createBatchStore } from '../../../lib/adapters/dynamodb/events/batch-store.ts';
import { createConnectionStore } from '../../../lib/adapters/dynamodb/events/connection-store.ts';
import { createEventStore } from '../../../lib/adapters/dynamodb/events/event-store.ts';
import { createTransport } from '../../../lib/adapters/http/transport.ts';
import { stageHandler } from '../../../lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '../../../lib/adapters/logger/batch-line.ts';
import { createLogger, logLevelFrom } from '../../../lib/adapters/logger/logger.ts';
import { createQuarantineLog, createReport } from '../../../lib/adapters/logger/quarantine.ts';
import { createSqsClient } from '../../../lib/adapters/sqs/client.ts';
import { createMessageSender } from '../../../lib/adapters/sqs/message-sender.ts';
import { chooseWrapper } from '../../../lib/adapters/vault/choose-wrapper.ts';
import { createEventVault } from '../../../lib/adapters/vault/event-vault.ts';
import { createVault } from '../../../lib/adapters/vault/vault.ts';
import { environment, type RawEnvironment, readEnvironment } from '../../../lib/events/domain/environment.ts';
import { PLATFORMS } from '../../../lib/events/platforms/registry.ts';
import { SOCKETS_MAX } from './in-flight.ts';
import { deliveryMessageSchema } from './message.ts';
import { createDeliverStage } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  BATCHES_TABLE: true,
  CONFIG_TABLE: true,
  COUNTER_REFRESH_QUEUE_URL: true,
  VAULT_KEY_ARN: true,
  VAULT_KEY_FILE: true,
  PLATFORM_SANDBOX_URL: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'deliver' } });
  const report = createReport(logger);
  const db = createDocumentClient();
  const quarantine = createQuarantineLog(logger, systemClock.now);
  const vault = createVault({
    wrapper: await chooseWrapper({ keyArn: settings.VAULT_KEY_ARN, keyFile: settings.VAULT_KEY_FILE }),
    keys: createDataKeyStore(db, settings.CONFIG_TABLE),
    clock: systemClock,
  });
  const stage = createDeliverStage({
    events: createEventStore(db, settings.EVENTS_TABLE, quarantine),
    batches: createBatchStore(db, settings.BATCHES_TABLE, quarantine),
    config: createConnectionStore(db, settings.CONFIG_TABLE),
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
    counterRefresh: createMessageSender(createSqsClient(), settings.COUNTER_REFRESH_QUEUE_URL),
    platforms: PLATFORMS,
    clock: systemClock,
    random: systemRandom,
    // Never what keeps a process alive.
    pause: (ms) => pause(ms, undefined, { ref: false }),
    report,
  });
  const log = createBatchLog(logger, { stage: 'deliver', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(deliveryMessageSchema, stage, log, systemClock.now, report);
}
