// The tables in an in-memory dynalite on a random port, with the keys and indexes the CDK app gives them.
import type { AddressInfo } from 'node:net';
import { CreateTableCommand, type GlobalSecondaryIndex } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';
import { createDocumentClient } from '../../../lib/adapters/dynamodb/core/client.ts';

export interface EmulatedTable {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly close: () => Promise<void>;
}

const index = (name: string, hash: string, range: string): GlobalSecondaryIndex => ({
  IndexName: name,
  KeySchema: [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'KEYS_ONLY' },
});

export async function openTable(kind: 'events' | 'analytics' | 'rates'): Promise<EmulatedTable> {
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  process.env.AWS_REGION ??= 'us-east-1';
  const server = dynalite({ createTableMs: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const db = createDocumentClient({ endpoint: `http://127.0.0.1:${port}` });
  await db.send(kind === 'rates' ? ratesTable() : indexedTable(kind));
  return {
    db,
    table: kind,
    close: async () => {
      db.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function ratesTable(): CreateTableCommand {
  return new CreateTableCommand({
    TableName: 'rates',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  });
}

function indexedTable(kind: 'events' | 'analytics'): CreateTableCommand {
  const indexes = [index('due', 'dp', 'da'), ...(kind === 'events' ? [index('by_time', 'tp', 'ts')] : [])];
  const names = ['pk', 'sk', 'dp', 'da', ...(kind === 'events' ? ['tp', 'ts'] : [])];
  return new CreateTableCommand({
    TableName: kind,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: names.map((name) => ({
      AttributeName: name,
      AttributeType: name === 'da' ? 'N' : 'S',
    })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: indexes,
  });
}
