// After a crash: entries that the DynamoDB emulator lost. It removes an item's old index entry, adds the new one and writes the
// item as three steps, so a kill in between can leave an item that no index shows; DynamoDB itself has no such state.
// Guarantees: every item is in every index it belongs to; no item changes. An entry too many stays: readers read the row itself.
import { type DynamoDBClient, paginateScan, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { TableIndex, TableSpec } from './stack/topology.ts';

type Item = Readonly<Record<string, unknown>>;

/** Nothing else may write meanwhile. Returns how many entries were missing. */
export async function repairIndexes(db: DynamoDBClient, tables: readonly TableSpec[]): Promise<number> {
  let repaired = 0;
  for (const table of tables) {
    for (const index of table.indexes) repaired += await repairIndex(db, table, index);
  }
  return repaired;
}

async function repairIndex(db: DynamoDBClient, table: TableSpec, index: TableIndex): Promise<number> {
  const keys = table.keySchema.map(({ AttributeName }) => AttributeName);
  const indexed = index.KeySchema.map(({ AttributeName }) => AttributeName);
  const names = [...new Set([...keys, ...indexed])];
  const present = new Set<string>();
  for await (const item of scan(db, table.name, names, index.IndexName)) present.add(identity(item, names));
  let repaired = 0;
  for await (const item of scan(db, table.name, names)) {
    if (indexed.some((name) => item[name] === undefined) || present.has(identity(item, names))) continue;
    await rewrite(db, table.name, keys, indexed, item);
    repaired += 1;
  }
  return repaired;
}

async function* scan(
  db: DynamoDBClient,
  table: string,
  names: readonly string[],
  index?: string,
): AsyncGenerator<Item> {
  const pages = paginateScan(
    { client: db },
    {
      TableName: table,
      ...(index === undefined ? {} : { IndexName: index }),
      ProjectionExpression: names.map((_name, i) => `#n${i}`).join(', '),
      ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#n${i}`, name])),
    },
  );
  for await (const page of pages) yield* page.Items ?? [];
}

const identity = (item: Item, names: readonly string[]): string =>
  JSON.stringify(names.map((name) => item[name]));

/** Sets an indexed attribute to what it is: the emulator then writes the entry again. */
async function rewrite(
  db: DynamoDBClient,
  table: string,
  keys: readonly string[],
  indexed: readonly string[],
  item: Item,
): Promise<void> {
  const name = indexed.findLast((candidate) => !keys.includes(candidate));
  if (name === undefined) return;
  await db.send(
    new UpdateItemCommand({
      TableName: table,
      Key: Object.fromEntries(keys.map((key) => [key, item[key]])) as never,
      UpdateExpression: 'SET #name = :same',
      ConditionExpression: '#name = :same',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':same': item[name] as never },
    }),
  );
}
