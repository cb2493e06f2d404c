// The helpdesk on the embedded emulators with every call counted: its API and its workers, the tables and queues of the CDK
// app, a webhook's receiver and a mail provider for an answer. One client and one label per function.
// Refuses: time. The clock moves when told to, so that a run costs the same whenever and wherever it runs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { synthesizeApp } from '../../cdk/synthesize.ts';
import { createDocumentClient } from '../../lib/adapters/dynamodb/core/client.ts';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { createKeyFileWrapper } from '../../lib/adapters/vault/key-file-wrapper.ts';
import type { KeyWrapper } from '../../lib/adapters/vault/key-wrapper.ts';
import type { BatchResult, Received } from '../../lib/core/ports/queue.ts';
import type { Pointer } from '../../lib/helpdesk/domain/pointer.ts';
import { startEmulators } from '../../services/local/emulators/start.ts';
import { createQueues, createTables } from '../../services/local/stack/resources.ts';
import { readTopology } from '../../services/local/stack/template.ts';
import { createManualClock, type ManualClock } from '../support/memory/clock.ts';
import { createDynamoMeter, type DynamoMeter } from '../support/metering/dynamodb-metering.ts';
import { createSqsMeter, type SqsMeter } from '../support/metering/sqs-metering.ts';
import { createHelpdeskFunctions, plantWorkspace } from './metered-helpdesk-functions.ts';
import { plantTickets } from './plant-tickets.ts';

/** Functions of the helpdesk whose calls are counted. */
export const HELPDESK_STAGES = ['api', 'webhooks', 'runs', 'mail-out', 'sweep'] as const;
export type HelpdeskStage = (typeof HELPDESK_STAGES)[number];

export interface MeteredHelpdesk {
  readonly clock: ManualClock;
  readonly dynamo: DynamoMeter;
  readonly sqs: SqsMeter;
  /** Invocations of each function so far. */
  readonly invocations: ReadonlyMap<HelpdeskStage, number>;
  /** Mails that the provider took so far. */
  readonly mailsSent: () => number;
  /** Calls of webhooks so far. */
  readonly webhookCalls: () => number;
  /** What a function reported as a problem: empty after a good run. */
  readonly problems: readonly unknown[];
  /** One call of the API with a key of every scope; its answer. Rejects where it is none of 2xx. */
  call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown>;
  /** The workers' queues, until they are empty. */
  work(): Promise<void>;
  /** What the schedule runs each minute. */
  sweep(): Promise<unknown>;
  /** So many tickets of a workspace, uncounted. */
  plant(workspaceId: string, count: number): Promise<void>;
  close(): Promise<void>;
}

export interface HelpdeskParts {
  readonly clients: {
    readonly db: (label: string) => DynamoDBDocumentClient;
    readonly sqs: (label: string) => SQSClient;
  };
  readonly env: Readonly<Record<string, string>>;
  readonly clock: ManualClock;
  readonly wrapper: KeyWrapper;
}

const START_MS = Date.UTC(2026, 10, 21, 12, 0, 5);
/** What a queue takes. */
const QUEUE_MS = 50;
const MESSAGES_PER_REQUEST = 10;

export async function openMeteredHelpdesk(): Promise<MeteredHelpdesk> {
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  process.env.AWS_REGION ??= 'us-east-1';
  const folder = await mkdtemp(join(tmpdir(), 'millrace-helpdesk-'));
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  const emulators = await startEmulators(
    { tablesPath: join(folder, 'tables'), dynamodbPort: 0, sqsPort: 0 },
    lost.reject,
  );
  const { template } = synthesizeApp({ ephemeral: true, bundle: false, outdir: join(folder, 'cdk') });
  const topology = readTopology(template, {
    sqsOrigin: emulators.sqsUrl,
    endpointUrl: () => 'http://127.0.0.1',
  });
  const [dynamo, sqs] = [createDynamoMeter(), createSqsMeter()];
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
  const env = Object.assign({}, ...topology.functions.map((fn) => fn.environment)) as Record<string, string>;
  const clock = createManualClock(START_MS);
  const parts = { clients, env, clock, wrapper: await createKeyFileWrapper(join(folder, 'vault.key')) };
  const apiKey = await plantWorkspace(clients.db('seed'), env, clock);
  const functions = await createHelpdeskFunctions(parts);
  const invocations = new Map<HelpdeskStage, number>();
  const invoked = (name: HelpdeskStage): void => void invocations.set(name, (invocations.get(name) ?? 0) + 1);
  const poller = clients.sqs('poller');
  return {
    clock,
    dynamo,
    sqs,
    invocations,
    problems: functions.problems,
    mailsSent: functions.mailsSent,
    webhookCalls: functions.webhookCalls,
    async call(method, path, body) {
      invoked('api');
      const answer = await functions.app.inject({
        method,
        url: path,
        headers: {
          'x-api-key': apiKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`);
      return answer.json();
    },
    async work() {
      // One makes work for those after it.
      for (const { stage, queueUrl, work } of functions.workers) {
        clock.advance(QUEUE_MS);
        await drainQueue(poller, queueUrl, () => invoked(stage), work);
      }
    },
    sweep: async () => {
      invoked('sweep');
      return await functions.sweep();
    },
    async plant(workspaceId, count) {
      const startMs = START_MS - count * 1_000;
      await plantTickets(clients.db(''), { table: env.HELPDESK_TABLE ?? '', workspaceId, count, startMs });
    },
    async close() {
      await functions.app.close();
      await emulators.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An event source as Lambda runs it, with as many messages as one receive brings. */
async function drainQueue(
  sqs: SQSClient,
  QueueUrl: string,
  invoked: () => void,
  work: (messages: readonly Received<Pointer>[]) => Promise<BatchResult>,
): Promise<void> {
  for (;;) {
    const { Messages: batch = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: MESSAGES_PER_REQUEST, WaitTimeSeconds: 0 }),
    );
    if (batch.length === 0) return;
    invoked();
    const { failedIndexes } = await work(
      batch.map(({ Body = '' }) => ({ body: JSON.parse(Body) as Pointer, receiveCount: 1, sentAtMs: 0 })),
    );
    if (failedIndexes.length > 0) throw new Error(`${QueueUrl} failed ${failedIndexes.length} messages`);
    const Entries = batch.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
}
