// The model of DynamoDB and the emulator of SQS, with the tables and queues of the CDK app, and every call counted: one client and one label for each
// function. Refuses: time. The clock moves when told to, so that a run costs the same whenever and wherever it runs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { synthesizeApp, type Template } from '../../cdk/synthesize.ts';
import { createDocumentClient } from '../../lib/adapters/dynamodb/core/client.ts';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { createKeyFileWrapper } from '../../lib/adapters/vault/key-file-wrapper.ts';
import type { KeyWrapper } from '../../lib/adapters/vault/key-wrapper.ts';
import { createQueues, createTables } from '../../services/local/stack/resources.ts';
import { readTopology } from '../../services/local/stack/template.ts';
import { openModelledDynamodb, openSqs } from '../support/emulators.ts';
import { createManualClock, type ManualClock } from '../support/memory/clock.ts';
import { createDynamoMeter } from '../support/metering/dynamodb-metering.ts';
import { createSqsMeter } from '../support/metering/sqs-metering.ts';

/** What functions are made of. */
export interface MeteredParts {
  readonly clients: {
    readonly db: (label: string) => DynamoDBDocumentClient;
    readonly sqs: (label: string) => SQSClient;
  };
  /** The variables of all functions together. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: MeteredClock;
  readonly wrapper: KeyWrapper;
}

export const METERED_START_MS = Date.UTC(2026, 10, 21, 12, 0, 5);

/** A clock that knows where it stood at a real time: the emulator dates messages by its own. */
export interface MeteredClock extends ManualClock {
  at(realMs: number): number;
}

function createMeteredClock(startMs: number): MeteredClock {
  const clock = createManualClock(startMs);
  const moves: { readonly realMs: number; readonly nowMs: number }[] = [];
  const advanceTo = (atMs: number): void => {
    clock.advanceTo(atMs);
    moves.push({ realMs: Date.now(), nowMs: atMs });
  };
  return {
    now: clock.now,
    advanceTo,
    advance: (ms) => advanceTo(clock.now() + ms),
    at: (realMs) => moves.findLast((move) => move.realMs <= realMs)?.nowMs ?? startMs,
  };
}

/** The same in each run of a process. */
let template: Template | undefined;

export async function openMeteredEmulators() {
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  process.env.AWS_REGION ??= 'us-east-1';
  const folder = await mkdtemp(join(tmpdir(), 'millrace-metered-'));
  const [tables, queues] = [openModelledDynamodb(), await openSqs()];
  queues.bringNear();
  template ??= synthesizeApp({ ephemeral: true, bundle: false, outdir: join(folder, 'cdk') }).template;
  const topology = readTopology(template, {
    sqsOrigin: queues.endpoint,
    endpointUrl: () => 'http://127.0.0.1',
  });
  const [dynamo, sqs] = [createDynamoMeter(), createSqsMeter()];
  const uncounted = {
    db: () => {
      const db = createDocumentClient({ endpoint: tables.endpoint });
      tables.connect(db);
      return db;
    },
    sqs: () => createSqsClient({ endpoint: queues.endpoint }),
  };
  await createTables(uncounted.db(), topology.tables, folder);
  await createQueues(uncounted.sqs(), topology.queues);
  const parts: MeteredParts = {
    clients: {
      db: (label) => {
        const db = uncounted.db();
        dynamo.attach(db, label);
        return db;
      },
      sqs: (label) => {
        const client = uncounted.sqs();
        sqs.attach(client, label);
        return client;
      },
    },
    env: Object.assign({}, ...topology.functions.map((fn) => fn.environment)) as Record<string, string>,
    clock: createMeteredClock(METERED_START_MS),
    wrapper: await createKeyFileWrapper(join(folder, 'vault.key')),
  };
  /** Invocations of each function so far. */
  const invocations = new Map<string, number>();
  return {
    parts,
    /** What the CDK app deploys. */
    template,
    topology,
    dynamo,
    sqs,
    uncounted,
    invocations: invocations as ReadonlyMap<string, number>,
    invoked: (name: string): void => void invocations.set(name, (invocations.get(name) ?? 0) + 1),
    async close(): Promise<void> {
      await Promise.all([tables.close(), queues.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
