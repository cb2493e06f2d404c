// The whole pipeline on the embedded emulators with every call counted: real stages, real stores, real queues, the tables
// and batch sizes of the CDK app, and the platforms' sandboxes for an answer. One client and one label per stage.
// Refuses: time. The clock moves when told to, so that a run costs the same whenever and wherever it runs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ZodType } from 'zod';
import { synthesizeApp, type Template } from '../../cdk/synthesize.ts';
import { inParallel } from '../../lib/adapters/concurrency/in-parallel.ts';
import { createDocumentClient } from '../../lib/adapters/dynamodb/core/client.ts';
import { handleSqsBatch } from '../../lib/adapters/lambda/sqs-batch.ts';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { createKeyFileWrapper } from '../../lib/adapters/vault/key-file-wrapper.ts';
import type { KeyWrapper } from '../../lib/adapters/vault/key-wrapper.ts';
import type { BatchResult, Received } from '../../lib/core/ports/queue.ts';
import { counterRefreshMessageSchema } from '../../services/events/aggregate/message.ts';
import { deliveryMessageSchema } from '../../services/events/deliver/message.ts';
import { normalizedMessageSchema } from '../../services/events/fan-out/message.ts';
import { acceptedMessageSchema } from '../../services/events/normalize/message.ts';
import { startEmulators } from '../../services/local/emulators/start.ts';
import { createQueues, createTables } from '../../services/local/stack/resources.ts';
import { readTopology } from '../../services/local/stack/template.ts';
import type { Topology } from '../../services/local/stack/topology.ts';
import { createManualClock, type ManualClock } from '../support/memory/clock.ts';
import { createDynamoMeter, type DynamoMeter } from '../support/metering/dynamodb-metering.ts';
import { createSqsMeter, type SqsMeter } from '../support/metering/sqs-metering.ts';
import {
  createMeteredStages,
  type MeteredStages,
  type PlatformTraffic,
  plantMerchant,
} from './metered-stages.ts';

export type StageName = 'normalize' | 'fan-out' | 'deliver' | 'aggregate';

export interface MeteredPipeline {
  readonly clock: ManualClock;
  readonly dynamo: DynamoMeter;
  readonly sqs: SqsMeter;
  /** What the CDK app deploys. */
  readonly template: Template;
  /** Table names by the environment variable that carries them. */
  readonly tables: Readonly<
    Record<'EVENTS_TABLE' | 'BATCHES_TABLE' | 'ANALYTICS_TABLE' | 'CONFIG_TABLE', string>
  >;
  /** Invocations of each function so far, `ingestion` among them. */
  readonly invocations: ReadonlyMap<string, number>;
  /** What a stage reported as a problem: empty after a good run. */
  readonly problems: readonly unknown[];
  /** Sent to platforms so far. */
  readonly platformTraffic: () => PlatformTraffic;
  /** POST /v1/events for each, or /v1/ingest with `perRequest` of them. Rejects when one is not a 202. */
  ingest(events: readonly unknown[], perRequest: number): Promise<void>;
  /** Works a stage's queues until they are empty; the platforms of `deliver` one after another, or side by side. */
  run(stage: StageName, platforms?: 'one by one' | 'side by side'): Promise<void>;
  /** What the schedules run: every minute, every hour. */
  sweep(): Promise<unknown>;
  reconcile(): Promise<{ readonly drift: number }>;
  close(): Promise<void>;
}

export interface MeteredOptions {
  /** Slugs that are connected, in the order in which they are delivered to. */
  readonly connected: readonly string[];
  /** How long a platform takes, real milliseconds; default 0: all answer at once, and race for every row. */
  readonly answerAfterMs?: (slug: string) => number;
}

const START_MS = Date.UTC(2026, 10, 21, 12, 0, 5);
const MESSAGES_PER_REQUEST = 10;
const REQUESTS_AT_ONCE = 16;
/** Where addresses matter to nobody. */
const SOMEWHERE = 'http://127.0.0.1';

