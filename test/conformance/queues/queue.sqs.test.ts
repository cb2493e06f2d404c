// The sender and the batch handler on a real queue: fauxqs, or LocalStack under `npm run e2e:localstack`.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll } from 'vitest';
import * as z from 'zod';
import { handleSqsBatch } from '#lib/adapters/lambda/sqs-batch.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import type { Received } from '#lib/core/ports/queue.ts';
import { openSqs, type SqsEndpoint } from '../../support/emulators.ts';
import { queueConformance, RECEIVES_MAX } from './queue.suite.ts';

const VISIBILITY_SEC = 1;
/** LocalStack looks once a second for what is visible again. */
const WAIT_SEC = 3;

process.env.AWS_ACCESS_KEY_ID ??= 'local';
process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
process.env.AWS_REGION ??= 'us-east-1';

let emulator: SqsEndpoint;
beforeAll(async () => {
  emulator = await openSqs();
});
afterAll(() => emulator.close());

queueConformance('SQS', async () => {
  const sqs = createSqsClient({ endpoint: emulator.endpoint });
  const create = async (name: string, Attributes: Record<string, string>): Promise<string> => {
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes }));
    return QueueUrl ?? '';
  };
  const name = `conformance-${randomUUID()}`;
  const deadLetterUrl = await create(`${name}-dlq`, {});
  const { Attributes: deadLetterQueue } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLetterUrl, AttributeNames: ['QueueArn'] }),
  );
  const queueUrl = await create(name, {
    VisibilityTimeout: String(VISIBILITY_SEC),
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: deadLetterQueue?.QueueArn,
      maxReceiveCount: RECEIVES_MAX,
    }),
  });
  const receive = async (QueueUrl: string, waitSec: number): Promise<readonly Message[]> => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: waitSec,
        MessageSystemAttributeNames: ['All'],
      }),
    );
    return Messages;
  };
  return {
    ...createMessageSender<unknown>(sqs, queueUrl),
    receive: async ({ acknowledge, wait }) => {
      const messages = await receive(queueUrl, wait ? WAIT_SEC : 0);
      if (acknowledge) {
        for (const { ReceiptHandle } of messages)
          await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
      }
      return decoded(messages);
    },
    visibilityOver: () => pause(VISIBILITY_SEC * 1_000 + 100),
    deadLetters: async () => (await decoded(await receive(deadLetterUrl, 0))).map(({ body }) => body),
    now: Date.now,
  };
});

/** As a stage gets them. */
async function decoded(messages: readonly Message[]): Promise<readonly Received<unknown>[]> {
  const seen: Received<unknown>[] = [];
  const records = messages.map(({ MessageId, Body, Attributes }) => ({
    messageId: MessageId ?? '',
    body: Body ?? '',
    attributes: Attributes as { ApproximateReceiveCount: string; SentTimestamp: string },
  }));
  await handleSqsBatch({ Records: records }, z.unknown(), async (batch) => {
    seen.push(...batch);
    return { failedIndexes: [] };
  });
  return seen;
}
