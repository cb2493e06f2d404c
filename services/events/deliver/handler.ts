import { setTimeout as pause } from 'node:timers/promises';
import { systemClock, systemPause, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createLeaseStore } from '#lib/adapters/dynamodb/core/lease-store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/events/merchants.ts';
import { createOrderStore } from '#lib/adapters/dynamodb/events/order-store.ts';
import { rememberMerchants } from '#lib/adapters/dynamodb/events/remembered-merchants.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createPlatformPauseStore } from '#lib/adapters/dynamodb/events/routing/platform-pauses.ts';
import { createTransport } from '#lib/adapters/http/transport.ts';
import { createDeliveryLines } from '#lib/adapters/logger/delivery-lines.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { withPausedPlatforms } from '#lib/events/pipeline/connections/paused-platforms.ts';
import { createBucketMarker } from '#lib/events/pipeline/counting/due-buckets.ts';
import { deployedPlatforms } from '#lib/functions/deployed-platforms.ts';
import { EVENT_TABLES } from '#lib/functions/event-tables.ts';
import { eventVaults, VAULT_VARIABLES } from '#lib/functions/event-vaults.ts';
import {
  createFunctionBase,
  type FunctionBase,
  type FunctionHandler,
  stageFunction,
} from '#lib/functions/function-base.ts';
import { pagedTables } from '#lib/functions/paged-tables.ts';
import { SOCKETS_MAX } from './in-flight.ts';
import { deliveryMessageSchema } from './message.ts';
import type { DeliverPorts } from './ports.ts';
import { createDeliverStage } from './stage.ts';

/** What to pick from the environment to send to platforms. */
export const DELIVERY_VARIABLES = {
  ...EVENT_TABLES,
  PLATFORMS: true,
  ...VAULT_VARIABLES,
  COUNTER_REFRESH_QUEUE_URL: true,
  TASK_WORK_QUEUE_URL: true,
  RATES_TABLE: true,
  ANALYTICS_TABLE: true,
  PLATFORM_SANDBOX_URL: true,
} as const;
const variables = environment.pick(DELIVERY_VARIABLES);

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('deliver', settings);
  const stage = createDeliverStage(await deliverPorts(base, settings));
  return stageFunction('deliver', base, deliveryMessageSchema, stage);
}

/** Of a function that sends to platforms. */
export async function deliverPorts(
  base: FunctionBase,
  settings: ReturnType<typeof readEnvironment<typeof variables>>,
) {
  const { db, logger, quarantine, signalling } = base;
  const sqs = createSqsClient();
  return {
    ...pagedTables(base, settings),
    ...(await eventVaults(base, settings)),
    orders: createOrderStore(db, settings.ANALYTICS_TABLE, quarantine.items),
    config: {
      ...withPausedPlatforms(
        createConnectionStore(db, settings.CONFIG_TABLE, quarantine.items),
        createPlatformPauseStore(db, settings.CONFIG_TABLE),
        systemClock,
      ),
      merchant: rememberMerchants(createMerchantStore(db, settings.CONFIG_TABLE, 'eventual'), systemClock)
        .merchant,
    },
    transport: createTransport({
      connections: SOCKETS_MAX,
      ...(settings.PLATFORM_SANDBOX_URL === undefined ? {} : { sandboxUrl: settings.PLATFORM_SANDBOX_URL }),
    }),
    counterRefresh: createMessageSender(sqs, settings.COUNTER_REFRESH_QUEUE_URL),
    quotas: createLeaseStore(db, settings.RATES_TABLE),
    slots: createBucketMarker(createCounterStore(db, settings.ANALYTICS_TABLE), systemClock),
    platforms: deployedPlatforms(settings.PLATFORMS),
    random: systemRandom,
    // Never what keeps a process alive.
    pause: (ms) => pause(ms, undefined, { ref: false }),
    wait: systemPause,
    taskWork: createMessageSender(sqs, settings.TASK_WORK_QUEUE_URL),
    signals: createDeliveryLines(logger, signalling),
  } satisfies DeliverPorts;
}
