import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createRunLeases } from '#lib/adapters/dynamodb/core/run-leases.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { stageHandler } from '#lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '#lib/adapters/logger/batch-line.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createItemQuarantine, createQuarantineLog, createReport } from '#lib/adapters/logger/quarantine.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { createPlatformSenders } from '#lib/adapters/sqs/platform-senders.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { dueWorkSchema } from './message.ts';
import { createDrainStage } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  BATCHES_TABLE: true,
  RETENTION_DAYS_MAX: true,
  CONFIG_TABLE: true,
  RATES_TABLE: true,
  NORMALIZED_QUEUE_URL: true,
  DELIVERY_QUEUE_URLS: true,
  DUE_WORK_QUEUE_URL: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'drain' } });
  const setAside = createItemQuarantine(logger, systemClock.now);
  const report = createReport(logger);
  const db = createDocumentClient();
  const sqs = createSqsClient();
  const quarantine = createQuarantineLog(logger, systemClock.now);
  const stage = createDrainStage({
    events: createEventStore(db, settings.EVENTS_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    batches: createBatchStore(db, settings.BATCHES_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    config: createConnectionStore(db, settings.CONFIG_TABLE, setAside),
    leases: createRunLeases(db, settings.RATES_TABLE),
    normalized: createMessageSender(sqs, settings.NORMALIZED_QUEUE_URL, { fair: false }),
    deliveries: createPlatformSenders(sqs, settings.DELIVERY_QUEUE_URLS),
    work: createMessageSender(sqs, settings.DUE_WORK_QUEUE_URL),
    clock: systemClock,
    random: systemRandom,
    report,
  });
  const log = createBatchLog(logger, { stage: 'drain', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(dueWorkSchema, stage, log, systemClock.now, report);
}
