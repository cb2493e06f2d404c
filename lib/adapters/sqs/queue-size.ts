import { GetQueueAttributesCommand, type QueueAttributeName, type SQSClient } from '@aws-sdk/client-sqs';

const COUNTS = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const satisfies readonly QueueAttributeName[];

/** Messages in a queue, near enough: to be received, in work, or put off. */
export async function queueSize(sqs: Pick<SQSClient, 'send'>, QueueUrl: string): Promise<number> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...COUNTS] }),
  );
  return COUNTS.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
}
