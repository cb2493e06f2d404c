// Ingestion without a credential, as a function of its own: however many browsers call, or whoever else, they take no
// concurrency from the merchants' servers, and hold no permission of theirs.
import { setTimeout as pause } from 'node:timers/promises';
import { isBot } from '#lib/adapters/bots/user-agent.ts';
import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createLeaseStore } from '#lib/adapters/dynamodb/core/lease-store.ts';
import { createLimitRecord } from '#lib/adapters/dynamodb/core/limits/limit-record.ts';
import { createRateLimiter } from '#lib/adapters/dynamodb/core/limits/rate-limiter.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/core/tenancy/merchants.ts';
import { rememberMerchants } from '#lib/adapters/dynamodb/core/tenancy/remembered-merchants.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createRefusalStore } from '#lib/adapters/dynamodb/events/refusal-store.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { behindEdge } from '#lib/adapters/lambda/edge-address.ts';
import { type FunctionUrlEvent, functionUrlHandler } from '#lib/adapters/lambda/function-url.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { createSlotMarker } from '#lib/events/pipeline/counting/due-slots.ts';
import { createBrowserIngestion } from '../ingestion/app.ts';
import { createBrowserWindows, RATE_LIMIT } from '../ingestion/browser-limits.ts';
import { PIXEL_ETAG, PIXEL_JS } from '../ingestion/pixel-bundle.ts';
import { createShardPicker } from '../ingestion/shard-picker.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  BATCHES_TABLE: true,
  RETENTION_DAYS_MAX: true,
  BROWSER_EVENTS_PER_MINUTE_MAX: true,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  RATES_TABLE: true,
  ACCEPTED_QUEUE_URL: true,
  EDGE_SECRET: true,
  EDGE_ADDRESS_HEADER: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({
    level: logLevelFrom(settings.LOG_LEVEL),
    bindings: { service: 'browser-ingestion' },
  });
  const db = createDocumentClient();
  // A claim that is throttled goes to another shard, or is a 503 that asks to come back.
  const atOnce = createDocumentClient({ attempts: 1, beside: db });
  const merchants = rememberMerchants(createMerchantStore(db, settings.CONFIG_TABLE), systemClock);
  const wait = async (ms: number): Promise<void> => {
    await pause(ms);
  };
  const app = createBrowserIngestion({
    events: createEventStore(atOnce, settings.EVENTS_TABLE, undefined, settings.RETENTION_DAYS_MAX),
    batches: createBatchStore(db, settings.BATCHES_TABLE, undefined, settings.RETENTION_DAYS_MAX),
    slots: createSlotMarker(
      createCounterStore(atOnce, settings.ANALYTICS_TABLE),
      systemClock,
      0,
      systemRandom,
    ),
    shards: createShardPicker({ config: merchants, clock: systemClock, random: systemRandom }),
    config: merchants,
    rates: createRateLimiter(db, settings.RATES_TABLE, RATE_LIMIT, wait),
    windows: createBrowserWindows(
      createLeaseStore(db, settings.RATES_TABLE),
      createLimitRecord(db, settings.RATES_TABLE),
      settings.BROWSER_EVENTS_PER_MINUTE_MAX,
    ),
    refusals: createRefusalStore(atOnce, settings.ANALYTICS_TABLE),
    queue: createMessageSender(createSqsClient(), settings.ACCEPTED_QUEUE_URL),
    clock: systemClock,
    random: systemRandom,
    isBot,
    pixel: { javascript: PIXEL_JS, etag: PIXEL_ETAG },
    count: (metric, value = 1) => logger.warn({ metric, value }, 'counted'),
    pause: wait,
    report: (problem, error) => logger.error({ err: error }, problem),
  });
  const edge = { secrets: settings.EDGE_SECRET, addressHeader: settings.EDGE_ADDRESS_HEADER };
  const handle = functionUrlHandler(edge.secrets.length === 0 ? app : behindEdge(app, edge));
  return (event) => handle(event as FunctionUrlEvent);
}
