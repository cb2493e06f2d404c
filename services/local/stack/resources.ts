// Tables, queues and buckets of the template, made where they are missing. Guarantees: what a table holds is never touched.
// Refuses: a table whose keys or indexes are not those of the template, since the emulator cannot change them.
import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, type S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { LocalProblem } from '../problem.ts';
import type { KeyPart, QueueSpec, TableSpec } from './topology.ts';

/** The emulator refuses writes to a new table for a moment; after a kill in that moment, for ever. */
const CREATING_PAUSE_MS = 5;
const CREATING_LOOKS_MAX = 400;

export async function createTables(
  db: DynamoDBClient,
  tables: readonly TableSpec[],
  folder: string,
): Promise<void> {
  for (const table of tables) {
    const existing = await describe(db, table.name);
    if (existing === undefined) await createTable(db, table);
    else if (shapeOf(existing) !== shape(table)) {
      throw unusable(table, folder, 'has other keys or indexes than this version of Millrace needs');
    }
    if (!(await becomesActive(db, table.name))) throw unusable(table, folder, 'was never finished');
  }
}

const unusable = (table: TableSpec, folder: string, why: string): LocalProblem =>
  new LocalProblem(
    `Table ${table.name} in ${folder} ${why}: delete that folder, or set MILLRACE_DATA_DIR to a new one.`,
  );

async function becomesActive(db: DynamoDBClient, name: string): Promise<boolean> {
  for (let looks = 0; looks < CREATING_LOOKS_MAX; looks++) {
    if ((await describe(db, name))?.TableStatus === 'ACTIVE') return true;
    await pause(CREATING_PAUSE_MS);
  }
  return false;
}

/** Dead-letter queues first: the others name them. */
export async function createQueues(sqs: SQSClient, queues: readonly QueueSpec[]): Promise<void> {
  const ordered = [...queues].sort(
    (a, b) => Number(a.deadLetterQueue !== undefined) - Number(b.deadLetterQueue !== undefined),
  );
  for (const { name, attributes } of ordered) {
    await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
  }
}

/** Objects are kept as long as the emulator runs: a mail is read once. */
export async function createBuckets(s3: S3Client, buckets: readonly string[]): Promise<void> {
  for (const Bucket of buckets) await s3.send(new CreateBucketCommand({ Bucket }));
}

async function describe(db: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await db.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function createTable(db: DynamoDBClient, table: TableSpec): Promise<void> {
  await db.send(
    new CreateTableCommand({
      TableName: table.name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [...table.attributes],
      KeySchema: [...table.keySchema],
      ...(table.indexes.length === 0
        ? {}
        : {
            GlobalSecondaryIndexes: table.indexes.map(({ IndexName, KeySchema, Projection }) => ({
              IndexName,
              KeySchema: [...KeySchema],
              Projection: { ...Projection, NonKeyAttributes: Projection.NonKeyAttributes?.slice() },
            })),
          }),
    }),
  );
}

interface Keyed {
  readonly keySchema: readonly Partial<KeyPart>[];
  readonly indexes: readonly {
    readonly IndexName?: string | undefined;
    readonly KeySchema?: readonly Partial<KeyPart>[] | undefined;
  }[];
}

const shapeOf = (table: TableDescription): string =>
  shape({
    keySchema: (table.KeySchema ?? []) as Partial<KeyPart>[],
    indexes: (table.GlobalSecondaryIndexes ?? []) as Keyed['indexes'],
  });

function shape({ keySchema, indexes }: Keyed): string {
  const keys = (parts: readonly Partial<KeyPart>[] = []): string =>
    parts.map(({ AttributeName, KeyType }) => `${KeyType}=${AttributeName}`).join(',');
  return [
    keys(keySchema),
    ...indexes.map((index) => `${index.IndexName}:${keys(index.KeySchema)}`).sort(),
  ].join(' ');
}
