import { systemClock, systemRandom } from '../../lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '../../lib/adapters/dynamodb/client.ts';
import { createConfigStore } from '../../lib/adapters/dynamodb/config-store.ts';
import { createDataKeyStore } from '../../lib/adapters/dynamodb/data-keys.ts';
import { createEventStore } from '../../lib/adapters/dynamodb/event-store.ts';
import { createTransport } from '../../lib/adapters/http/transport.ts';
import { stageHandler } from '../../lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '../../lib/adapters/logger/batch-line.ts';
import { createLogger, logLevelFrom } from '../../lib/adapters/logger/logger.ts';
import { rememberConfig } from '../../lib/adapters/memory/config-cache.ts';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { createOutbox } from '../../lib/adapters/sqs/outbox.ts';
import { chooseWrapper } from '../../lib/adapters/vault/choose-wrapper.ts';
import { createVault } from '../../lib/adapters/vault/vault.ts';
import { environment, type RawEnvironment, readEnvironment } from '../../lib/domain/environment.ts';
import { PLATFORMS } from '../../lib/platforms/registry.ts';
import { deliveryMessageSchema } from './message.ts';
import { createDeliverStage } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  CONFIG_TABLE: true,
  OUTCOMES_QUEUE_URL: true,
  VAULT_KEY_ARN: true,
  VAULT_KEY_FILE: true,
  PLATFORM_SANDBOX_URL: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'deliver' } });
  const db = createDocumentClient();
  const stage = createDeliverStage({
    events: createEventStore(db, settings.EVENTS_TABLE),
    config: rememberConfig(createConfigStore(db, settings.CONFIG_TABLE), systemClock),
    vault: createVault({
      wrapper: await chooseWrapper({ keyArn: settings.VAULT_KEY_ARN, keyFile: settings.VAULT_KEY_FILE }),
      keys: createDataKeyStore(db, settings.CONFIG_TABLE),
      clock: systemClock,
    }),
    transport: createTransport(
      settings.PLATFORM_SANDBOX_URL === undefined ? {} : { sandboxUrl: settings.PLATFORM_SANDBOX_URL },
    ),
    outcomes: createOutbox(createSqsClient(), settings.OUTCOMES_QUEUE_URL),
    platforms: PLATFORMS,
    clock: systemClock,
    random: systemRandom,
    report: (problem, error) => logger.error({ err: error }, problem),
  });
  const log = createBatchLog(logger, { stage: 'deliver', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(deliveryMessageSchema, stage, log, systemClock.now);
}
