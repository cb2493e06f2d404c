import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createLeaseStore } from '#lib/adapters/dynamodb/core/lease-store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/events/merchants.ts';
import { createRoutingStore } from '#lib/adapters/dynamodb/events/routing/store.ts';
import { createReplayStore } from '#lib/adapters/dynamodb/events/tasks/replay-store.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { createBucketMarker } from '#lib/events/pipeline/counting/due-buckets.ts';
import { createJoinedEventStore } from '#lib/events/pipeline/outcomes-of-batches.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { EVENT_TABLES } from '#lib/functions/event-tables.ts';
import { eventVaults, VAULT_VARIABLES } from '#lib/functions/event-vaults.ts';
import { createFunctionBase, type FunctionHandler, stageFunction } from '#lib/functions/function-base.ts';
import { pagedTables } from '#lib/functions/paged-tables.ts';
import { createDailyLimit } from './daily-limit.ts';
import { replayWorkSchema } from './message.ts';
import { createReplayStage } from './stage.ts';

const variables = environment.pick({
  ...EVENT_TABLES,
  ...VAULT_VARIABLES,
  RATES_TABLE: true,
  REPLAYS_PER_DAY_MAX: true,
  ANALYTICS_TABLE: true,
  ACCEPTED_QUEUE_URL: true,
  REPLAYS_QUEUE_URL: true,
});

/** Longer than an invocation may take. */
const COMMIT_MS = 90_000;

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('replay', settings);
  const { db, quarantine } = base;
  const sqs = createSqsClient();
  const tables = pagedTables(base, settings);
  const counters = createCounterStore(db, settings.ANALYTICS_TABLE);
  const stage = createReplayStage({
    ...tables,
    ...(await eventVaults(base, settings)),
    replays: createReplayStore(db, settings.CONFIG_TABLE, quarantine.items),
    events: createJoinedEventStore(tables.events, tables.batches),
    counters,
    slots: createBucketMarker(counters, systemClock, COMMIT_MS),
    config: {
      ...createRoutingStore(db, settings.CONFIG_TABLE, quarantine.items),
      ...createMerchantStore(db, settings.CONFIG_TABLE),
    },
    accepted: createMessageSender(sqs, settings.ACCEPTED_QUEUE_URL),
    work: createMessageSender(sqs, settings.REPLAYS_QUEUE_URL),
    daily: createDailyLimit(createLeaseStore(db, settings.RATES_TABLE), settings.REPLAYS_PER_DAY_MAX),
    platforms: PLATFORMS,
    random: systemRandom,
  });
  return stageFunction('replay', base, replayWorkSchema, stage);
}
