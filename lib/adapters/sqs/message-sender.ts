// Sends messages to one queue, ten to a request. What callers send while a request is under way shares the next one: a
// host that accepts many events at once pays for one request per ten, a lone event waits for nobody.
import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { MessageSender } from '../../core/ports/queue.ts';

const ENTRIES_MAX = 10;
/** SQS counts the bodies of a batch together. */
const BATCH_SIZE_MAX_BYTES = 240_000;
/** Requests to one queue side by side. */
const REQUESTS_MAX = 4;

interface Entry {
  readonly text: string;
  readonly groupId: string;
  readonly delaySec: number | undefined;
  readonly sent: () => void;
  readonly failed: (error: unknown) => void;
}

export function createMessageSender<Message>(
  client: Pick<SQSClient, 'send'>,
  queueUrl: string,
): MessageSender<Message> {
  const waiting: Entry[] = [];
  let running = 0;

  const pump = (): void => {
    while (running < REQUESTS_MAX && waiting.length > 0) {
      const batch = takeBatch(waiting);
      running += 1;
      void sendBatch(client, queueUrl, batch).finally(() => {
        running -= 1;
        pump();
      });
    }
  };

  return {
    async send(messages, options) {
      const sent = messages.map(
        ({ body, groupId }) =>
          new Promise<void>((resolve, reject) => {
            const text = JSON.stringify(body);
            waiting.push({ text, groupId, delaySec: options?.delaySec, sent: resolve, failed: reject });
          }),
      );
      pump();
      await Promise.all(sent);
    },
  };
}

/** The oldest entries that fit into one request. */
function takeBatch(waiting: Entry[]): Entry[] {
  let count = 0;
  let sizeBytes = 0;
  for (const entry of waiting) {
    sizeBytes += Buffer.byteLength(entry.text);
    if (count === ENTRIES_MAX || (count > 0 && sizeBytes > BATCH_SIZE_MAX_BYTES)) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** Settles every entry; never rejects. */
async function sendBatch(
  client: Pick<SQSClient, 'send'>,
  queueUrl: string,
  batch: readonly Entry[],
): Promise<void> {
  try {
    const [only] = batch;
    if (only !== undefined && batch.length === 1) {
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, ...messageOf(only) }));
      only.sent();
      return;
    }
    const entries = batch.map(
      (entry, i): SendMessageBatchRequestEntry => ({ Id: String(i), ...messageOf(entry) }),
    );
    const answer = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }));
    const refused = new Map((answer.Failed ?? []).map((failure) => [failure.Id, failure.Code]));
    batch.forEach((entry, i) => {
      if (!refused.has(String(i))) entry.sent();
      else entry.failed(new Error(`SQS did not take a message: ${refused.get(String(i)) ?? 'unknown'}`));
    });
  } catch (error) {
    for (const entry of batch) entry.failed(error);
  }
}

function messageOf(entry: Entry): { MessageBody: string; MessageGroupId: string; DelaySeconds?: number } {
  return {
    MessageBody: entry.text,
    MessageGroupId: entry.groupId,
    ...(entry.delaySec === undefined ? {} : { DelaySeconds: entry.delaySec }),
  };
}
