import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createRunLeases } from '#lib/adapters/dynamodb/core/run-leases.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createPlatformPauseStore } from '#lib/adapters/dynamodb/events/routing/platform-pauses.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { createPlatformSenders } from '#lib/adapters/sqs/platform-senders.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { withPausedPlatforms } from '#lib/events/pipeline/connections/paused-platforms.ts';
import { deployedPlatforms } from '#lib/functions/deployed-platforms.ts';
import { EVENT_TABLES, eventTables } from '#lib/functions/event-tables.ts';
import { createFunctionBase, type FunctionHandler, stageFunction } from '#lib/functions/function-base.ts';
import { dueWorkSchema } from './message.ts';
import { createDrainStage } from './stage.ts';

const variables = environment.pick({
  ...EVENT_TABLES,
  PLATFORMS: true,
  CONFIG_TABLE: true,
  RATES_TABLE: true,
  NORMALIZED_QUEUE_URL: true,
  DELIVERY_QUEUE_URLS: true,
  DUE_WORK_QUEUE_URL: true,
});

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('drain', settings);
  const sqs = createSqsClient();
  const stage = createDrainStage({
    ...eventTables(base, settings),
    config: withPausedPlatforms(
      createConnectionStore(base.db, settings.CONFIG_TABLE, base.quarantine.items),
      createPlatformPauseStore(base.db, settings.CONFIG_TABLE),
      systemClock,
    ),
    leases: createRunLeases(base.db, settings.RATES_TABLE),
    normalized: createMessageSender(sqs, settings.NORMALIZED_QUEUE_URL, { fair: false }),
    deliveries: createPlatformSenders(sqs, settings.DELIVERY_QUEUE_URLS),
    platforms: deployedPlatforms(settings.PLATFORMS),
    work: createMessageSender(sqs, settings.DUE_WORK_QUEUE_URL),
    random: systemRandom,
  });
  return stageFunction('drain', base, dueWorkSchema, stage);
}
