import { systemClock } from '../../lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '../../lib/adapters/dynamodb/client.ts';
import { createCounterStore } from '../../lib/adapters/dynamodb/counter-store.ts';
import { createEventStore } from '../../lib/adapters/dynamodb/event-store.ts';
import { merchantIds } from '../../lib/adapters/dynamodb/merchant-ids.ts';
import { createLogger, logLevelFrom } from '../../lib/adapters/logger/logger.ts';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { createOutbox } from '../../lib/adapters/sqs/outbox.ts';
import { environment, type RawEnvironment, readEnvironment } from '../../lib/domain/environment.ts';
import { PLATFORMS } from '../../lib/platforms/registry.ts';
import { runAudit } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  OUTCOMES_QUEUE_URL: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'audit' } });
  const db = createDocumentClient();
  const ports = {
    events: createEventStore(db, settings.EVENTS_TABLE),
    counters: createCounterStore(db, settings.ANALYTICS_TABLE),
    outcomes: createOutbox(createSqsClient(), settings.OUTCOMES_QUEUE_URL),
    merchants: () => merchantIds(db, settings.CONFIG_TABLE),
    platforms: PLATFORMS,
    clock: systemClock,
  };
  return async () => {
    const report = await runAudit(ports);
    logger[report.drift === 0 ? 'info' : 'warn'](report, 'audited');
    return report;
  };
}
