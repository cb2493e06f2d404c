import { setTimeout as pause } from 'node:timers/promises';
import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createApiKeyStore } from '#lib/adapters/dynamodb/core/keys/api-keys.ts';
import { createKeyUseStore } from '#lib/adapters/dynamodb/core/keys/key-uses.ts';
import { noteKeyUses } from '#lib/adapters/dynamodb/core/keys/noted-keys.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/core/tenancy/merchants.ts';
import { rememberMerchants } from '#lib/adapters/dynamodb/core/tenancy/remembered-merchants.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createRefusalStore } from '#lib/adapters/dynamodb/events/refusal-store.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { type FunctionUrlEvent, functionUrlHandler } from '#lib/adapters/lambda/function-url.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createItemQuarantine, createQuarantineLog } from '#lib/adapters/logger/quarantine.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { createSlotMarker } from '#lib/events/pipeline/counting/due-slots.ts';
import { createServerIngestion } from './app.ts';
import { createShardPicker } from './shard-picker.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  BATCHES_TABLE: true,
  RETENTION_DAYS_MAX: true,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  ACCEPTED_QUEUE_URL: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({
    level: logLevelFrom(settings.LOG_LEVEL),
    bindings: { service: 'ingestion' },
  });
  const setAside = createItemQuarantine(logger, systemClock.now);
  const db = createDocumentClient();
  // A claim that is throttled goes to another shard, or is a 503 that asks to come back.
  const atOnce = createDocumentClient({ attempts: 1, beside: db });
  const merchants = rememberMerchants(createMerchantStore(db, settings.CONFIG_TABLE), systemClock);
  const keys = noteKeyUses(
    createApiKeyStore(db, settings.CONFIG_TABLE, systemRandom, 'evk', setAside),
    createKeyUseStore(db, settings.CONFIG_TABLE, setAside),
    systemClock,
  );
  const quarantine = createQuarantineLog(logger, systemClock.now);
  const wait = async (ms: number): Promise<void> => {
    await pause(ms);
  };
  const app = createServerIngestion({
    events: createEventStore(atOnce, settings.EVENTS_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    batches: createBatchStore(db, settings.BATCHES_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    slots: createSlotMarker(
      createCounterStore(atOnce, settings.ANALYTICS_TABLE),
      systemClock,
      0,
      systemRandom,
    ),
    shards: createShardPicker({ config: merchants, clock: systemClock, random: systemRandom }),
    config: { ...keys, ...merchants },
    refusals: createRefusalStore(atOnce, settings.ANALYTICS_TABLE),
    queue: createMessageSender(createSqsClient(), settings.ACCEPTED_QUEUE_URL),
    clock: systemClock,
    random: systemRandom,
    count: (metric, value = 1) => logger.warn({ metric, value }, 'counted'),
    pause: wait,
    report: (problem, error) => logger.error({ err: error }, problem),
  });
  const handle = functionUrlHandler(app);
  return (event) => handle(event as FunctionUrlEvent);
}
