import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createOrderStore } from '#lib/adapters/dynamodb/events/order-store.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createShardStore } from '#lib/adapters/dynamodb/events/shard-store.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { EVENT_TABLES } from '#lib/functions/event-tables.ts';
import { createFunctionBase, type FunctionHandler, stageFunction } from '#lib/functions/function-base.ts';
import { pagedTables } from '#lib/functions/paged-tables.ts';
import { counterRefreshMessageSchema } from './message.ts';
import { createAggregateStage } from './stage.ts';

const variables = environment.pick({
  ...EVENT_TABLES,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  ACCEPTED_QUEUE_URL: true,
  NORMALIZED_QUEUE_URL: true,
  COUNTER_REFRESH_QUEUE_URL: true,
  TASK_WORK_QUEUE_URL: true,
});

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('aggregate', settings);
  const { db, quarantine } = base;
  const sqs = createSqsClient();
  const stage = createAggregateStage({
    ...pagedTables(base, settings),
    counters: createCounterStore(db, settings.ANALYTICS_TABLE),
    orders: createOrderStore(db, settings.ANALYTICS_TABLE, quarantine.items),
    config: createConnectionStore(db, settings.CONFIG_TABLE, quarantine.items),
    shards: createShardStore(db, settings.CONFIG_TABLE),
    accepted: createMessageSender(sqs, settings.ACCEPTED_QUEUE_URL),
    normalized: createMessageSender(sqs, settings.NORMALIZED_QUEUE_URL, { fair: false }),
    counterRefresh: createMessageSender(sqs, settings.COUNTER_REFRESH_QUEUE_URL),
    taskWork: createMessageSender(sqs, settings.TASK_WORK_QUEUE_URL),
    platforms: PLATFORMS,
    waiting: base.waiting,
  });
  return stageFunction('aggregate', base, counterRefreshMessageSchema, stage);
}
