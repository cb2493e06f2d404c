import { setTimeout as pause } from 'node:timers/promises';
import { systemClock, systemRandom } from '../../../lib/adapters/clock/system-clock.ts';
import { createApiKeyStore } from '../../../lib/adapters/dynamodb/core/api-keys.ts';
import { createDocumentClient } from '../../../lib/adapters/dynamodb/core/client.ts';
import { createKeyUseStore } from '../../../lib/adapters/dynamodb/core/key-uses.ts';
import { createMerchantStore } from '../../../lib/adapters/dynamodb/core/merchants.ts';
import { noteKeyUses } from '../../../lib/adapters/dynamodb/core/noted-keys.ts';
import { rememberMerchants } from '../../../lib/adapters/dynamodb/core/remembered-merchants.ts';
import { createBatchStore } from '../../../lib/adapters/dynamodb/events/batch-store.ts';
import { createCounterStore } from '../../../lib/adapters/dynamodb/events/counter-store.ts';
import { createEventStore } from '../../../lib/adapters/dynamodb/events/event-store.ts';
import { createRefusalStore } from '../../../lib/adapters/dynamodb/events/refusal-store.ts';
import { type FunctionUrlEvent, functionUrlHandler } from '../../../lib/adapters/lambda/function-url.ts';
import { createLogger, logLevelFrom } from '../../../lib/adapters/logger/logger.ts';
import { createQuarantineLog } from '../../../lib/adapters/logger/quarantine.ts';
import { createSqsClient } from '../../../lib/adapters/sqs/client.ts';
import { createMessageSender } from '../../../lib/adapters/sqs/message-sender.ts';
import { environment, type RawEnvironment, readEnvironment } from '../../../lib/events/domain/environment.ts';
import { createSlotMarker } from '../../../lib/events/pipeline/counting/due-slots.ts';
import { createIngestionApp } from './app.ts';
import { createBrowserWindows } from './browser-limits.ts';
import { createShardPicker } from './shard-picker.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  BATCHES_TABLE: true,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  ACCEPTED_QUEUE_URL: true,
  LOG_LEVEL: true,
});

/** No route of this function leads here. */
const elsewhere = async (): Promise<never> => {
  throw new Error('browsers are served by the function browser-ingestion');
};

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({
    level: logLevelFrom(settings.LOG_LEVEL),
    bindings: { service: 'ingestion' },
  });
  const db = createDocumentClient();
  // A claim that is throttled goes to another shard, or is a 503 that asks to come back.
  const atOnce = createDocumentClient({ attempts: 1, beside: db });
  const merchants = rememberMerchants(createMerchantStore(db, settings.CONFIG_TABLE), systemClock);
  const keys = noteKeyUses(
    createApiKeyStore(db, settings.CONFIG_TABLE, systemRandom),
    createKeyUseStore(db, settings.CONFIG_TABLE),
    systemClock,
  );
  const quarantine = createQuarantineLog(logger, systemClock.now);
  const wait = async (ms: number): Promise<void> => {
    await pause(ms);
  };
  const app = createIngestionApp(
    {
      events: createEventStore(atOnce, settings.EVENTS_TABLE, quarantine),
      batches: createBatchStore(db, settings.BATCHES_TABLE, quarantine),
      slots: createSlotMarker(
        createCounterStore(atOnce, settings.ANALYTICS_TABLE),
        systemClock,
        0,
        systemRandom,
      ),
      shards: createShardPicker({ config: merchants, clock: systemClock, random: systemRandom }),
      config: { ...keys, ...merchants },
      rates: { take: elsewhere },
      windows: createBrowserWindows({ lease: elsewhere }, { reached: elsewhere }),
      refusals: createRefusalStore(atOnce, settings.ANALYTICS_TABLE),
      queue: createMessageSender(createSqsClient(), settings.ACCEPTED_QUEUE_URL),
      clock: systemClock,
      random: systemRandom,
      isBot: () => false,
      pixel: { javascript: '', etag: '' },
      count: (metric, value = 1) => logger.warn({ metric, value }, 'counted'),
      pause: wait,
      report: (problem, error) => logger.error({ err: error }, problem),
    },
    'server',
  );
  const handle = functionUrlHandler(app);
  return (event) => handle(event as FunctionUrlEvent);
}
