import { systemClock } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { stageHandler } from '#lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '#lib/adapters/logger/batch-line.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createQuarantineLog, createReport } from '#lib/adapters/logger/quarantine.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import type { DeliveryMessage } from '../deliver/message.ts';
import { normalizedMessageSchema } from './message.ts';
import { createFanOutStage } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  BATCHES_TABLE: true,
  RETENTION_DAYS_MAX: true,
  DELIVERY_QUEUE_URLS: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'fan-out' } });
  const report = createReport(logger);
  const db = createDocumentClient();
  const quarantine = createQuarantineLog(logger, systemClock.now);
  const sqs = createSqsClient({ attempts: 1 });
  const senders = new Map<string, MessageSender<DeliveryMessage>>(
    Object.entries(settings.DELIVERY_QUEUE_URLS).map(([slug, url]) => [slug, createMessageSender(sqs, url)]),
  );
  const stage = createFanOutStage({
    report,
    events: createEventStore(db, settings.EVENTS_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    batches: createBatchStore(db, settings.BATCHES_TABLE, quarantine, settings.RETENTION_DAYS_MAX),
    deliveries: (slug) => {
      const sender = senders.get(slug);
      if (sender === undefined) throw new Error(`DELIVERY_QUEUE_URLS names no queue for ${slug}`);
      return sender;
    },
    platforms: PLATFORMS,
    clock: systemClock,
  });
  const log = createBatchLog(logger, { stage: 'fan-out', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(normalizedMessageSchema, stage, log, systemClock.now, report);
}
