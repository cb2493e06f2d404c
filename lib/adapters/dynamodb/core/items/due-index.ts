// The sparse index of what is due, in two forms.
// By time (`dp` shard, `da` due at, milliseconds): for items of which nobody has many.
// By group (`dp` shard, `da` <group>|<due at>): the items of a group stand beside each other, the longest due first, so that
// a reader steps over a group of any size with one query. A group is what a merchant has due, or what one of its
// connections has parked.
import { hash } from 'node:crypto';
import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { groupShard } from '#lib/core/work/due-shard.ts';

type Item = Record<string, unknown>;

export interface IndexSource {
  readonly table: string;
  readonly index: string;
}

/** Items of one shard that were due before `beforeMs`, the longest due first: their keys, `dp` and `da`. */
export async function queryDueItems(
  db: DynamoDBDocumentClient,
  source: IndexSource,
  shard: number,
  beforeMs: number,
  limit: number,
): Promise<Item[]> {
  const { Items: items = [] } = await db.send(
    new QueryCommand({
      TableName: source.table,
      IndexName: source.index,
      KeyConditionExpression: 'dp = :shard AND da < :before',
      ExpressionAttributeValues: { ':shard': String(shard), ':before': beforeMs },
      Limit: limit,
    }),
  );
  return items;
}

export interface DueGroup {
  readonly merchantId: string;
  /** Slugs of the platforms whose connections are waited for; absent: what is due in the ordinary way. */
  readonly parkedFor?: string | undefined;
}

/** Between a group and the time: no digest and no slug holds it, and it sorts behind all they hold. */
const SEPARATOR = '|';
/** Behind every time of a group. */
const END = '~';
const TIME_DIGITS = 9;

/** 96 bits of digest stand for the merchant: every byte here is paid twice. */
function groupText({ merchantId, parkedFor }: DueGroup): string {
  const digest = hash('sha256', merchantId, 'base64url').slice(0, 16);
  return parkedFor === undefined ? digest : `${digest}:${parkedFor}`;
}

const timeText = (atMs: number): string =>
  Math.max(0, Math.floor(atMs)).toString(36).padStart(TIME_DIGITS, '0').slice(-TIME_DIGITS);

/** Where an item is entered; `item` is its partition key. */
export function dueEntry(
  group: DueGroup,
  item: string,
  atMs: number,
  shards: number,
): { readonly dp: string; readonly da: string } {
  const text = groupText(group);
  return {
    dp: String(groupShard(text, item, shards)),
    da: `${text}${SEPARATOR}${timeText(atMs)}`,
  };
}

/**
 * When an entry is due, and what for; null for what is no entry of this form. A time alone is what rows had before there were
 * groups: no index with groups lists such a row.
 */
export function parseDue(da: unknown): { readonly atMs: number; readonly parkedFor?: string } | null {
  if (typeof da === 'number') return { atMs: da };
  if (typeof da !== 'string') return null;
  const at = da.lastIndexOf(SEPARATOR);
  const colon = da.indexOf(':');
  const atMs = Number.parseInt(da.slice(at + 1), 36);
  if (at < 0 || !Number.isFinite(atMs)) return null;
  return colon < 0 ? { atMs } : { atMs, parkedFor: da.slice(colon + 1, at) };
}

/** Entries of a shard, group after group, behind the group `past`. `isCut`: there are more, perhaps of the last group. */
export async function queryGroups(
  db: DynamoDBDocumentClient,
  source: IndexSource,
  shard: number,
  past: DueGroup | undefined,
  limit: number,
): Promise<{ readonly items: Item[]; readonly isCut: boolean }> {
  const { Items: items = [], LastEvaluatedKey: last } = await db.send(
    new QueryCommand({
      TableName: source.table,
      IndexName: source.index,
      KeyConditionExpression: 'dp = :shard AND da > :past',
      ExpressionAttributeValues: {
        ':shard': String(shard),
        ':past': past === undefined ? '!' : `${groupText(past)}${SEPARATOR}${END}`,
      },
      Limit: limit,
    }),
  );
  return { items, isCut: last !== undefined };
}

/** Entries of one group in one shard that are due before `beforeMs`, the longest due first, in pages. */
export async function queryGroup(
  db: DynamoDBDocumentClient,
  source: IndexSource,
  { shard, group, beforeMs, limit, cursor }: GroupQuery,
): Promise<{ readonly items: Item[]; readonly cursor?: string }> {
  const text = groupText(group);
  const { Items: items = [], LastEvaluatedKey: last } = await db.send(
    new QueryCommand({
      TableName: source.table,
      IndexName: source.index,
      KeyConditionExpression: 'dp = :shard AND da BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':shard': String(shard),
        ':from': `${text}${SEPARATOR}`,
        ':to': text + SEPARATOR + (Number.isFinite(beforeMs) ? timeText(beforeMs - 1) : END),
      },
      Limit: limit,
      ...(cursor === undefined
        ? {}
        : { ExclusiveStartKey: JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Item }),
    }),
  );
  return last === undefined
    ? { items }
    : { items, cursor: Buffer.from(JSON.stringify(last)).toString('base64url') };
}

export interface GroupQuery {
  readonly shard: number;
  readonly group: DueGroup;
  /** Infinity: whenever they are due. */
  readonly beforeMs: number;
  readonly limit: number;
  readonly cursor?: string;
}
