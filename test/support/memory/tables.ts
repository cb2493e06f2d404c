// Our tables as the CDK app makes them, and a DynamoDB in memory that holds them, for stores under test.
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ItemKind, TableName } from '#lib/core/record/define-kind.ts';
import { kindsOfItem } from '#lib/core/record/key-template.ts';
import { decodeItem } from '#lib/core/record/stored-item.ts';
import type { TableSpec } from '#services/local/stack/topology.ts';
import { createDatabase } from '../../scale/dynamodb/database.ts';

type Index = readonly [name: string, hash: string, range: string];

const DUE: Index = ['due', 'dp', 'da'];
const INDEXES: Readonly<Record<TableName, readonly Index[]>> = {
  config: [],
  rates: [],
  events: [DUE, ['by_time', 'tp', 'ts']],
  batches: [DUE],
  analytics: [DUE],
  helpdesk: [['lists', 'lp', 'ls'], ['waiting', 'wp', 'wa'], DUE],
  'helpdesk-audit': [],
};

const keys = (hash: string, range?: string) => [
  { AttributeName: hash, KeyType: 'HASH' as const },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' as const }]),
];

/** `name`: as the emulator has it. */
export function tableSpec(table: TableName, name: string = table): TableSpec {
  const own = table === 'rates' ? ['pk'] : ['pk', 'sk'];
  const names = [...own, ...INDEXES[table].flatMap(([, hash, range]) => [hash, range])];
  return {
    name,
    attributes: names.map((attribute) => ({
      AttributeName: attribute,
      // Rows are due by group, slots by time.
      AttributeType: attribute === 'da' && table === 'analytics' ? 'N' : 'S',
    })),
    keySchema: keys('pk', own[1]),
    indexes: INDEXES[table].map(([index, hash, range]) => ({
      IndexName: index,
      KeySchema: keys(hash, range),
      Projection: { ProjectionType: 'KEYS_ONLY' },
    })),
  };
}

export function createTableCommand(table: TableName, name: string): CreateTableCommand {
  const { attributes, keySchema, indexes } = tableSpec(table, name);
  return new CreateTableCommand({
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...attributes],
    KeySchema: [...keySchema],
    ...(indexes.length === 0
      ? {}
      : {
          GlobalSecondaryIndexes: indexes.map(({ IndexName, KeySchema }) => ({
            IndexName,
            KeySchema: [...KeySchema],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          })),
        }),
  });
}

type Item = Readonly<Record<string, unknown>>;

export interface MemoryTables {
  /** Tables have the names of `TableName`; nothing is throttled, and indexes show a write at once. */
  readonly db: DynamoDBDocumentClient;
  /** What a table holds, in the order in which items were made: for tests to look at. */
  readonly items: (table: TableName) => readonly Item[];
}

export function createMemoryTables(): MemoryTables {
  const database = createDatabase({
    tables: (Object.keys(INDEXES) as TableName[]).map((table) => tableSpec(table)),
    now: () => 0,
    later: (show) => show(),
    capacity: () => ({}),
  });
  const made = new Map<string, number>();
  let writes = 0;
  const nameIn = (table: unknown, { pk, sk }: Item): string => `${table} ${pk} ${sk}`;
  const send = async ({ constructor: { name }, input }: Command): Promise<Item> => {
    const { output } = database.execute(name, input, 'free');
    const written = nameIn(input.TableName, (input.Item ?? input.Key ?? {}) as Item);
    if (name === 'DeleteCommand') made.delete(written);
    else if (name !== 'GetCommand' && !made.has(written)) {
      writes += 1;
      made.set(written, writes);
    }
    return output;
  };
  return {
    db: { send } as unknown as DynamoDBDocumentClient,
    items: (table) => {
      const order = (item: Item): number => made.get(nameIn(table, item)) ?? 0;
      return [...database.table(table).all()].sort((a, b) => order(a) - order(b));
    },
  };
}

interface Command {
  readonly constructor: { readonly name: string };
  readonly input: Item;
}

/** Of one kind, with the keys they lie under. */
export const itemsOfKind = <T>(tables: MemoryTables, kind: ItemKind<T>) =>
  tables
    .items(kind.table)
    .filter((item) => kindsOfItem([kind], kind.table, item).length > 0)
    .map((item) => ({ key: `${item.pk} ${item.sk}`, value: decodeItem(kind, item) }));
