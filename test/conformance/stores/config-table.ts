// A config table in an emulator.
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { onlyDeclaredWrites } from '../../support/declared-writes.ts';
import { openDynamodb } from '../../support/emulators.ts';

export interface ConfigTable {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly endpoint: string;
  readonly close: () => Promise<void>;
}

/** Credentials and region of the SDK come from its environment variables; an emulator takes any. */
export const EMULATOR_ENV: Readonly<Record<string, string>> = {
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_REGION: 'us-east-1',
};

export async function openConfigTable(): Promise<ConfigTable> {
  const emulator = await openDynamodb();
  const db = createDocumentClient({ endpoint: emulator.endpoint });
  const table = emulator.tableName('config');
  await db.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
  return {
    db: onlyDeclaredWrites(db, { [table]: 'config' }),
    table,
    endpoint: emulator.endpoint,
    close: async () => {
      db.destroy();
      await emulator.close();
    },
  };
}
