// Sends messages to one queue, ten to a request. Messages that callers send while requests run share the next one: a
// host that accepts many events at once pays for one request per ten, and a single event does not wait. Guarantees: a
// body is ASCII, so that a pointer may have any id; a message that the queue refuses fails alone, not the others in its
// request.
import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { type MessageSender, SendFailure } from '../../core/ports/queue.ts';
import { asciiJson } from '../../core/values/ascii-json.ts';

const ENTRIES_MAX = 10;
/** SQS counts the bodies of a batch together. */
const BATCH_SIZE_MAX_BYTES = 240_000;
/** Concurrent requests to one queue. */
const REQUESTS_MAX = 4;

interface Entry {
  readonly text: string;
  readonly groupId: string | undefined;
  readonly delaySec: number | undefined;
  readonly sent: () => void;
  readonly failed: (error: unknown) => void;
}

export interface SenderOptions {
  /**
   * False sends messages without their group. A group makes SQS serve the other groups first when one has a backlog,
   * and adds a quarter to the price of every request. Without groups, every merchant's messages must take about the
   * same time, and be processed faster than they can arrive.
   */
  readonly fair?: boolean;
}

export function createMessageSender<Message>(
  client: Pick<SQSClient, 'send'>,
  queueUrl: string,
  { fair = true }: SenderOptions = {},
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
            const text = asciiJson(body);
            waiting.push({
              text,
              groupId: fair ? groupId : undefined,
              delaySec: options?.delaySec,
              sent: resolve,
              failed: reject,
            });
          }),
      );
      pump();
      const settled = await Promise.allSettled(sent);
      const failures = settled.flatMap((result, index) =>
        result.status === 'rejected' ? [{ index, error: result.reason as unknown }] : [],
      );
      if (failures.length > 0)
        throw new SendFailure(
          failures.map(({ index }) => index),
          failures.every(({ error }) => error instanceof RefusedMessage),
          failures[0]?.error,
        );
    },
  };
}

/** The oldest entries that fit into one request. */
function takeBatch(waiting: Entry[]): Entry[] {
  let count = 0;
  let sizeBytes = 0;
  for (const entry of waiting) {
    sizeBytes += entry.text.length;
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
    const failures = new Map((answer.Failed ?? []).map((failure) => [failure.Id, failure]));
    batch.forEach((entry, i) => {
      const failure = failures.get(String(i));
      if (failure === undefined) entry.sent();
      else entry.failed(failureOf(failure.Code ?? 'unknown', failure.SenderFault === true));
    });
  } catch (error) {
    const refused = error instanceof Error && REFUSALS.has(error.name);
    // One of them made the queue refuse the whole request: each is sent alone, so that only that one fails.
    if (refused && batch.length > 1)
      await Promise.all(batch.map((entry) => sendBatch(client, queueUrl, [entry])));
    else
      for (const entry of batch)
        entry.failed(refused ? new RefusedMessage(error.name, { cause: error }) : error);
  }
}

/** The queue will never take this message. */
class RefusedMessage extends Error {}

/** SQS errors for a message that it will never take. */
const REFUSALS: ReadonlySet<string> = new Set([
  'InvalidMessageContents',
  'InvalidParameterValue',
  'BatchRequestTooLong',
]);

function failureOf(code: string, senderFault: boolean): Error {
  const text = `SQS did not take a message: ${code}`;
  return senderFault && REFUSALS.has(code) ? new RefusedMessage(text) : new Error(text);
}

function messageOf(entry: Entry): { MessageBody: string; MessageGroupId?: string; DelaySeconds?: number } {
  return {
    MessageBody: entry.text,
    ...withoutUndefined({ MessageGroupId: entry.groupId, DelaySeconds: entry.delaySec }),
  };
}
