// Goal: functions get messages as Lambda would hand them over, and nothing is deleted that a function did not take.
// Method: the real emulator, a queue per test with a visibility timeout of one second, functions with scripted
// behaviour.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { scratchFolder } from '#test/support/scratch-folder.ts';
import { type Emulators, startEmulators } from '../emulators/start.ts';
import { queueArn, queueUrl, REGION } from '../stack/references.ts';
import { createQueues } from '../stack/resources.ts';
import type { EventSourceSpec } from '../stack/topology.ts';
import { type EventSource, startEventSource } from './event-source.ts';

interface Batch {
  readonly Records: readonly {
    readonly messageId: string;
    readonly body: string;
    readonly eventSourceARN: string;
    readonly attributes: { readonly ApproximateReceiveCount: string; readonly SentTimestamp: string };
  }[];
}

const folder = scratchFolder('event-source');
let emulators: Emulators;
let sqs: SQSClient;
beforeAll(async () => {
  const options = { tablesPath: join(folder, 'tables'), dynamodbPort: 0, sqsPort: 0 };
  emulators = await startEmulators(options);
  sqs = new SQSClient({
    endpoint: emulators.sqsUrl,
    region: REGION,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    useQueueUrlAsEndpoint: false,
  });
});
afterAll(() => emulators.close());

let queue: string;
let count = 0;
let source: EventSource | undefined;
let errors: string[];
beforeEach(async () => {
  count += 1;
  queue = `work-${count}`;
  errors = [];
  const deadLetterTargetArn = queueArn(`dead-${count}`);
  await createQueues(sqs, [
    {
      name: queue,
      attributes: {
        VisibilityTimeout: '1',
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 2 }),
      },
      deadLetterQueue: `dead-${count}`,
    },
    { name: `dead-${count}`, attributes: {} },
  ]);
});
afterEach(() => source?.stop());

function start(spec: Partial<EventSourceSpec>, invoke: (batch: Batch) => Promise<unknown>): void {
  source = startEventSource(
    {
      functionId: 'F',
      queue,
      batchSize: 10,
      windowMs: 0,
      concurrencyMax: 10,
      reportsFailures: true,
      ...spec,
    },
    {
      sqs,
      queueUrl: queueUrl(queue, emulators.sqsUrl),
      queueArn: queueArn(queue),
      invoke: (event) => invoke(event as Batch),
      onError: (problem) => errors.push(problem),
    },
  );
}

async function send(...bodies: readonly string[]): Promise<void> {
  for (let at = 0; at < bodies.length; at += 10) {
    const entries = bodies
      .slice(at, at + 10)
      .map((body, i) => ({ Id: `m${i}`, MessageBody: body, MessageGroupId: 'g' }));
    await sqs.send(
      new SendMessageBatchCommand({ QueueUrl: queueUrl(queue, emulators.sqsUrl), Entries: entries }),
    );
  }
}

/** Messages in the queue: waiting and in work. */
async function left(name: string): Promise<number> {
  const answer = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl(name, emulators.sqsUrl), AttributeNames: ['All'] }),
  );
  const attributes: Readonly<Record<string, string>> = answer.Attributes ?? {};
  const of = (attribute: string): number => Number(attributes[attribute]);
  return of('ApproximateNumberOfMessages') + of('ApproximateNumberOfMessagesNotVisible');
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error(`never: ${holds}`);
    await pause(20);
  }
}

const bodies = (batch: Batch): string[] => batch.Records.map(({ body }) => body).sort();

describe('a batch', () => {
  it('has the shape Lambda gives it, and is deleted when it was taken', async () => {
    const batches: Batch[] = [];
    start({}, async (batch) => void batches.push(batch));
    await send('a');
    await until(async () => batches.length === 1 && (await left(queue)) === 0);
    const [record] = batches[0]?.Records ?? [];
    expect(record).toMatchObject({
      body: 'a',
      eventSource: 'aws:sqs',
      eventSourceARN: queueArn(queue),
      awsRegion: REGION,
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: expect.stringMatching(/^\d{13}$/) },
    });
  });

  it('keeps only what failed, which comes again, and goes to the dead-letter queue in the end', async () => {
    const batches: string[][] = [];
    start({}, async (batch) => {
      batches.push(bodies(batch));
      const failed = batch.Records.filter(({ body }) => body === 'bad');
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });
    await send('good', 'bad');
    await until(async () => (await left(`dead-${count}`)) === 1);
    expect(batches).toEqual([['bad', 'good'], ['bad']]);
    expect([await left(queue), errors]).toEqual([0, []]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('down'))],
    ['names a message it did not get', async () => ({ batchItemFailures: [{ itemIdentifier: 'x' }] })],
    ['names an empty id', async () => ({ batchItemFailures: [{ itemIdentifier: '' }] })],
    ['answers something else', async () => ({ batchItemFailures: 'all' })],
  ])('stays whole when the function %s', async (_name, invoke) => {
    let calls = 0;
    start({}, (batch) => {
      calls += 1;
      return batch.Records[0]?.attributes.ApproximateReceiveCount === '1' ? invoke() : Promise.resolve();
    });
    await send('a', 'b');
    await until(() => calls >= 1);
    expect([await left(queue), errors.length]).toEqual([2, 1]);
    await until(async () => (await left(queue)) === 0);
  });

  it('is taken whole from a function that does not report failures', async () => {
    start({ reportsFailures: false }, async (batch) => ({
      batchItemFailures: batch.Records.map(({ messageId }) => ({ itemIdentifier: messageId })),
    }));
    await send('a');
    await until(async () => (await left(queue)) === 0);
  });
});

describe('a window', () => {
  it('gathers what comes within it', async () => {
    const batches: string[][] = [];
    start({ batchSize: 100, windowMs: 600 }, async (batch) => void batches.push(bodies(batch)));
    const startedMs = performance.now();
    await send('a');
    await pause(150);
    await send('b', 'c');
    await until(() => batches.length > 0);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(550);
    expect(batches).toEqual([['a', 'b', 'c']]);
  });

  it('ends early when the batch is full', async () => {
    const sizes: number[] = [];
    start({ batchSize: 25, windowMs: 5_000 }, async (batch) => void sizes.push(batch.Records.length));
    const startedMs = performance.now();
    await send(...Array.from({ length: 25 }, (_, i) => String(i)));
    await until(() => sizes.length > 0);
    expect(performance.now() - startedMs).toBeLessThan(4_000);
    expect(sizes).toEqual([25]);
  });
});

it('runs at most as many invocations at a time as allowed', async () => {
  let running = 0;
  let most = 0;
  let done = 0;
  start({ batchSize: 1, concurrencyMax: 3 }, async () => {
    running += 1;
    most = Math.max(most, running);
    await pause(30);
    running -= 1;
    done += 1;
  });
  await send(...Array.from({ length: 12 }, (_, i) => String(i)));
  await until(() => done === 12);
  expect(most).toBe(3);
});

it('stops after what runs has ended, and takes nothing more', async () => {
  const finished: string[] = [];
  start({}, async (batch) => {
    await pause(200);
    finished.push(...bodies(batch));
  });
  await send('a');
  await pause(50);
  await source?.stop();
  expect([finished, await left(queue)]).toEqual([['a'], 0]);
  await send('b');
  await pause(100);
  expect(await left(queue)).toBe(1);
});
