import { setTimeout as pause } from 'node:timers/promises';
import { isBot } from '../../../lib/adapters/bots/user-agent.ts';
import { systemClock, systemRandom } from '../../../lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '../../../lib/adapters/dynamodb/core/client.ts';
import { createRateLimiter } from '../../../lib/adapters/dynamodb/core/rate-limiter.ts';
import { rememberConfig } from '../../../lib/adapters/dynamodb/events/config-cache.ts';
import { createConfigStore } from '../../../lib/adapters/dynamodb/events/config-store.ts';
import { createCounterStore } from '../../../lib/adapters/dynamodb/events/counter-store.ts';
import { createEventStore } from '../../../lib/adapters/dynamodb/events/event-store.ts';
import { type FunctionUrlEvent, functionUrlHandler } from '../../../lib/adapters/lambda/function-url.ts';
import { createLogger, logLevelFrom } from '../../../lib/adapters/logger/logger.ts';
import { createQuarantineLog } from '../../../lib/adapters/logger/quarantine.ts';
import { createSqsClient } from '../../../lib/adapters/sqs/client.ts';
import { createMessageSender } from '../../../lib/adapters/sqs/message-sender.ts';
import { environment, type RawEnvironment, readEnvironment } from '../../../lib/events/domain/environment.ts';
import { createSlotMarker } from '../../../lib/events/pipeline/counting/due-slots.ts';
import { createIngestionApp } from './app.ts';
import { RATE_LIMIT } from './browser-path.ts';
import { PIXEL_ETAG, PIXEL_JS } from './pixel-bundle.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  RATES_TABLE: true,
  ACCEPTED_QUEUE_URL: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({
    level: logLevelFrom(settings.LOG_LEVEL),
    bindings: { service: 'ingestion' },
  });
  const db = createDocumentClient();
  const wait = async (ms: number): Promise<void> => {
    await pause(ms);
  };
  const app = createIngestionApp({
    events: createEventStore(db, settings.EVENTS_TABLE, createQuarantineLog(logger, systemClock.now)),
    slots: createSlotMarker(createCounterStore(db, settings.ANALYTICS_TABLE), systemClock),
    config: rememberConfig(createConfigStore(db, settings.CONFIG_TABLE), systemClock),
    rates: createRateLimiter(db, settings.RATES_TABLE, RATE_LIMIT, wait),
    queue: createMessageSender(createSqsClient(), settings.ACCEPTED_QUEUE_URL),
    clock: systemClock,
    random: systemRandom,
    isBot,
    pixel: { javascript: PIXEL_JS, etag: PIXEL_ETAG },
    count: (metric, value = 1) => logger.warn({ metric, value }, 'counted'),
    pause: wait,
    report: (problem, error) => logger.error({ err: error }, problem),
  });
  const handle = functionUrlHandler(app);
  return (event) => handle(event as FunctionUrlEvent);
}
