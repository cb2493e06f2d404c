// Queries of one partition: its keys in order, and how many there are.
import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { everyItem } from '../core/items/every-item.ts';

type Item = Record<string, unknown>;

export interface Partition {
  readonly table: string;
  /** Absent: the table itself. */
  readonly index?: string;
  /** Names of the two key attributes. */
  readonly names: readonly [hash: string, range: string];
  readonly hash: string;
  /** What the sort key begins with. */
  readonly prefix?: string;
  /** Sort keys from `from` to `to`, both included. */
  readonly between?: { readonly from: string; readonly to: string };
  readonly filter?: string;
}

export interface Reading {
  readonly forward: boolean;
  /** Items of one request. */
  readonly pageMax: number;
}

/** Items as they are needed, a page at a time; from a table consistently. */
export function itemsOf(
  db: DynamoDBDocumentClient,
  partition: Partition,
  { forward, pageMax }: Reading,
): AsyncGenerator<Item, void> {
  return everyItem((from) =>
    db.send(new QueryCommand({ ...queryOf(partition), ScanIndexForward: forward, Limit: pageMax, ...from })),
  );
}

/** How many there are; it stops at `max`. */
export async function countOf(
  db: DynamoDBDocumentClient,
  partition: Partition,
  max: number,
): Promise<number> {
  let count = 0;
  for await (const some of countsOf(db, partition, Math.min(max, COUNTED_AT_ONCE))) {
    count += some;
    if (count >= max) break;
  }
  return Math.min(count, max);
}

/** How many there are in all; it stops soon after `max`, wherever they lie: what others have counted is not read again. */
export async function totalOf(
  db: DynamoDBDocumentClient,
  partitions: readonly Partition[],
  max: number,
): Promise<number> {
  let total = 0;
  const atOnce = COUNTED_AT_ONCE / Math.min(partitions.length, 2);
  await Promise.all(
    partitions.map(async (partition) => {
      for await (const some of countsOf(db, partition, Math.min(max, atOnce))) {
        total += some;
        if (total >= max) return;
      }
    }),
  );
  return Math.min(total, max);
}

/** Entries of one request; half of it of each of several partitions, before it is known what the others have. */
const COUNTED_AT_ONCE = 5_000;

/** A page at a time, of `pageMax` at most. */
async function* countsOf(
  db: DynamoDBDocumentClient,
  partition: Partition,
  pageMax: number,
): AsyncGenerator<number, void> {
  let from: { readonly ExclusiveStartKey?: Item } | undefined = {};
  while (from !== undefined) {
    const answer: { Count?: number | undefined; LastEvaluatedKey?: Item | undefined } = await db.send(
      new QueryCommand({ ...queryOf(partition), Select: 'COUNT', Limit: pageMax, ...from }),
    );
    yield answer.Count ?? 0;
    const last = answer.LastEvaluatedKey;
    from = last === undefined ? undefined : { ExclusiveStartKey: last };
  }
}

function queryOf({ table, index, names: [hashName, rangeName], hash, prefix, between, filter }: Partition) {
  const range =
    between !== undefined
      ? { condition: ' AND #r BETWEEN :from AND :to', values: { ':from': between.from, ':to': between.to } }
      : prefix !== undefined && prefix !== ''
        ? { condition: ' AND begins_with(#r, :prefix)', values: { ':prefix': prefix } }
        : { condition: '', values: {} };
  return {
    TableName: table,
    ...(index === undefined ? { ConsistentRead: true } : { IndexName: index }),
    KeyConditionExpression: `#h = :hash${range.condition}`,
    ExpressionAttributeNames: { '#h': hashName, ...(range.condition === '' ? {} : { '#r': rangeName }) },
    ExpressionAttributeValues: { ':hash': hash, ...range.values },
    ...(filter === undefined ? {} : { FilterExpression: filter }),
  };
}
