import {
  DeleteMessageBatchCommand,
  ListQueuesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSqsMeter, type SqsMeter } from './sqs-metering.ts';

const QueueUrl = 'https://sqs.example/000000000000/accepted';
let sqs: SQSClient;
let meter: SqsMeter;
let waiting: Message[] = [];

beforeEach(() => {
  sqs = new SQSClient({ region: 'us-east-1', md5: false });
  meter = createSqsMeter();
  meter.attach(sqs, 'test');
  // Answers instead of the network.
  sqs.middlewareStack.add(
    () => async () => ({ output: { $metadata: {}, Messages: waiting } as never, response: {} }),
    { step: 'initialize', priority: 'low' },
  );
});

const send = (body: string) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: body }));

describe('SQS requests', () => {
  it('are one for each call and each 64 KB begun', async () => {
    await send('x');
    expect(meter.usage().requests).toBe(1);
    await send('x'.repeat(65_536));
    expect(meter.usage().requests).toBe(2);
    await send('ü'.repeat(32_769));
    expect(meter.usage().requests).toBe(4);
    expect(meter.usage()).toMatchObject({ messagesSent: 3, calls: { SendMessage: 3 } });
  });

  it('count the bodies of a batch together', async () => {
    const Entries = Array.from({ length: 10 }, (_, i) => ({ Id: `${i}`, MessageBody: 'x'.repeat(7_000) }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(meter.usage()).toMatchObject({ requests: 2, messagesSent: 10, payloadSentBytes: 70_000 });
  });

  it('count receives by what they bring, empty ones too', async () => {
    waiting = [];
    await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    waiting = [{ Body: 'x'.repeat(60_000) }, { Body: 'x'.repeat(60_000) }];
    await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: [] }));
    expect(meter.usage()).toMatchObject({ requests: 4, emptyReceives: 1, messagesReceived: 2 });
  });

  it('are fair in queues whose messages name a group, but for receives that find nothing', async () => {
    const other = 'https://sqs.example/000000000000/normalized';
    const fair = { Id: '0', MessageBody: 'x', MessageGroupId: 'm' };
    await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries: [fair] }));
    await sqs.send(new SendMessageCommand({ QueueUrl: other, MessageBody: 'x' }));
    for (const url of [QueueUrl, other]) {
      waiting = [{ Body: 'x' }];
      await sqs.send(new ReceiveMessageCommand({ QueueUrl: url }));
      waiting = [];
      await sqs.send(new ReceiveMessageCommand({ QueueUrl: url }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries: [] }));
    }
    expect(meter.usage({ queue: 'accepted' })).toMatchObject({ requests: 4, fairRequests: 3 });
    expect(meter.usage({ queue: 'normalized' })).toMatchObject({ requests: 4, fairRequests: 0 });
  });

  it('are kept by label and queue, and an unknown call is refused', async () => {
    await send('x');
    expect(meter.usage({ label: 'test', queue: 'accepted' }).requests).toBe(1);
    expect(meter.usage({ queue: 'other' }).requests).toBe(0);
    await expect(sqs.send(new ListQueuesCommand({}))).rejects.toThrow('ListQueues has no price here');
  });
});
