import { systemClock } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createDayKeyStore } from '#lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createMerchantStore, merchantIds } from '#lib/adapters/dynamodb/core/tenancy/merchants.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { createErasureStore } from '#lib/adapters/dynamodb/events/tasks/erasure-store.ts';
import { createReconciliationStore } from '#lib/adapters/dynamodb/events/tasks/reconciliation-store.ts';
import { stageHandler } from '#lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '#lib/adapters/logger/batch-line.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createItemQuarantine, createQuarantineLog, createReport } from '#lib/adapters/logger/quarantine.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { beginAudit } from './list-merchants.ts';
import { auditMessageSchema } from './message.ts';
import { createReconcileStage } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  BATCHES_TABLE: true,
  RETENTION_DAYS_MAX: true,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  COUNTER_REFRESH_QUEUE_URL: true,
  AUDIT_QUEUE_URL: true,
  TASK_WORK_QUEUE_URL: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({
    level: logLevelFrom(settings.LOG_LEVEL),
    bindings: { service: 'reconcile' },
  });
  const setAside = createItemQuarantine(logger, systemClock.now);
  const report = createReport(logger);
  const db = createDocumentClient();
  const sqs = createSqsClient();
  const quarantine = createQuarantineLog(logger, systemClock.now);
  const ports = {
    events: createEventStore(db, settings.EVENTS_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    batches: createBatchStore(db, settings.BATCHES_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    counters: createCounterStore(db, settings.ANALYTICS_TABLE),
    counterRefresh: createMessageSender<never>(sqs, settings.COUNTER_REFRESH_QUEUE_URL),
    audits: createMessageSender<never>(sqs, settings.AUDIT_QUEUE_URL, { fair: false }),
    merchantIds: (after?: string) => merchantIds(db, settings.CONFIG_TABLE, setAside, after),
    merchant: createMerchantStore(db, settings.CONFIG_TABLE).merchant,
    dayKeys: createDayKeyStore(db, settings.CONFIG_TABLE),
    erasures: createErasureStore(db, settings.CONFIG_TABLE, setAside),
    reconciliations: createReconciliationStore(db, settings.CONFIG_TABLE, setAside),
    taskWork: createMessageSender<never>(sqs, settings.TASK_WORK_QUEUE_URL),
    platforms: PLATFORMS,
    clock: systemClock,
    retentionDaysMax: settings.RETENTION_DAYS_MAX,
    report,
  };
  const stage = createReconcileStage(ports, (found) => {
    // The alarm reads `drift` from this line.
    const isQuiet = found.drift + found.failed + found.failedErasures === 0;
    logger[isQuiet ? 'info' : 'warn'](found, 'reconciled');
  });
  const log = createBatchLog(logger, { stage: 'reconcile', intervalMs: 60_000, now: systemClock.now });
  const work = stageHandler(auditMessageSchema, stage, log, systemClock.now, report);
  // Two sources: the schedule, once an hour, and the queue.
  return (event) => (isBatch(event) ? work(event) : beginAudit(ports));
}

const isBatch = (event: unknown): boolean =>
  Array.isArray((event as { readonly Records?: unknown } | null)?.Records);
