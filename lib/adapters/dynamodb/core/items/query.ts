// Queries of one partition of a table or index: its items in order, a page at a time, and how many there are.
import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { deleteItem, type Item, type Table } from './commands.ts';
import { everyItem } from './every-item.ts';

export interface Partition {
  /** Absent: the table itself. */
  readonly index?: string;
  /** Names of the two key attributes; absent: the table's. */
  readonly names?: readonly [hash: string, range: string];
  readonly hash: string;
  /** Of the sort key; absent: the whole partition. */
  readonly range?: RangeCondition;
  readonly filter?: string;
  /** Items are their keys alone. */
  readonly keysOnly?: true;
  /** Tables are read consistently where this is absent; indexes never are. */
  readonly consistency?: 'eventual';
}

export interface RangeCondition {
  readonly condition: string;
  readonly values: Readonly<Item>;
  /** Nothing lies in it: DynamoDB refuses to look where the upper bound is below the lower one. */
  readonly isEmpty?: boolean;
}
export const beginsWith = (prefix: string): RangeCondition => ({
  condition: 'begins_with(#r, :prefix)',
  values: { ':prefix': prefix },
});
/** Both ends are included. */
export const between = (from: string, to: string): RangeCondition => ({
  condition: '#r BETWEEN :from AND :to',
  values: { ':from': from, ':to': to },
  isEmpty: from > to,
});
export const above = (from: string): RangeCondition => ({
  condition: '#r > :from',
  values: { ':from': from },
});
export const below = (to: number | string): RangeCondition => ({
  condition: '#r < :to',
  values: { ':to': to },
});

export interface Reading {
  readonly forward?: boolean;
  /** Items of one request; absent: a megabyte of them. */
  readonly pageMax?: number | (() => number);
  /** Key of the item behind which it begins. */
  readonly after?: object | undefined;
}

export interface Page {
  readonly items: Item[];
  /** Where the next page begins; absent: this was the last one. */
  readonly last?: Item;
}

export async function queryPage(at: Table, partition: Partition, reading: Reading = {}): Promise<Page> {
  const { Items: items = [], LastEvaluatedKey: last } = await query(at, partition, reading);
  return last === undefined ? { items } : { items, last };
}

/** Items as they are needed. */
export const itemsOf = (at: Table, partition: Partition, reading: Reading = {}): AsyncGenerator<Item, void> =>
  everyItem((from) => query(at, partition, reading, from));

export interface Wanted<T> {
  readonly limit?: number;
  readonly forward?: boolean;
  /** Key of the item behind which it begins. */
  readonly after?: object | undefined;
  /** A sort key that is not wanted: the end of a range, which BETWEEN includes. */
  readonly except?: string | undefined;
  /** Undefined for an item that is left out, and does not count towards `limit`. */
  readonly decode: (item: Item) => T | undefined;
}

/** No request asks for more items than are missing, and one for the sort key that is not wanted. */
export async function decodedItems<T>(at: Table, partition: Partition, wanted: Wanted<T>): Promise<T[]> {
  const { limit = Number.POSITIVE_INFINITY, forward = true, after, except, decode } = wanted;
  const found: T[] = [];
  if (limit < 1) return found;
  const spare = except === undefined ? 0 : 1;
  const pageMax = Number.isFinite(limit) ? { pageMax: () => limit - found.length + spare } : {};
  for await (const item of itemsOf(at, partition, { forward, after, ...pageMax })) {
    if (item.sk === except) continue;
    const decoded = decode(item);
    if (decoded !== undefined && found.push(decoded) === limit) break;
  }
  return found;
}

export interface CountedPage<T> {
  readonly limit: number;
  readonly offset: number;
  readonly forward: boolean;
  /** Items of one request at most. */
  readonly pageMax: number;
  /** Counting stops here. */
  readonly totalMax: number;
  /** Undefined for an item that is left out, and keeps its position. */
  readonly decode: (item: Item) => T | undefined;
}

