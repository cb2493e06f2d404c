// The SQS client as one function instance has it: what it sends lands in the queue its URL names.
import { DURATIONS } from '../aws/durations.ts';
import type { Instance } from '../lambda/instance.ts';
import type { Usage } from '../usage.ts';
import type { Queue } from './queue.ts';

const CHUNK_BYTES = 65_536;

interface SentEntry {
  readonly Id?: string;
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
  readonly DelaySeconds?: number;
}

export function createSqsClientOf(
  instance: Instance,
  queues: ReadonlyMap<string, Queue>,
  usage: Usage,
): {
  send(command: {
    readonly constructor: { readonly name: string };
    readonly input: object;
  }): Promise<unknown>;
} {
  return {
    send: ({ constructor: { name }, input }) =>
      instance.call(DURATIONS.awsCallMs, () => {
        const { QueueUrl: url = '', Entries: entries } = input as {
          QueueUrl?: string;
          Entries?: readonly SentEntry[];
        };
        const queue = queues.get(url.slice(url.lastIndexOf('/') + 1));
        if (queue === undefined) throw new Error(`there is no queue ${url}`);
        if (name !== 'SendMessageCommand' && name !== 'SendMessageBatchCommand')
          throw new Error(`${name} is not modelled`);
        const sent = entries ?? [input as SentEntry];
        queue.send(
          sent.map(({ MessageBody, MessageGroupId, DelaySeconds }) => ({
            body: MessageBody,
            ...(MessageGroupId === undefined ? {} : { groupId: MessageGroupId }),
            ...(DelaySeconds === undefined ? {} : { delaySec: DelaySeconds }),
          })),
        );
        const sizeBytes = sent.reduce((sum, { MessageBody }) => sum + MessageBody.length, 0);
        usage.sqs(Math.max(1, Math.ceil(sizeBytes / CHUNK_BYTES)), queue.isFair());
        return { answer: { Successful: sent.map(({ Id }) => ({ Id })), Failed: [] }, rows: 0 };
      }),
  };
}
