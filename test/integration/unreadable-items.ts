// Items that no release wrote, in place of those a table holds: the shapes in which a later release, a hand or an accident may
// leave them.
import { type DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';

export type StoredItem = Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: string };

/** `held`: names of the attributes that hold what the item is. */
export const SHAPES: Readonly<
  Record<string, (item: StoredItem, held: readonly string[]) => Record<string, unknown>>
> = {
  missing: (item, held) => Object.fromEntries(Object.entries(item).filter(([name]) => !held.includes(name))),
  number: (item, held) => ({ ...item, ...Object.fromEntries(held.map((name) => [name, 7])) }),
  empty: (item, held) => ({ ...item, ...Object.fromEntries(held.map((name) => [name, {}])) }),
  'future format': ({ pk, sk }) => ({ pk, sk, f: 99, b: new Uint8Array([250, 1, 2]) }),
};

export async function itemsOfTable(db: DynamoDBDocumentClient, table: string): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  for (let from: Record<string, unknown> | undefined, isFirst = true; isFirst || from !== undefined; ) {
    isFirst = false;
    const page: { Items?: unknown[] | undefined; LastEvaluatedKey?: Record<string, unknown> | undefined } =
      await db.send(new ScanCommand({ TableName: table, ...(from ? { ExclusiveStartKey: from } : {}) }));
    items.push(...((page.Items ?? []) as StoredItem[]));
    from = page.LastEvaluatedKey;
  }
  return items;
}

export async function putItem(db: DynamoDBDocumentClient, table: string, item: object): Promise<void> {
  await db.send(new PutCommand({ TableName: table, Item: { ...item } }));
}

/** Puts this in place of the item, has `look` see it, and puts the item back. */
export async function withItem<T>(
  db: DynamoDBDocumentClient,
  table: string,
  item: StoredItem,
  instead: Record<string, unknown>,
  look: () => Promise<T>,
): Promise<T> {
  await putItem(db, table, { ...instead, pk: item.pk, sk: item.sk });
  try {
    return await look();
  } finally {
    await putItem(db, table, item);
  }
}
