import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createPlatformSenders } from '#lib/adapters/sqs/platform-senders.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { createFunctionBase, type FunctionHandler, stageFunction } from '#lib/functions/function-base.ts';
import { DELIVERY_VARIABLES, deliverPorts } from '../deliver/handler.ts';
import type { DeliveryMessage } from '../deliver/message.ts';
import { createDeliverStage } from '../deliver/stage.ts';
import { normalizedMessageSchema } from './message.ts';
import { createFanOutStage } from './stage.ts';

const variables = environment.pick({
  ...DELIVERY_VARIABLES,
  DELIVERY_QUEUE_URLS: true,
});

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('fan-out', settings);
  const senderOf = createPlatformSenders<DeliveryMessage>(
    createSqsClient({ attempts: 1 }),
    settings.DELIVERY_QUEUE_URLS,
  );
  const ports = await deliverPorts(base, settings);
  const stage = createFanOutStage({
    ...ports,
    deliveries: (slug) => {
      const sender = senderOf(slug);
      if (sender === null) throw new Error(`DELIVERY_QUEUE_URLS names no queue for ${slug}`);
      return sender;
    },
    express: createDeliverStage(ports),
  });
  return stageFunction('fan-out', base, normalizedMessageSchema, stage);
}
