// The sparse index of what is due, in two forms.
// By time (`dp` shard, `da` due at, milliseconds): for items of which nobody has many.
// By group (`dp` shard, `da` <group>|<due at>): the items of a group stand beside each other, the longest due first, so that
// a reader steps over a group of any size with one query. A group is what a merchant has due, or what one of its
// connections has parked.
import { hash } from 'node:crypto';
import { groupShard } from '#lib/core/work/due-shard.ts';
import type { Item, Table } from './commands.ts';
import { above, below, between, queryPage } from './query.ts';

/** Items of one shard that were due before `beforeMs`, the longest due first, in pages: their keys, `dp` and `da`. */
export async function queryDueItems(
  at: Table,
  index: string,
  shard: number,
  beforeMs: number,
  page: { readonly pageMax: number; readonly cursor?: string | undefined },
): Promise<ItemPage> {
  const due = { index, names: NAMES, hash: String(shard), range: below(beforeMs) };
  return await pageBehind(at, due, page);
}

interface ItemPage {
  readonly items: Item[];
  readonly cursor?: string;
}

async function pageBehind(
  at: Table,
  query: Parameters<typeof queryPage>[1],
  { pageMax, cursor }: { readonly pageMax: number; readonly cursor?: string | undefined },
): Promise<ItemPage> {
  const after =
    cursor === undefined ? undefined : (JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Item);
  const { items, last } = await queryPage(at, query, { pageMax, after });
  return last === undefined
    ? { items }
    : { items, cursor: Buffer.from(JSON.stringify(last)).toString('base64url') };
}

const NAMES = ['dp', 'da'] as const;

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
  at: Table,
  index: string,
  shard: number,
  past: DueGroup | undefined,
  limit: number,
): Promise<{ readonly items: Item[]; readonly isCut: boolean }> {
  const range = above(past === undefined ? '!' : `${groupText(past)}${SEPARATOR}${END}`);
  const groups = { index, names: NAMES, hash: String(shard), range };
  const { items, last } = await queryPage(at, groups, { pageMax: limit });
  return { items, isCut: last !== undefined };
}

/** Entries of one group in one shard that are due before `beforeMs`, the longest due first, in pages. */
export async function queryGroup(
  at: Table,
  index: string,
  { shard, group, beforeMs, limit, cursor }: GroupQuery,
): Promise<ItemPage> {
  const first = groupText(group) + SEPARATOR;
  const end = Number.isFinite(beforeMs) ? timeText(beforeMs - 1) : END;
  const due = { index, names: NAMES, hash: String(shard), range: between(first, first + end) };
  return await pageBehind(at, due, { pageMax: limit, cursor });
}

export interface GroupQuery {
  readonly shard: number;
  readonly group: DueGroup;
  /** Infinity: whenever they are due. */
  readonly beforeMs: number;
  readonly limit: number;
  readonly cursor?: string;
}