/** A page by position, and how many items there are in all. */
export async function countedPage<T>(at: Table, partition: Partition, page: CountedPage<T>) {
  const { limit, offset, forward, decode } = page;
  const counting = countOf(at, partition, page.totalMax);
  const found: T[] = [];
  let seen = 0;
  const pageMax = Math.min(page.pageMax, offset + limit);
  for await (const item of itemsOf(at, partition, { forward, pageMax })) {
    seen += 1;
    if (seen <= offset) continue;
    const decoded = decode(item);
    if (decoded !== undefined) found.push(decoded);
    if (seen === offset + limit) break;
  }
  return { found, total: await counting };
}

/** How many there are; it stops at `max`. */
export async function countOf(at: Table, partition: Partition, max: number): Promise<number> {
  let count = 0;
  for await (const some of countsOf(at, partition, Math.min(max, COUNTED_AT_ONCE))) {
    count += some;
    if (count >= max) break;
  }
  return Math.min(count, max);
}

/** How many there are in all; it stops soon after `max`, wherever they lie: what others have counted is not read again. */
export async function totalOf(at: Table, partitions: readonly Partition[], max: number): Promise<number> {
  let total = 0;
  const atOnce = COUNTED_AT_ONCE / Math.min(partitions.length, 2);
  await Promise.all(
    partitions.map(async (partition) => {
      for await (const some of countsOf(at, partition, Math.min(max, atOnce))) {
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
async function* countsOf(at: Table, partition: Partition, pageMax: number): AsyncGenerator<number, void> {
  let from: { readonly ExclusiveStartKey?: Item } | undefined = {};
  while (from !== undefined) {
    const counted: QueryCommandOutput = await query(at, partition, { pageMax }, { Select: 'COUNT', ...from });
    const { Count: count = 0, LastEvaluatedKey: last } = counted;
    yield count;
    from = last === undefined ? undefined : { ExclusiveStartKey: last };
  }
}

const query = async (
  at: Table,
  partition: Partition,
  ...how: [Reading, object?]
): Promise<QueryCommandOutput> =>
  partition.range?.isEmpty === true
    ? { Items: [], Count: 0, $metadata: {} }
    : await at.db.send(queryOf(at, partition, ...how));

function queryOf(
  { table }: Table,
  {
    index,
    names: [hashName, rangeName] = ['pk', 'sk'],
    hash,
    range,
    filter,
    keysOnly,
    consistency,
  }: Partition,
  { forward = true, pageMax, after }: Reading,
  more: object = {},
): QueryCommand {
  const source = index === undefined ? { ConsistentRead: consistency === undefined } : { IndexName: index };
  return new QueryCommand({
    TableName: table,
    ...source,
    KeyConditionExpression: range === undefined ? '#h = :hash' : `#h = :hash AND ${range.condition}`,
    ExpressionAttributeNames: { '#h': hashName, ...(range === undefined ? {} : { '#r': rangeName }) },
    ExpressionAttributeValues: { ':hash': hash, ...range?.values },
    ...(filter === undefined ? {} : { FilterExpression: filter }),
    ...(keysOnly === undefined ? {} : { ProjectionExpression: 'pk, sk' }),
    ScanIndexForward: forward,
    ...(pageMax === undefined ? {} : { Limit: typeof pageMax === 'number' ? pageMax : pageMax() }),
    ...(after === undefined ? {} : { ExclusiveStartKey: { ...after } }),
    ...more,
  });
}

const DELETED_AT_ONCE = 25;

/** How many there were. */
export async function deleteAll(at: Table, partition: Pick<Partition, 'hash' | 'range'>): Promise<number> {
  let deleted = 0;
  for (;;) {
    // One page of them: what is deleted makes room for the next.
    const { items: keys } = await queryPage(
      at,
      { ...partition, keysOnly: true },
      { pageMax: DELETED_AT_ONCE },
    );
    if (keys.length === 0) return deleted;
    await Promise.all(keys.map((key) => deleteItem(at, key)));
    deleted += keys.length;
  }
}
