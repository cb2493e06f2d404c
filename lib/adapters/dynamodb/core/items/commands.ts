// One command to one item of a table. Guarantees: a condition that does not hold is an answer; any other failure is thrown.
import type { ConditionalCheckFailedException, ReturnValue } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { decodeItem, type StoredKind } from '#lib/core/record/stored-item.ts';
import type { ItemKey } from './config-item.ts';

export type Item = Record<string, unknown>;

export type Db = DynamoDBDocumentClient;

export interface Table {
  readonly db: Db;
  readonly table: string;
}

/** What a write depends on, with the names and values of its expressions. */
export interface Condition {
  readonly condition?: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Item>;
}

export interface Change extends Condition {
  /** Absent: the item is made if it is missing. */
  readonly update?: string;
}

export const IF_NEW: Condition = { condition: 'attribute_not_exists(pk)' };

/** The version that was read; 0 or null: there was no item. */
export const ifVersion = (seen: number | null): Condition =>
  seen === 0 || seen === null ? IF_NEW : { condition: 'v = :seen', values: { ':seen': seen } };

export async function getItem(
  { db, table }: Table,
  Key: object,
  consistency: 'strong' | 'eventual' = 'strong',
): Promise<Item | undefined> {
  const read = { TableName: table, Key: { ...Key } };
  return (await db.send(new GetCommand(consistency === 'strong' ? { ...read, ConsistentRead: true } : read)))
    .Item;
}

/** What the item holds, by its kind; null where there is none. A consistent read. Throws `UnreadableItem`. */
export async function readItem<T>(at: Table, key: object, kind: StoredKind<T>): Promise<T | null> {
  const item = await getItem(at, key);
  return item === undefined ? null : decodeItem(kind, item);
}

/** Stores the item, whose value is `value`, unless there is one; answers the value that is stored afterwards. */
export async function firstValue<T>(at: Table, item: ItemKey, kind: StoredKind<T>, value: T): Promise<T> {
  if (await putItem(at, item, IF_NEW)) return value;
  const { pk, sk } = item;
  const stored = await readItem(at, { pk, sk }, kind);
  if (stored === null) throw new Error(`${kind.what} ${pk} ${sk} came and went`);
  return stored;
}

/** False where the condition does not hold. */
export async function putItem(
  { db, table }: Table,
  item: object,
  condition: Condition = {},
): Promise<boolean> {
  const put = new PutCommand({ TableName: table, Item: { ...item }, ...expressions(condition) });
  return (await conditional(db.send(put))) !== null;
}

/** False where the condition does not hold. */
export async function updateItem(at: Table, key: object, change: Change): Promise<boolean> {
  return (await update(at, key, change, 'NONE')) !== null;
}

/** What is asked for of the item after the change, or before it; null where the condition does not hold. */
export async function updatedItem(
  at: Table,
  key: object,
  change: Change,
  returned: ReturnValue,
): Promise<Item | null> {
  const answer = await update(at, key, change, returned);
  return answer === null ? null : (answer.Attributes ?? {});
}

const update = ({ db, table }: Table, key: object, change: Change, returned: ReturnValue) =>
  conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: { ...key },
        ...(change.update === undefined ? {} : { UpdateExpression: change.update }),
        ...expressions(change),
        ...(returned === 'NONE' ? {} : { ReturnValues: returned }),
      }),
    ),
  );

/** False where the condition does not hold. */
export async function deleteItem(
  { db, table }: Table,
  key: object,
  condition: Condition = {},
): Promise<boolean> {
  const removal = new DeleteCommand({ TableName: table, Key: { ...key }, ...expressions(condition) });
  return (await conditional(db.send(removal))) !== null;
}

/** DynamoDB refuses an empty set of names or values. */
function expressions({ condition, names = {}, values = {} }: Condition) {
  return {
    ...(condition === undefined ? {} : { ConditionExpression: condition }),
    ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: { ...names } }),
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: { ...values } }),
  };
}

/** Null where the condition did not hold; any other failure is thrown. */
export async function conditional<T>(write: Promise<T>): Promise<T | null> {
  try {
    return await write;
  } catch (error) {
    if (isConditionFailure(error)) return null;
    throw error;
  }
}

/** The one error that is an answer. */
export const isConditionFailure = (error: unknown): error is ConditionalCheckFailedException =>
  error instanceof Error && error.name === 'ConditionalCheckFailedException';
