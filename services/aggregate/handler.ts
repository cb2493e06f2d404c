import { systemClock } from '../../lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '../../lib/adapters/dynamodb/client.ts';
import { createCounterStore } from '../../lib/adapters/dynamodb/counter-store.ts';
import { createEventStore } from '../../lib/adapters/dynamodb/event-store.ts';
import { stageHandler } from '../../lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '../../lib/adapters/logger/batch-line.ts';
import { createLogger, logLevelFrom } from '../../lib/adapters/logger/logger.ts';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { createOutbox } from '../../lib/adapters/sqs/outbox.ts';
import { environment, type RawEnvironment, readEnvironment } from '../../lib/domain/environment.ts';
import { PLATFORMS } from '../../lib/platforms/registry.ts';
import { dirtySlotsSchema } from './message.ts';
import { createAggregateStage } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  ANALYTICS_TABLE: true,
  ACCEPTED_QUEUE_URL: true,
  NORMALIZED_QUEUE_URL: true,
  OUTCOMES_QUEUE_URL: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({
    level: logLevelFrom(settings.LOG_LEVEL),
    bindings: { service: 'aggregate' },
  });
  const db = createDocumentClient();
  const sqs = createSqsClient();
  const stage = createAggregateStage({
    events: createEventStore(db, settings.EVENTS_TABLE),
    counters: createCounterStore(db, settings.ANALYTICS_TABLE),
    accepted: createOutbox(sqs, settings.ACCEPTED_QUEUE_URL),
    normalized: createOutbox(sqs, settings.NORMALIZED_QUEUE_URL),
    outcomes: createOutbox(sqs, settings.OUTCOMES_QUEUE_URL),
    platforms: PLATFORMS,
    clock: systemClock,
    report: (problem, error) => logger.error({ err: error }, problem),
  });
  const log = createBatchLog(logger, { stage: 'aggregate', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(dirtySlotsSchema, stage, log, systemClock.now);
}
