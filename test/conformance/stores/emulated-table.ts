// The tables in an emulator, with the keys and indexes the CDK app gives them.
import { CreateTableCommand, type GlobalSecondaryIndex } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { onlyDeclaredWrites } from '../../support/declared-writes.ts';
import { openDynamodb } from '../../support/emulators.ts';

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

/** `keys`: any, of a test that is not about what we store. */
export async function openTable(
  kind: 'events' | 'batches' | 'analytics' | 'rates',
  keys: 'declared' | 'any' = 'declared',
): Promise<EmulatedTable> {
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  process.env.AWS_REGION ??= 'us-east-1';
  const emulator = await openDynamodb();
  const db = createDocumentClient({ endpoint: emulator.endpoint });
  const table = emulator.tableName(kind);
  await db.send(kind === 'rates' ? ratesTable(table) : indexedTable(kind, table));
  return {
    db: keys === 'any' ? db : onlyDeclaredWrites(db, { [table]: kind }),
    table,
    close: async () => {
      db.destroy();
      await emulator.close();
    },
  };
}

function ratesTable(table: string): CreateTableCommand {
  return new CreateTableCommand({
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  });
}

export function indexedTable(kind: 'events' | 'batches' | 'analytics', table: string): CreateTableCommand {
  const indexes = [index('due', 'dp', 'da'), ...(kind === 'events' ? [index('by_time', 'tp', 'ts')] : [])];
  const names = ['pk', 'sk', 'dp', 'da', ...(kind === 'events' ? ['tp', 'ts'] : [])];
  return new CreateTableCommand({
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: names.map((name) => ({
      AttributeName: name,
      // Rows are due by group, slots by time.
      AttributeType: name === 'da' && kind === 'analytics' ? 'N' : 'S',
    })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: indexes,
  });
}
