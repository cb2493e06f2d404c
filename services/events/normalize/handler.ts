import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createAttributionStore } from '#lib/adapters/dynamodb/events/attribution-store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/events/merchants.ts';
import { createOrderStore } from '#lib/adapters/dynamodb/events/order-store.ts';
import { rememberMerchants } from '#lib/adapters/dynamodb/events/remembered-merchants.ts';
import { createRoutingStore } from '#lib/adapters/dynamodb/events/routing/store.ts';
import { nationalPhone } from '#lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '#lib/adapters/regions/region-codes.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { createBucketMarker } from '#lib/events/pipeline/counting/due-buckets.ts';
import { deployedPlatforms } from '#lib/functions/deployed-platforms.ts';
import { EVENT_TABLES } from '#lib/functions/event-tables.ts';
import { eventVaults, VAULT_VARIABLES } from '#lib/functions/event-vaults.ts';
import { createFunctionBase, type FunctionHandler, stageFunction } from '#lib/functions/function-base.ts';
import { pagedTables } from '#lib/functions/paged-tables.ts';
import { acceptedMessageSchema } from './message.ts';
import { createNormalizeStage } from './stage.ts';

const variables = environment.pick({
  ...EVENT_TABLES,
  PLATFORMS: true,
  ...VAULT_VARIABLES,
  ANALYTICS_TABLE: true,
  ACCEPTED_QUEUE_URL: true,
  NORMALIZED_QUEUE_URL: true,
  COUNTER_REFRESH_QUEUE_URL: true,
});

/** Longer than an invocation may take. */
const COMMIT_MS = 60_000;

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('normalize', settings);
  const { db, quarantine } = base;
  const sqs = createSqsClient({ attempts: 1 });
  const counters = createCounterStore(db, settings.ANALYTICS_TABLE);
  const stage = createNormalizeStage({
    ...pagedTables(base, settings),
    ...(await eventVaults(base, settings)),
    random: systemRandom,
    config: {
      ...createRoutingStore(db, settings.CONFIG_TABLE, quarantine.items),
      ...rememberMerchants(createMerchantStore(db, settings.CONFIG_TABLE, 'eventual'), systemClock),
    },
    attribution: createAttributionStore(db, settings.ANALYTICS_TABLE, quarantine.items),
    orders: createOrderStore(db, settings.ANALYTICS_TABLE, quarantine.items),
    slots: createBucketMarker(counters, systemClock, COMMIT_MS),
    counters,
    accepted: createMessageSender(sqs, settings.ACCEPTED_QUEUE_URL),
    normalized: createMessageSender(sqs, settings.NORMALIZED_QUEUE_URL, { fair: false }),
    counterRefresh: createMessageSender(sqs, settings.COUNTER_REFRESH_QUEUE_URL),
    lookups: { nationalPhone, countryCode, regionCode },
    platforms: deployedPlatforms(settings.PLATFORMS),
    traced: base.signalling.normalized,
  });
  return stageFunction('normalize', base, acceptedMessageSchema, stage);
}
