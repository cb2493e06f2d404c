// Sends messages to one queue, ten to a request.
import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Outbox } from '../../ports/queue.ts';

const ENTRIES_MAX = 10;
/** SQS counts the bodies of a batch together. */
const BATCH_SIZE_MAX_BYTES = 240_000;

export function createOutbox<Message>(client: SQSClient, queueUrl: string): Outbox<Message> {
  return {
    async send(messages, options) {
      const delay = options?.delaySec === undefined ? {} : { DelaySeconds: options.delaySec };
      for (const batch of batches(
        messages.map(({ body, groupId }) => ({ text: JSON.stringify(body), groupId })),
      )) {
        const [only] = batch;
        if (only !== undefined && batch.length === 1) {
          await client.send(
            new SendMessageCommand({
              QueueUrl: queueUrl,
              MessageBody: only.text,
              MessageGroupId: only.groupId,
              ...delay,
            }),
          );
          continue;
        }
        const entries = batch.map(
          ({ text, groupId }, i): SendMessageBatchRequestEntry => ({
            Id: String(i),
            MessageBody: text,
            MessageGroupId: groupId,
            ...delay,
          }),
        );
        const answer = await client.send(
          new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }),
        );
        const [failed] = answer.Failed ?? [];
        if (failed !== undefined) throw new Error(`SQS did not take a message: ${failed.Code ?? 'unknown'}`);
      }
    },
  };
}

function batches<T extends { readonly text: string }>(messages: readonly T[]): T[][] {
  const out: T[][] = [];
  let batch: T[] = [];
  let sizeBytes = 0;
  for (const message of messages) {
    const messageBytes = Buffer.byteLength(message.text);
    if (
      batch.length === ENTRIES_MAX ||
      (batch.length > 0 && sizeBytes + messageBytes > BATCH_SIZE_MAX_BYTES)
    ) {
      out.push(batch);
      batch = [];
      sizeBytes = 0;
    }
    batch.push(message);
    sizeBytes += messageBytes;
  }
  if (batch.length > 0) out.push(batch);
  return out;
}
