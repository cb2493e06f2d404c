// A config table in an in-memory dynalite on a random port, as real as it gets without AWS.
import type { AddressInfo } from 'node:net';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';
import { createDocumentClient } from '../../../lib/adapters/dynamodb/core/client.ts';

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
  const server = dynalite({ createTableMs: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const db = createDocumentClient({ endpoint });
  const table = 'config';
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
    db,
    table,
    endpoint,
    close: async () => {
      db.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
