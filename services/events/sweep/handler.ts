import { systemClock } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { createReplayStore } from '#lib/adapters/dynamodb/events/tasks/replay-store.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createItemQuarantine, createQuarantineLog, createReport } from '#lib/adapters/logger/quarantine.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { createPlatformSenders } from '#lib/adapters/sqs/platform-senders.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { resumePlans } from '#lib/events/pipeline/recovery/resume-plans.ts';
import { runSweep } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  BATCHES_TABLE: true,
  RETENTION_DAYS_MAX: true,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  NORMALIZED_QUEUE_URL: true,
  COUNTER_REFRESH_QUEUE_URL: true,
  DELIVERY_QUEUE_URLS: true,
  DUE_WORK_QUEUE_URL: true,
  REPLAYS_QUEUE_URL: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'sweep' } });
  const setAside = createItemQuarantine(logger, systemClock.now);
  const db = createDocumentClient();
  const quarantine = createQuarantineLog(logger, systemClock.now);
  const sqs = createSqsClient();
  const ports = {
    events: createEventStore(db, settings.EVENTS_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    batches: createBatchStore(db, settings.BATCHES_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    counters: createCounterStore(db, settings.ANALYTICS_TABLE),
    config: createConnectionStore(db, settings.CONFIG_TABLE, setAside),
    normalized: createMessageSender(sqs, settings.NORMALIZED_QUEUE_URL, { fair: false }),
    deliveries: createPlatformSenders(sqs, settings.DELIVERY_QUEUE_URLS),
    work: createMessageSender(sqs, settings.DUE_WORK_QUEUE_URL),
    counterRefresh: createMessageSender(sqs, settings.COUNTER_REFRESH_QUEUE_URL),
    clock: systemClock,
    report: createReport(logger),
  };
  const plans = {
    replays: createReplayStore(db, settings.CONFIG_TABLE, setAside),
    replayWork: createMessageSender(sqs, settings.REPLAYS_QUEUE_URL),
    report: ports.report,
  };
  return async () => {
    const [swept, replays] = await Promise.all([runSweep(ports), resumePlans(plans)]);
    const report = { ...swept, replays };
    if (report.rows + report.batches + report.slots + report.replays > 0) logger.info(report, 'swept');
    return report;
  };
}
