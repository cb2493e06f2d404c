// Dead letters back to the queues they came from. Guarantees: a message is sent before it is deleted, so that one that breaks off, or
// two at once, lose none; one may come twice, which hints may. What is not moved is there again at the end.
// SQS has a task for it (StartMessageMoveTask), which moves those of all queues and no emulator of ours knows.
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';

export interface Redrive {
  readonly deadLetterUrl: string;
  /** Of the queue that a message came from; null where its messages stay. `arn` is absent where an emulator does not say it. */
  readonly urlFor: (arn: string | undefined) => string | null;
  readonly isDryRun: boolean;
  /** Messages looked at, and of them moved, so far. */
  readonly onProgress?: (looked: number, moved: number) => void;
}

export interface Redriven {
  /** Name of the queue they came from → how many; the empty name where it is not known. */
  readonly found: ReadonlyMap<string, number>;
  readonly moved: number;
}

const AT_ONCE = 10;
/** A message that is looked at and left is not seen twice meanwhile. */
const HELD_SEC = 300;
/** An answer without messages is not yet an empty queue. */
const EMPTY_ANSWERS = 3;

export async function redriveDeadLetters(
  sqs: Pick<SQSClient, 'send'>,
  { deadLetterUrl: QueueUrl, urlFor, isDryRun, onProgress }: Redrive,
): Promise<Redriven> {
  const found = new Map<string, number>();
  const left: Message[] = [];
  let [looked, moved, empty] = [0, 0, 0];
  try {
    while (empty < EMPTY_ANSWERS) {
      const { Messages: messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: AT_ONCE,
          VisibilityTimeout: HELD_SEC,
          WaitTimeSeconds: 1,
          MessageSystemAttributeNames: ['All'],
          MessageAttributeNames: ['All'],
        }),
      );
      empty = messages.length === 0 ? empty + 1 : 0;
      for (const message of messages) {
        const arn = message.Attributes?.DeadLetterQueueSourceArn;
        const name = arn?.split(':').at(-1) ?? '';
        found.set(name, (found.get(name) ?? 0) + 1);
        const url = urlFor(arn);
        looked += 1;
        if (url === null || isDryRun) left.push(message);
        else {
          await move(sqs, message, QueueUrl, url);
          moved += 1;
        }
      }
      onProgress?.(looked, moved);
    }
  } finally {
    for (const { ReceiptHandle } of left)
      await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
  }
  return { found, moved };
}

async function move(
  sqs: Pick<SQSClient, 'send'>,
  { Body, Attributes, MessageAttributes, ReceiptHandle }: Message,
  from: string,
  to: string,
): Promise<void> {
  const group = Attributes?.MessageGroupId;
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: to,
      MessageBody: Body,
      ...withoutUndefined({ MessageAttributes, MessageGroupId: group }),
    }),
  );
  await sqs.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle }));
}
