// The items of a table as the writes of one process left them, so that a meter knows what each write replaced. An item
// nobody here has written yet is read once, uncounted. Refuses: an index with more than keys.
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';

export type Item = Readonly<Record<string, unknown>>;

export interface TableShape {
  readonly key: readonly string[];
  /** Key attributes of each index. */
  readonly indexes: readonly (readonly string[])[];
}

/** What this meter's clients have left in the tables; read once where nobody wrote yet. */
export type ItemMirror = ReturnType<typeof createItemMirror>;

export function createItemMirror() {
  const shapes = new Map<string, Promise<TableShape>>();
  const items = new Map<string, Item | undefined>();
  const own = new WeakSet<object>();
  const idOf = (table: string, { key }: TableShape, keyed: Item): string =>
    JSON.stringify([table, ...key.map((name) => keyed[name])]);
  return {
    isOwn: (input: object): boolean => own.has(input),
    shapeOf(db: DynamoDBDocumentClient, table: string): Promise<TableShape> {
      const known = shapes.get(table) ?? readShape(db, table);
      shapes.set(table, known);
      return known;
    },
    async learn(db: DynamoDBDocumentClient, table: string, shape: TableShape, keyed: Item): Promise<void> {
      const id = idOf(table, shape, keyed);
      if (items.has(id)) return;
      const Key = Object.fromEntries(shape.key.map((name) => [name, keyed[name]]));
      const command = new GetCommand({ TableName: table, Key, ConsistentRead: true });
      own.add(command.input);
      const { Item: item } = await db.send(command);
      if (!items.has(id)) items.set(id, item);
    },
    /** What a query with a filter goes through, uncounted. */
    async unfiltered(
      db: DynamoDBDocumentClient,
      call: string,
      { FilterExpression: _filter, Select: _select, ...input }: Item,
    ): Promise<readonly Item[]> {
      if (call !== 'Query') throw new Error(`${call} with a filter has no price here`);
      const command = new QueryCommand({ ...input, TableName: String(input.TableName) });
      own.add(command.input);
      return (await db.send(command)).Items ?? [];
    },
    known: (table: string, shape: TableShape, keyed: Item) => items.get(idOf(table, shape, keyed)),
    /** What was there before. */
    swap(table: string, shape: TableShape, keyed: Item, after: Item | undefined): Item | undefined {
      const id = idOf(table, shape, keyed);
      const before = items.get(id);
      items.set(id, after);
      return before;
    },
    forget: (table: string, shape: TableShape, keyed: Item): void =>
      void items.delete(idOf(table, shape, keyed)),
  };
}

export async function readShape(db: DynamoDBDocumentClient, table: string): Promise<TableShape> {
  const { Table: described } = await db.send(new DescribeTableCommand({ TableName: table }));
  const names = (schema: readonly { readonly AttributeName?: string | undefined }[] = []): string[] =>
    schema.map(({ AttributeName }) => String(AttributeName));
  const indexes = described?.GlobalSecondaryIndexes ?? [];
  const wide = indexes.find(({ Projection }) => Projection?.ProjectionType !== 'KEYS_ONLY');
  if (wide !== undefined)
    throw new Error(`index ${wide.IndexName} holds more than keys: it has no price here`);
  return { key: names(described?.KeySchema), indexes: indexes.map(({ KeySchema }) => names(KeySchema)) };
}
