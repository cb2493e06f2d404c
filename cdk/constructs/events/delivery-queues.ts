// The queues of the platforms, as one variable: slug → address.
import type { Stack } from 'aws-cdk-lib';
import { ENV } from '#lib/events/domain/topology.ts';
import { type QueueWithDlq, sendTo } from '../queue-with-dlq.ts';
import type { Access } from '../stage-function.ts';

/** Platform slug → its queue. */
export type DeliveryQueues = ReadonlyMap<string, QueueWithDlq>;

export function deliveryQueueUrls(stack: Stack, queues: DeliveryQueues): string {
  return stack.toJsonString(
    Object.fromEntries([...queues].map(([slug, { queue }]) => [slug, queue.queueUrl])),
  );
}

export function deliverySenders(stack: Stack, queues: DeliveryQueues): Access {
  return {
    environment: { [ENV.deliveryQueueUrls]: deliveryQueueUrls(stack, queues) },
    statements: sendTo([...queues.values()].map(({ queue }) => queue)),
  };
}