export async function openMeteredPipeline(options: MeteredOptions): Promise<MeteredPipeline> {
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  process.env.AWS_REGION ??= 'us-east-1';
  const folder = await mkdtemp(join(tmpdir(), 'millrace-metered-'));
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  const emulators = await startEmulators(
    { tablesPath: join(folder, 'tables'), dynamodbPort: 0, sqsPort: 0 },
    lost.reject,
  );
  const { template } = synthesizeApp({ ephemeral: true, bundle: false, outdir: join(folder, 'cdk') });
  const topology = readTopology(template, { sqsOrigin: emulators.sqsUrl, endpointUrl: () => SOMEWHERE });
  const dynamo = createDynamoMeter();
  const sqs = createSqsMeter();
  const clients = {
    db: (label: string): DynamoDBDocumentClient => {
      const db = createDocumentClient({ endpoint: emulators.dynamodbUrl });
      if (label !== '') dynamo.attach(db, label);
      return db;
    },
    sqs: (label: string): SQSClient => {
      const client = createSqsClient({ endpoint: emulators.sqsUrl });
      if (label !== '') sqs.attach(client, label);
      return client;
    },
  };
  await createTables(clients.db(''), topology.tables, folder);
  await createQueues(clients.sqs(''), topology.queues);

  const clock = createManualClock(START_MS);
  const env = Object.assign({}, ...topology.functions.map((fn) => fn.environment)) as Record<string, string>;
  const wrapper = await createKeyFileWrapper(join(folder, 'vault.key'));
  const apiKey = await plantMerchant(clients.db('seed'), env, {
    wrapper,
    clock,
    connected: options.connected,
  });
  const stages = await createMeteredStages({
    clients,
    env,
    clock,
    wrapper,
    answerAfterMs: options.answerAfterMs ?? (() => 0),
  });
  const invocations = new Map<string, number>();
  const invoked = (name: string): void => void invocations.set(name, (invocations.get(name) ?? 0) + 1);
  const once = <T>(name: string, stage: () => Promise<T>): Promise<T> => {
    invoked(name);
    return stage();
  };
  const consume = consumer(clients.sqs('poller'), topology, env, invoked);
  return {
    clock,
    template,
    dynamo,
    sqs,
    tables: {
      EVENTS_TABLE: env.EVENTS_TABLE ?? '',
      BATCHES_TABLE: env.BATCHES_TABLE ?? '',
      ANALYTICS_TABLE: env.ANALYTICS_TABLE ?? '',
      CONFIG_TABLE: env.CONFIG_TABLE ?? '',
    },
    invocations,
    problems: stages.problems,
    platformTraffic: stages.platformTraffic,
    sweep: () => once('sweep', stages.sweep),
    reconcile: () => once('reconcile', stages.reconcile),
    ingest: (events, perRequest) => ingest(stages, apiKey, invoked, events, perRequest),
    run: (stage, platforms = 'one by one') => runStage(stage, stages, consume, options.connected, platforms),
    async close() {
      await emulators.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface MeteredParts {
  readonly clients: {
    readonly db: (label: string) => DynamoDBDocumentClient;
    readonly sqs: (label: string) => SQSClient;
  };
  readonly env: Readonly<Record<string, string>>;
  readonly clock: ManualClock;
  readonly wrapper: KeyWrapper;
  readonly answerAfterMs: (slug: string) => number;
}

async function ingest(
  { app }: MeteredStages,
  apiKey: string,
  invoked: (name: string) => void,
  events: readonly unknown[],
  perRequest: number,
): Promise<void> {
  const requests: unknown[] = [];
  if (perRequest === 1) requests.push(...events);
  else
    for (let at = 0; at < events.length; at += perRequest)
      requests.push({ events: events.slice(at, at + perRequest) });
  await inParallel(requests, REQUESTS_AT_ONCE, async (value, index) => {
    invoked('ingestion');
    const reply = await app({
      method: 'POST',
      path: perRequest === 1 ? '/v1/events' : '/v1/ingest',
      query: {},
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: Buffer.from(JSON.stringify(value)),
      clientIp: '203.0.113.7',
      requestId: `request-${index}`,
    });
    const { success } = JSON.parse(reply.body) as { success?: boolean };
    if (reply.status !== 202 || success !== true) throw new Error(`${reply.status} ${reply.body}`);
  });
}

type Consume = <M>(
  stage: StageName,
  queueUrl: string | undefined,
  schema: ZodType<M>,
  work: (messages: readonly Received<M>[]) => Promise<BatchResult>,
) => Promise<void>;

async function runStage(
  name: StageName,
  stages: MeteredStages,
  consume: Consume,
  connected: readonly string[],
  platforms: 'one by one' | 'side by side',
): Promise<void> {
  const { queues } = stages;
  switch (name) {
    case 'normalize':
      return await consume(name, queues.accepted, acceptedMessageSchema, stages.normalize);
    case 'fan-out':
      return await consume(name, queues.normalized, normalizedMessageSchema, stages.fanOut);
    case 'aggregate':
      return await consume(name, queues.counterRefresh, counterRefreshMessageSchema, stages.aggregate);
    case 'deliver': {
      const width = platforms === 'one by one' ? 1 : connected.length;
      await inParallel(connected, width, (slug) =>
        consume(name, queues.deliveries[slug], deliveryMessageSchema, stages.deliver),
      );
    }
  }
}

/** An event source as Lambda runs it: batches of the template's size, deleted once the function took them. */
function consumer(
  sqs: SQSClient,
  topology: Topology,
  env: Readonly<Record<string, string>>,
  invoked: (name: string) => void,
): Consume {
  const sizeOf = (queueUrl: string): number => {
    const source = topology.eventSources.find(({ queue }) => queueUrl.endsWith(`/${queue}`));
    if (source === undefined)
      throw new Error(`no event source for ${queueUrl} in ${Object.keys(env).join()}`);
    return source.batchSize;
  };
  return async (stage, queueUrl, schema, work) => {
    if (queueUrl === undefined) throw new Error(`${stage} has no queue`);
    const batchSize = sizeOf(queueUrl);
    for (;;) {
      const batch = await gather(sqs, queueUrl, batchSize);
      if (batch.length === 0) return;
      invoked(stage);
      const records = batch.map(({ MessageId = '', Body = '', Attributes }) => ({
        messageId: MessageId,
        body: Body,
        attributes: {
          ApproximateReceiveCount: Attributes?.ApproximateReceiveCount ?? '1',
          SentTimestamp: Attributes?.SentTimestamp ?? '0',
        },
      }));
      const { batchItemFailures } = await handleSqsBatch({ Records: records }, schema, work);
      if (batchItemFailures.length > 0)
        throw new Error(`${stage} failed ${batchItemFailures.length} messages`);
      await remove(sqs, queueUrl, batch);
    }
  };
}

async function gather(sqs: SQSClient, queueUrl: string, batchSize: number): Promise<Message[]> {
  const batch: Message[] = [];
  while (batch.length < batchSize) {
    const { Messages: messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: Math.min(batchSize - batch.length, MESSAGES_PER_REQUEST),
        WaitTimeSeconds: 0,
        MessageSystemAttributeNames: ['All'],
      }),
    );
    if (messages.length === 0) break;
    batch.push(...messages);
  }
  return batch;
}

async function remove(sqs: SQSClient, queueUrl: string, batch: readonly Message[]): Promise<void> {
  for (let at = 0; at < batch.length; at += MESSAGES_PER_REQUEST) {
    const entries = batch
      .slice(at, at + MESSAGES_PER_REQUEST)
      .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }));
  }
}
