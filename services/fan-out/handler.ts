import { systemClock } from '../../lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '../../lib/adapters/dynamodb/client.ts';
import { createEventStore } from '../../lib/adapters/dynamodb/event-store.ts';
import { stageHandler } from '../../lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '../../lib/adapters/logger/batch-line.ts';
import { createLogger, logLevelFrom } from '../../lib/adapters/logger/logger.ts';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { createOutbox } from '../../lib/adapters/sqs/outbox.ts';
import { environment, type RawEnvironment, readEnvironment } from '../../lib/domain/environment.ts';
import { PLATFORMS } from '../../lib/platforms/registry.ts';
import type { Outbox } from '../../lib/ports/queue.ts';
import type { DeliveryMessage } from '../deliver/message.ts';
import { normalizedMessageSchema } from './message.ts';
import { createFanOutStage } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  DELIVERY_QUEUE_URLS: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'fan-out' } });
  const db = createDocumentClient();
  const sqs = createSqsClient({ attempts: 1 });
  const outboxes = new Map<string, Outbox<DeliveryMessage>>(
    Object.entries(settings.DELIVERY_QUEUE_URLS).map(([slug, url]) => [slug, createOutbox(sqs, url)]),
  );
  const stage = createFanOutStage({
    events: createEventStore(db, settings.EVENTS_TABLE),
    deliveries: (slug) => {
      const outbox = outboxes.get(slug);
      if (outbox === undefined) throw new Error(`DELIVERY_QUEUE_URLS names no queue for ${slug}`);
      return outbox;
    },
    platforms: PLATFORMS,
    clock: systemClock,
  });
  const log = createBatchLog(logger, { stage: 'fan-out', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(normalizedMessageSchema, stage, log, systemClock.now);
}
