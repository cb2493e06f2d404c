import { GetQueueAttributesCommand, type QueueAttributeName, type SQSClient } from '@aws-sdk/client-sqs';

const FIGURES = {
  waiting: 'ApproximateNumberOfMessages',
  inFlight: 'ApproximateNumberOfMessagesNotVisible',
  delayed: 'ApproximateNumberOfMessagesDelayed',
} as const satisfies Readonly<Record<string, QueueAttributeName>>;

/** Messages, near enough: to be received, in work, or put off. */
export type QueueFigures = Readonly<Record<keyof typeof FIGURES, number>>;

export async function queueFigures(sqs: Pick<SQSClient, 'send'>, QueueUrl: string): Promise<QueueFigures> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: Object.values(FIGURES) }),
  );
  const of = (name: keyof typeof FIGURES): number => Number(Attributes[FIGURES[name]] ?? 0);
  return { waiting: of('waiting'), inFlight: of('inFlight'), delayed: of('delayed') };
}

/** All messages in a queue, near enough. */
export async function queueSize(sqs: Pick<SQSClient, 'send'>, url: string): Promise<number> {
  const { waiting, inFlight, delayed } = await queueFigures(sqs, url);
  return waiting + inFlight + delayed;
}
