// An event source as Lambda runs it: batches of a size, deleted once the function took them.
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SqsRecord } from '../../lib/adapters/lambda/sqs-batch.ts';

const MESSAGES_PER_REQUEST = 10;

/** Until the queue is empty. `work` answers how many messages failed; one is too many. */
export async function drainQueue(
  sqs: SQSClient,
  { queueUrl: QueueUrl, batchSize }: { readonly queueUrl: string; readonly batchSize: number },
  work: (records: readonly SqsRecord[]) => Promise<number>,
): Promise<void> {
  for (;;) {
    const batch: Message[] = [];
    while (batch.length < batchSize) {
      const { Messages: messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: Math.min(batchSize - batch.length, MESSAGES_PER_REQUEST),
          WaitTimeSeconds: 0,
          MessageSystemAttributeNames: ['All'],
        }),
      );
      if (messages.length === 0) break;
      batch.push(...messages);
    }
    if (batch.length === 0) return;
    const failed = await work(batch.map(toRecord));
    if (failed > 0) throw new Error(`${QueueUrl} failed ${failed} messages`);
    for (let at = 0; at < batch.length; at += MESSAGES_PER_REQUEST) {
      const Entries = batch
        .slice(at, at + MESSAGES_PER_REQUEST)
        .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    }
  }
}

const toRecord = ({ MessageId = '', Body = '', Attributes }: Message): SqsRecord => ({
  messageId: MessageId,
  body: Body,
  attributes: {
    ApproximateReceiveCount: Attributes?.ApproximateReceiveCount ?? '1',
    SentTimestamp: Attributes?.SentTimestamp ?? '0',
  },
});
