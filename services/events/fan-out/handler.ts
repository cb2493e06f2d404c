import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createPlatformSenders } from '#lib/adapters/sqs/platform-senders.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { EVENT_TABLES, eventTables } from '#lib/functions/event-tables.ts';
import { createFunctionBase, type FunctionHandler, stageFunction } from '#lib/functions/function-base.ts';
import type { DeliveryMessage } from '../deliver/message.ts';
import { normalizedMessageSchema } from './message.ts';
import { createFanOutStage } from './stage.ts';

const variables = environment.pick({ ...EVENT_TABLES, DELIVERY_QUEUE_URLS: true });

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('fan-out', settings);
  const senderOf = createPlatformSenders<DeliveryMessage>(
    createSqsClient({ attempts: 1 }),
    settings.DELIVERY_QUEUE_URLS,
  );
  const stage = createFanOutStage({
    ...eventTables(base, settings),
    deliveries: (slug) => {
      const sender = senderOf(slug);
      if (sender === null) throw new Error(`DELIVERY_QUEUE_URLS names no queue for ${slug}`);
      return sender;
    },
    platforms: PLATFORMS,
  });
  return stageFunction('fan-out', base, normalizedMessageSchema, stage);
}
