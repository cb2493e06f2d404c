// Analytics counters on DynamoDB. One item per merchant, grain and slot; of minutes one per shard.
//   pk <merchant>#<grain>   sk ISO start; `<ISO start>#<k36>` for the shard k > 0 of a minute
//      v version   c counters, packed   fa folded at   n shards (hours that have many)   dp/da index due (sparse)
//      of minutes: k what rows are credited to since, packed   kn how often that was written
//      of hours: sp parts, packed   sv the version they were written with: with another one they are another release's
//      of days: sd digest of the parts   sv likewise
//   pk <merchant>#parts     sk ISO day   sp parts of the day, packed   sd their digest
//   pk <merchant>#shards    sk `<ISO day>#<k36>`: shard k > 0 has rows of this day; nothing else is in it
import { dueShard } from '#lib/core/work/due-shard.ts';
import { DAY_MS, floorTo } from '#lib/core/work/time-slot.ts';
import { EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import type { SeriesParts } from '#lib/events/domain/analytics/series.ts';
import { NOT_SETTLED, SETTLED_CREDITS } from '#lib/events/domain/analytics/settled-credit.ts';
import { boundedSources } from '#lib/events/domain/analytics/sum.ts';
import { inShard, parseShard, shardOf, shardSuffix } from '#lib/events/domain/shard.ts';
import { INDEX } from '#lib/events/domain/topology.ts';
import {
  BUCKET_SHARDS,
  type BucketKey,
  type BucketRow,
  type CounterStore,
  CountersTooLarge,
  type OpenedShard,
} from '#lib/events/ports/counter-store.ts';
import { type Db, getItem, type Item, type Table, updateItem } from '../core/items/commands.ts';
import { queryDueItems } from '../core/items/due-index.ts';
import { between, decodedItems, itemsOf } from '../core/items/query.ts';
import { isCounters, isSeriesParts, packCounters, unpackCounters } from './rows/event-codec.ts';

/** DynamoDB takes 400 KB per item; keys and numbers need less than one. */
const PACKED_MAX_BYTES = 399 * 1_024;

export function createCounterStore(db: Db, table: string): CounterStore {
  const analytics = { db, table };
  return {
    async read(key) {
      const item = await getItem(analytics, itemKey(key));
      return item === undefined ? null : readSlot(item);
    },

    async range(merchantId, grain, fromMs, toMs) {
      const items = await itemsBetween(analytics, `${merchantId}#${grain}`, fromMs, toMs);
      return items.map(readSlot).filter(({ key }) => isSlot(key));
    },

    async write(row) {
      const packed = packCounters(row.counters);
      if (packed.byteLength > PACKED_MAX_BYTES) throw new CountersTooLarge(row.key, packed.byteLength);
      const shards = row.shards === undefined ? '' : ', n = :shards';
      // Before the day: its digest says whose they are.
      if (row.parts !== undefined && row.cut !== undefined)
        await writeParts(analytics, row.key, row.parts, row.cut);
      const parts = partsChange(row);
      const due = row.dueAtMs === undefined ? ' REMOVE dp, da' : ', dp = :dp, da = :da';
      return await updateItem(analytics, itemKey(row.key), {
        update: `SET v = :version, c = :counters, fa = :folded${shards}${parts.set}${due}`,
        condition: row.version === 1 ? 'attribute_not_exists(v)' : 'v = :seen',
        values: {
          ':version': row.version,
          ':counters': packed,
          ':folded': row.foldedAtMs ?? 0,
          ...(row.shards === undefined ? {} : { ':shards': row.shards }),
          ...parts.values,
          ...(row.version === 1 ? {} : { ':seen': row.version - 1 }),
          ...(row.dueAtMs === undefined ? {} : { ':dp': duePartition(row.key), ':da': row.dueAtMs }),
        },
      });
    },

    async markDue(key, dueAtMs) {
      await updateItem(analytics, itemKey(key), {
        update: 'SET dp = :dp, da = :da ADD v :one',
        values: { ':dp': duePartition(key), ':da': dueAtMs, ':one': 1 },
      });
    },

    settle: (...write) => writeSettled(analytics, ...write),

    async partsOfDays(merchantId, days) {
      const cuts = new Map(days.flatMap(({ key, cut }) => (cut === undefined ? [] : [[key.startMs, cut]])));
      const starts = [...cuts.keys()];
      if (starts.length === 0) return new Map();
      const range = between(sortKey(Math.min(...starts)), sortKey(Math.max(...starts)));
      const found = new Map<number, SeriesParts>();
      const all = { hash: partsPartition(merchantId), range, consistency: 'eventual' } as const;
      for await (const item of itemsOf(analytics, all)) {
        const startMs = Date.parse(String(item.sk));
        const parts = cuts.get(startMs) === item.sd ? unpackedParts(item.sp) : undefined;
        if (parts !== undefined) found.set(startMs, parts);
      }
      return found;
    },

    async openShard(merchantId, dayMs, shard) {
      // An update without expression creates the item if it is missing.
      const key = { pk: shardsPartition(merchantId), sk: sortKey(dayMs) + shardSuffix('#', shard) };
      await updateItem(analytics, key, {});
    },

    async openedShards(merchantId, fromMs, toMs) {
      const fromDayMs = floorTo(fromMs, DAY_MS);
      const items = await itemsBetween(analytics, shardsPartition(merchantId), fromDayMs, toMs);
      return items.map(openedShard).filter(({ dayMs, shard }) => Number.isFinite(dayMs + shard));
    },

    async due(shard, beforeMs, page) {
      const { items, ...next } = await queryDueItems(analytics, INDEX.due, shard, beforeMs, page);
      const due = items.map((item) => ({ key: parseKey(item), dueAtMs: Number(item.da) }));
      return { due: due.filter(({ key }) => isSlot(key)), ...next };
    },
  };
}

const sortKey = (ms: number): string => new Date(ms).toISOString();
const partsPartition = (merchantId: string): string => `${merchantId}#parts`;
const shardsPartition = (merchantId: string): string => `${merchantId}#shards`;

/** A start sorts before its shards, and these before the next start: the shards of the last start are included. */
const itemsBetween = (analytics: Table, hash: string, fromMs: number, toMs: number): Promise<Item[]> =>
  decodedItems(
    analytics,
    { hash, range: between(sortKey(fromMs), `${sortKey(toMs - 1)}#~`) },
    { decode: (item) => item },
  );

function openedShard({ sk }: Item): OpenedShard {
  const [start = '', shard] = String(sk).split('#');
  return { dayMs: Date.parse(start), shard: parseShard(shard) };
}

function itemKey(key: BucketKey): { pk: string; sk: string } {
  return {
    pk: `${key.merchantId}#${key.grain}`,
    sk: sortKey(key.startMs) + shardSuffix('#', shardOf(key)),
  };
}

function duePartition(key: BucketKey): string {
  const { pk, sk } = itemKey(key);
  return String(dueShard(pk + sk, BUCKET_SHARDS));
}

function parseKey(item: Item): BucketKey {
  const pk = String(item.pk);
  const at = pk.lastIndexOf('#');
  const [start = '', shard] = String(item.sk).split('#');
  const key: BucketKey = {
    merchantId: pk.slice(0, at),
    grain: pk.slice(at + 1) as BucketKey['grain'],
    startMs: Date.parse(start),
  };
  return inShard(key, parseShard(shard));
}

/** A key without a valid time or shard was not written by this code; its slot cannot be counted. */
const isSlot = (key: BucketKey): boolean => Number.isFinite(key.startMs + shardOf(key));

export function readSlot(item: Item): BucketRow {
  return {
    key: parseKey(item),
    version: Number(item.v),
    ...readCounters(item.c),
    ...readParts(item),
    ...readSettled(item),
    ...(item.n === undefined ? {} : { shards: Number(item.n) }),
    ...(item.da === undefined ? {} : { dueAtMs: Number(item.da) }),
    ...(Number(item.fa ?? 0) === 0 ? {} : { foldedAtMs: Number(item.fa) }),
  };
}

/** Of a day the digest of its parts, which lie apart; of an hour its parts. */
function partsChange({ parts, cut }: Pick<BucketRow, 'parts' | 'cut'>) {
  if (cut !== undefined) return { set: ', sd = :cut, sv = :version', values: { ':cut': cut } };
  if (parts === undefined) return { set: '', values: {} };
  return { set: ', sp = :parts, sv = :version', values: { ':parts': packCounters(parts) } };
}

async function writeParts(
  analytics: Table,
  { merchantId, startMs }: BucketKey,
  parts: SeriesParts,
  cut: string,
): Promise<void> {
  await updateItem(
    analytics,
    { pk: partsPartition(merchantId), sk: sortKey(startMs) },
    { update: 'SET sp = :parts, sd = :cut', values: { ':parts': packCounters(parts), ':cut': cut } },
  );
}

function readParts({ v, sv, sp, sd }: Item): Pick<BucketRow, 'parts' | 'cut'> {
  if (sv !== v) return {};
  const parts = sp === undefined ? undefined : unpackedParts(sp);
  return {
    ...(parts === undefined ? {} : { parts }),
    ...(typeof sd === 'string' ? { cut: sd } : {}),
  };
}

async function writeSettled(
  analytics: Table,
  ...[key, credits, seen, dueAtMs]: Parameters<CounterStore['settle']>
): Promise<boolean> {
  return await updateItem(analytics, itemKey(key), {
    update: 'SET k = :settled, kn = :next, dp = :dp, da = :da ADD v :one',
    condition: seen === 0 ? 'attribute_not_exists(kn)' : 'kn = :seen',
    values: {
      ...{ ':settled': packCounters(credits), ':next': seen + 1, ':one': 1 },
      ...{ ':dp': duePartition(key), ':da': dueAtMs },
      ...(seen === 0 ? {} : { ':seen': seen }),
    },
  });
}

/** Where it cannot be read, rows count as they say until it is settled anew. */
function readSettled({ k, kn }: Item): Pick<BucketRow, 'settled'> {
  if (kn === undefined) return {};
  try {
    return { settled: { revision: Number(kn), credits: SETTLED_CREDITS.parse(unpackCounters(k)) } };
  } catch {
    return { settled: { ...NOT_SETTLED, revision: Number(kn) } };
  }
}

/** Undefined where they cannot be read: then the finer counters are. */
export function unpackedParts(packed: unknown): SeriesParts | undefined {
  try {
    const parts = unpackCounters(packed);
    return isSeriesParts(parts) ? parts : undefined;
  } catch {
    return undefined;
  }
}

function readCounters(packed: unknown): Pick<BucketRow, 'counters' | 'unreadable'> {
  if (packed === undefined) return { counters: EMPTY_COUNTERS };
  try {
    const counters = unpackCounters(packed);
    // Counters of earlier releases may name more sources than are kept today.
    if (isCounters(counters))
      return { counters: { ...counters, bySource: boundedSources(counters.bySource) } };
  } catch {
    // Garbage, or a format of another release: the rows are the truth, and the slot is counted from them again.
  }
  return { counters: EMPTY_COUNTERS, unreadable: true };
}
