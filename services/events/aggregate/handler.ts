import { systemClock } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { createShardStore } from '#lib/adapters/dynamodb/events/shard-store.ts';
import { stageHandler } from '#lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '#lib/adapters/logger/batch-line.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createItemQuarantine, createQuarantineLog, createReport } from '#lib/adapters/logger/quarantine.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { counterRefreshMessageSchema } from './message.ts';
import { createAggregateStage } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  BATCHES_TABLE: true,
  RETENTION_DAYS_MAX: true,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  ACCEPTED_QUEUE_URL: true,
  NORMALIZED_QUEUE_URL: true,
  COUNTER_REFRESH_QUEUE_URL: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({
    level: logLevelFrom(settings.LOG_LEVEL),
    bindings: { service: 'aggregate' },
  });
  const setAside = createItemQuarantine(logger, systemClock.now);
  const report = createReport(logger);
  const db = createDocumentClient();
  const quarantine = createQuarantineLog(logger, systemClock.now);
  const sqs = createSqsClient();
  const stage = createAggregateStage({
    events: createEventStore(db, settings.EVENTS_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    batches: createBatchStore(db, settings.BATCHES_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    counters: createCounterStore(db, settings.ANALYTICS_TABLE),
    config: createConnectionStore(db, settings.CONFIG_TABLE, setAside),
    shards: createShardStore(db, settings.CONFIG_TABLE),
    accepted: createMessageSender(sqs, settings.ACCEPTED_QUEUE_URL),
    normalized: createMessageSender(sqs, settings.NORMALIZED_QUEUE_URL, { fair: false }),
    counterRefresh: createMessageSender(sqs, settings.COUNTER_REFRESH_QUEUE_URL),
    platforms: PLATFORMS,
    clock: systemClock,
    report,
  });
  const log = createBatchLog(logger, { stage: 'aggregate', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(counterRefreshMessageSchema, stage, log, systemClock.now, report);
}
