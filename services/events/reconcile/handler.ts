import { systemClock } from '../../../lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '../../../lib/adapters/dynamodb/core/client.ts';
import { merchantIds } from '../../../lib/adapters/dynamodb/core/merchant-ids.ts';
import { createCounterStore } from '../../../lib/adapters/dynamodb/events/counter-store.ts';
import { createEventStore } from '../../../lib/adapters/dynamodb/events/event-store.ts';
import { createLogger, logLevelFrom } from '../../../lib/adapters/logger/logger.ts';
import { createSqsClient } from '../../../lib/adapters/sqs/client.ts';
import { createMessageSender } from '../../../lib/adapters/sqs/message-sender.ts';
import { environment, type RawEnvironment, readEnvironment } from '../../../lib/events/domain/environment.ts';
import { PLATFORMS } from '../../../lib/events/platforms/registry.ts';
import { runReconcile } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  COUNTER_REFRESH_QUEUE_URL: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({
    level: logLevelFrom(settings.LOG_LEVEL),
    bindings: { service: 'reconcile' },
  });
  const db = createDocumentClient();
  const ports = {
    events: createEventStore(db, settings.EVENTS_TABLE),
    counters: createCounterStore(db, settings.ANALYTICS_TABLE),
    counterRefresh: createMessageSender(createSqsClient(), settings.COUNTER_REFRESH_QUEUE_URL),
    merchants: () => merchantIds(db, settings.CONFIG_TABLE),
    platforms: PLATFORMS,
    clock: systemClock,
  };
  return async () => {
    const report = await runReconcile(ports);
    // The alarm reads `drift` from this line.
    logger[report.drift === 0 ? 'info' : 'warn'](report, 'reconciled');
    return report;
  };
}
