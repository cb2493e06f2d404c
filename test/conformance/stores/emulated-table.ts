// Our tables in an emulator, or in the model of one.
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import type { TableName } from '#lib/core/record/define-kind.ts';
import { onlyDeclaredWrites } from '../../support/declared-writes.ts';
import { type DynamodbEndpoint, openDynamodb, openModelledDynamodb } from '../../support/emulators.ts';
import { createTableCommand } from '../../support/memory/tables.ts';

export type EmulatedTables = Awaited<ReturnType<typeof openTables>>;

export interface EmulatedTable extends EmulatedTables {
  readonly table: string;
}

/** Credentials and region of the SDK come from its environment variables; an emulator takes any. */
export const EMULATOR_ENV: Readonly<Record<string, string>> = {
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_REGION: 'us-east-1',
};

/** `keys`: any, of a test that is not about what we store. */
export const openTables = async (tables: readonly TableName[], keys?: 'declared' | 'any') =>
  await tablesIn(await openDynamodb(), tables, keys);

/** For tests that are about our own code: see `openModelledDynamodb`. */
export const openModelledTables = (tables: readonly TableName[], keys?: 'declared' | 'any') =>
  tablesIn(openModelledDynamodb(), tables, keys);

async function tablesIn(
  emulator: DynamodbEndpoint,
  tables: readonly TableName[],
  keys: 'declared' | 'any' = 'declared',
) {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) process.env[name] ??= value;
  const db = createDocumentClient({ endpoint: emulator.endpoint });
  emulator.connect(db);
  const names = new Map(tables.map((table) => [table, emulator.tableName(table)]));
  for (const [table, name] of names) await createTable(db, table, name);
  const kinds = Object.fromEntries([...names].map(([table, name]) => [name, table]));
  return {
    db: keys === 'any' ? db : onlyDeclaredWrites(db, kinds),
    /** As the emulator has it. */
    nameOf: (table: TableName) => names.get(table) ?? '',
    endpoint: emulator.endpoint,
    close: async () => {
      db.destroy();
      await emulator.close();
    },
  };
}

async function createTable(db: DynamoDBDocumentClient, table: TableName, name: string): Promise<void> {
  await db.send(createTableCommand(table, name));
  await untilActive(db, name);
}

/** Emulators answer before a new table is ACTIVE; until then each call to it fails with ResourceNotFoundException. */
export async function untilActive(db: DynamoDBDocumentClient, name: string): Promise<void> {
  const isActive = async (): Promise<boolean> =>
    (await db.send(new DescribeTableCommand({ TableName: name }))).Table?.TableStatus === 'ACTIVE';
  while (!(await isActive()));
}

export const openTable = async (table: TableName, keys?: 'declared' | 'any'): Promise<EmulatedTable> =>
  only(await openTables([table], keys), table);

export const openModelledTable = async (
  table: TableName,
  keys?: 'declared' | 'any',
): Promise<EmulatedTable> => only(await openModelledTables([table], keys), table);

const only = (opened: EmulatedTables, table: TableName): EmulatedTable => ({
  ...opened,
  table: opened.nameOf(table),
});
