// The helpdesk's tables in an emulator, with the keys and indexes the CDK app gives them.
import { CreateTableCommand, type GlobalSecondaryIndex } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { onlyDeclaredWrites } from '../../support/declared-writes.ts';
import { openDynamodb } from '../../support/emulators.ts';

export interface EmulatedHelpdesk {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly auditTable: string;
  readonly endpoint: string;
  readonly close: () => Promise<void>;
}

const INDEXES: readonly (readonly [name: string, hash: string, range: string])[] = [
  ['lists', 'lp', 'ls'],
  ['waiting', 'wp', 'wa'],
  ['due', 'dp', 'da'],
];

export async function openHelpdeskTables(): Promise<EmulatedHelpdesk> {
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  process.env.AWS_REGION ??= 'us-east-1';
  const emulator = await openDynamodb();
  const db = createDocumentClient({ endpoint: emulator.endpoint });
  const [table, auditTable] = [emulator.tableName('helpdesk'), emulator.tableName('helpdesk-audit')];
  await db.send(createTable(table, INDEXES));
  await db.send(createTable(auditTable, []));
  return {
    db: onlyDeclaredWrites(db, { [table]: 'helpdesk', [auditTable]: 'helpdesk-audit' }),
    table,
    auditTable,
    endpoint: emulator.endpoint,
    close: async () => {
      db.destroy();
      await emulator.close();
    },
  };
}

function createTable(table: string, indexes: typeof INDEXES): CreateTableCommand {
  const names = ['pk', 'sk', ...indexes.flatMap(([, hash, range]) => [hash, range])];
  const found = indexes.map(
    ([name, hash, range]): GlobalSecondaryIndex => ({
      IndexName: name,
      KeySchema: keys(hash, range),
      Projection: { ProjectionType: 'KEYS_ONLY' },
    }),
  );
  return new CreateTableCommand({
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: names.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: keys('pk', 'sk'),
    ...(found.length === 0 ? {} : { GlobalSecondaryIndexes: found }),
  });
}

const keys = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' as const },
  { AttributeName: range, KeyType: 'RANGE' as const },
];
