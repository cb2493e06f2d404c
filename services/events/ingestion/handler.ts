import { systemClock, systemPause, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createApiKeyStore } from '#lib/adapters/dynamodb/core/keys/api-keys.ts';
import { createKeyUseStore } from '#lib/adapters/dynamodb/core/keys/key-uses.ts';
import { noteKeyUses } from '#lib/adapters/dynamodb/core/keys/noted-keys.ts';
import { createLeaseStore } from '#lib/adapters/dynamodb/core/lease-store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/events/merchants.ts';
import { createRefusalStore } from '#lib/adapters/dynamodb/events/refusal-store.ts';
import { rememberMerchants } from '#lib/adapters/dynamodb/events/remembered-merchants.ts';
import { type FunctionUrlEvent, functionUrlHandler } from '#lib/adapters/lambda/function-url.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { createSuspicions } from '#lib/events/pipeline/connections/suspicions.ts';
import { createBucketMarker } from '#lib/events/pipeline/counting/due-buckets.ts';
import { EVENT_TABLES, eventTables } from '#lib/functions/event-tables.ts';
import { createFunctionBase, type FunctionHandler } from '#lib/functions/function-base.ts';
import { createServerIngestion } from './server-app.ts';
import { createServerLimit } from './server-limit.ts';
import { createShardPicker } from './shard-picker.ts';

const variables = environment.pick({
  ...EVENT_TABLES,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  RATES_TABLE: true,
  SERVER_EVENTS_PER_MINUTE_MAX: true,
  SERVER_EVENTS_PER_DAY_MAX: true,
  ACCEPTED_QUEUE_URL: true,
  TASK_WORK_QUEUE_URL: true,
  PLATFORM_SANDBOX_URL: true,
});

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('ingestion', settings);
  const { db, logger, quarantine } = base;
  const sqs = createSqsClient();
  // A claim that is throttled goes to another shard, or is a 503 that asks to come back.
  const atOnce = createDocumentClient({ attempts: 1, beside: db });
  const merchants = rememberMerchants(
    createMerchantStore(db, settings.CONFIG_TABLE, 'eventual'),
    systemClock,
  );
  const keys = noteKeyUses(
    createApiKeyStore(db, settings.CONFIG_TABLE, systemRandom, 'evk', quarantine.items),
    createKeyUseStore(db, settings.CONFIG_TABLE, quarantine.items),
    systemClock,
  );
  const app = createServerIngestion({
    ...eventTables(base, settings, atOnce),
    slots: createBucketMarker(
      createCounterStore(atOnce, settings.ANALYTICS_TABLE),
      systemClock,
      0,
      systemRandom,
    ),
    shards: createShardPicker({ config: merchants, clock: systemClock, random: systemRandom }),
    config: { ...keys, ...merchants },
    limit: createServerLimit(
      createLeaseStore(db, settings.RATES_TABLE),
      {
        eventsPerMinute: settings.SERVER_EVENTS_PER_MINUTE_MAX,
        eventsPerDay: settings.SERVER_EVENTS_PER_DAY_MAX,
      },
      createSuspicions({
        taskWork: createMessageSender(sqs, settings.TASK_WORK_QUEUE_URL),
        clock: systemClock,
        report: base.report,
      }),
    ),
    refusals: createRefusalStore(atOnce, settings.ANALYTICS_TABLE),
    isSandboxed: settings.PLATFORM_SANDBOX_URL !== undefined,
    queue: createMessageSender(sqs, settings.ACCEPTED_QUEUE_URL),
    random: systemRandom,
    count: (metric, value = 1) => logger.warn({ metric, value }, 'counted'),
    pause: systemPause,
  });
  const handle = functionUrlHandler(app, base.answered, base.finished);
  return (event) => handle(event as FunctionUrlEvent);
}
