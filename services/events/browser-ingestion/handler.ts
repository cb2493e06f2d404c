// Ingestion without a credential, as a function of its own: however many browsers call, or whoever else, they take no
// concurrency from the merchants' servers, and hold no permission of theirs.
import { isBot } from '#lib/adapters/bots/user-agent.ts';
import { systemClock, systemPause, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createLeaseStore } from '#lib/adapters/dynamodb/core/lease-store.ts';
import { createLimitRecord } from '#lib/adapters/dynamodb/core/limits/limit-record.ts';
import { createRateLimiter } from '#lib/adapters/dynamodb/core/limits/rate-limiter.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/events/merchants.ts';
import { createRefusalStore } from '#lib/adapters/dynamodb/events/refusal-store.ts';
import { rememberMerchants } from '#lib/adapters/dynamodb/events/remembered-merchants.ts';
import { behindEdge } from '#lib/adapters/lambda/edge-address.ts';
import { type FunctionUrlEvent, functionUrlHandler } from '#lib/adapters/lambda/function-url.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import type { HttpApp } from '#lib/core/http/http-message.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { createSuspicions } from '#lib/events/pipeline/connections/suspicions.ts';
import { createBucketMarker } from '#lib/events/pipeline/counting/due-buckets.ts';
import { EVENT_TABLES, eventTables } from '#lib/functions/event-tables.ts';
import { createFunctionBase, type FunctionHandler } from '#lib/functions/function-base.ts';
import { createBrowserWindows, RATE_LIMIT } from '../ingestion/browser-limits.ts';
import { PIXEL_ETAG, PIXEL_JS } from '../ingestion/pixel-bundle.ts';
import { createShardPicker } from '../ingestion/shard-picker.ts';
import { createBrowserIngestion } from './app.ts';

const variables = environment.pick({
  ...EVENT_TABLES,
  BROWSER_EVENTS_PER_MINUTE_MAX: true,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  RATES_TABLE: true,
  ACCEPTED_QUEUE_URL: true,
  TASK_WORK_QUEUE_URL: true,
  EDGE_SECRET: true,
  EDGE_SECRET_PARAMETER: true,
  EDGE_ADDRESS_HEADER: true,
});

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('browser-ingestion', settings);
  const { db, logger } = base;
  const sqs = createSqsClient();
  // A claim that is throttled goes to another shard, or is a 503 that asks to come back.
  const atOnce = createDocumentClient({ attempts: 1, beside: db });
  const merchants = rememberMerchants(
    createMerchantStore(db, settings.CONFIG_TABLE, 'eventual'),
    systemClock,
  );
  const app = createBrowserIngestion({
    ...eventTables(base, settings, atOnce),
    slots: createBucketMarker(
      createCounterStore(atOnce, settings.ANALYTICS_TABLE),
      systemClock,
      0,
      systemRandom,
    ),
    shards: createShardPicker({ config: merchants, clock: systemClock, random: systemRandom }),
    config: merchants,
    rates: createRateLimiter(db, settings.RATES_TABLE, RATE_LIMIT, systemPause),
    windows: createBrowserWindows(
      createLeaseStore(db, settings.RATES_TABLE),
      createLimitRecord(db, settings.RATES_TABLE),
      settings.BROWSER_EVENTS_PER_MINUTE_MAX,
      createSuspicions({
        taskWork: createMessageSender(sqs, settings.TASK_WORK_QUEUE_URL),
        clock: systemClock,
        report: base.report,
      }),
    ),
    refusals: createRefusalStore(atOnce, settings.ANALYTICS_TABLE),
    queue: createMessageSender(sqs, settings.ACCEPTED_QUEUE_URL),
    random: systemRandom,
    isBot,
    pixel: { javascript: PIXEL_JS, etag: PIXEL_ETAG },
    count: (metric, value = 1) => logger.warn({ metric, value }, 'counted'),
    pause: systemPause,
  });
  const handle = functionUrlHandler(withEdge(app, settings, base.report), base.answered, base.finished);
  return (event) => handle(event as FunctionUrlEvent);
}

function withEdge(
  app: HttpApp,
  {
    EDGE_SECRET: secrets,
    EDGE_SECRET_PARAMETER: parameter,
    EDGE_ADDRESS_HEADER: addressHeader,
  }: Pick<
    ReturnType<typeof readEnvironment<typeof variables>>,
    'EDGE_SECRET' | 'EDGE_SECRET_PARAMETER' | 'EDGE_ADDRESS_HEADER'
  >,
  report: (problem: string, error: unknown) => void,
): HttpApp {
  if (parameter === undefined)
    return secrets.length === 0 ? app : behindEdge(app, { secrets, addressHeader });
  const read = async (): Promise<readonly string[]> => {
    // What only a domain needs: loaded with its first request.
    const { readParameters } = await import('#lib/adapters/ssm/parameters.ts');
    const value = (await readParameters([parameter])).get(parameter);
    if (value === undefined) throw new Error(`there is no parameter ${parameter}`);
    return value.split(',');
  };
  return behindEdge(app, { secrets, addressHeader, read: { secrets: read, now: systemClock.now, report } });
}
