// The analytics table in memory: values copied in and frozen, every write one atomic conditional write.

import { dueShard } from '#lib/core/work/due-shard.ts';
import { EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import type { SeriesParts } from '#lib/events/domain/analytics/series.ts';
import { shardOf } from '#lib/events/domain/shard.ts';
import {
  BUCKET_SHARDS,
  type BucketKey,
  type BucketRow,
  type CounterStore,
  type OpenedShard,
} from '#lib/events/ports/counter-store.ts';
import { createSortedEntries, type SortedEntries } from '../../scale/dynamodb/sorted-entries.ts';
import { frozenCopy } from './frozen-copy.ts';

export interface MemoryCounterStore extends CounterStore {
  /** Its counters are lost, as if their bytes were garbage: they cannot be read until they are written again. */
  spoil(key: BucketKey): void;
  /** Every slot row, for checks and tests: no part of the port. */
  rows(): readonly BucketRow[];
}

export interface MemoryCounterStoreOptions {
  /** As the event store's: runs the updates of one `item` in order, at once unless a simulation delays them. */
  readonly publishIndex?: (item: string, update: () => void) => void;
}

export function createMemoryCounterStore(options: MemoryCounterStoreOptions = {}): MemoryCounterStore {
  const slots = new Map<string, BucketRow>();
  /** The same, by merchant and grain, in their order: a range is read more often than anything else. */
  const ranges = new Map<string, SortedEntries<BucketRow>>();
  const shards = Array.from({ length: BUCKET_SHARDS }, () => new Map<string, BucketRow>());
  const ofDays = new Map<string, { readonly cut: string; readonly parts: SeriesParts }>();
  const opened = new Map<string, OpenedShard & { readonly merchantId: string }>();
  const publish = options.publishIndex ?? ((_item, update) => update());

  const put = (row: BucketRow): void => {
    const stored = frozenCopy(row);
    const id = slotText(stored.key);
    slots.set(id, stored);
    const { merchantId, grain } = stored.key;
    const range = ranges.get(`${grain}/${merchantId}`) ?? createSortedEntries(byStart);
    ranges.set(`${grain}/${merchantId}`, range);
    range.remove(stored);
    range.insert(stored);
    publish(id, () => {
      const shard = shards[dueShard(id, BUCKET_SHARDS)];
      if (stored.dueAtMs === undefined) shard?.delete(id);
      else shard?.set(id, stored);
    });
  };

  const announced = (key: BucketKey, dueAtMs: number): BucketRow => {
    const stored = slots.get(slotText(key));
    return {
      key,
      version: (stored?.version ?? 0) + 1,
      counters: stored?.counters ?? EMPTY_COUNTERS,
      dueAtMs,
      ...(stored?.foldedAtMs === undefined ? {} : { foldedAtMs: stored.foldedAtMs }),
      ...(stored?.unreadable === undefined ? {} : { unreadable: stored.unreadable }),
      ...(stored?.shards === undefined ? {} : { shards: stored.shards }),
      ...(stored?.settled === undefined ? {} : { settled: stored.settled }),
    };
  };

  return {
    read: async (key) => slots.get(slotText(key)) ?? null,
    range: async (merchantId, grain, fromMs, toMs) => {
      const found: BucketRow[] = [];
      const range = ranges.get(`${grain}/${merchantId}`);
      for (const row of range?.from(({ key }) => key.startMs < fromMs) ?? []) {
        if (row.key.startMs >= toMs) break;
        found.push(row);
      }
      return found;
    },
    write: async (row) => {
      const stored = slots.get(slotText(row.key));
      if ((stored?.version ?? 0) !== row.version - 1) return false;
      const { settled: _, ...own } = row;
      const { parts, cut, ...bare } =
        stored?.settled === undefined ? own : { ...own, settled: stored.settled };
      if (parts !== undefined && cut !== undefined) ofDays.set(slotText(row.key), { cut, parts });
      const kept = {
        ...bare,
        ...(parts === undefined || cut !== undefined ? {} : { parts }),
        ...(cut === undefined ? {} : { cut }),
      };
      put(
        row.shards === undefined && stored?.shards !== undefined ? { ...kept, shards: stored.shards } : kept,
      );
      return true;
    },
    markDue: async (key, dueAtMs) => put(announced(key, dueAtMs)),
    settle: async (key, credits, seen, dueAtMs) => {
      const stored = slots.get(slotText(key));
      if ((stored?.settled?.revision ?? 0) !== seen) return false;
      put({ ...announced(key, dueAtMs), settled: { revision: seen + 1, credits } });
      return true;
    },
    partsOfDays: async (merchantId, days) => {
      const found = days.flatMap(({ key, cut }) => {
        const stored = ofDays.get(slotText({ ...key, merchantId }));
        return stored === undefined || cut !== stored.cut ? [] : [[key.startMs, stored.parts] as const];
      });
      return new Map(found);
    },
    openShard: async (merchantId, dayMs, shard) =>
      void opened.set(`${merchantId}/${dayMs}/${shard}`, { merchantId, dayMs, shard }),
    openedShards: async (merchantId, fromMs, toMs) =>
      [...opened.values()]
        .filter((one) => one.merchantId === merchantId && one.dayMs < toMs && one.dayMs + DAY_MS > fromMs)
        .sort((a, b) => a.dayMs - b.dayMs || a.shard - b.shard)
        .map(({ dayMs, shard }) => ({ dayMs, shard })),
    due: async (shard, beforeMs, { pageMax, cursor = '0' }) => {
      const all = [...(shards[shard]?.values() ?? [])]
        .flatMap(({ key, dueAtMs }) =>
          dueAtMs !== undefined && dueAtMs < beforeMs ? [{ key, dueAtMs }] : [],
        )
        .sort((a, b) => a.dueAtMs - b.dueAtMs);
      const end = Number(cursor) + pageMax;
      return { due: all.slice(Number(cursor), end), ...(end < all.length ? { cursor: String(end) } : {}) };
    },
    spoil: (key) => {
      const stored = slots.get(slotText(key));
      if (stored !== undefined) put({ ...stored, counters: EMPTY_COUNTERS, unreadable: true });
    },
    rows: () => [...slots.values()],
  };
}

const DAY_MS = 86_400_000;

const byStart = (a: BucketRow, b: BucketRow): number =>
  a.key.startMs - b.key.startMs || shardOf(a.key) - shardOf(b.key);

export function slotText(key: BucketKey): string {
  const slot = `${key.merchantId}/${key.grain}/${key.startMs}`;
  return shardOf(key) === 0 ? slot : `${slot}/${shardOf(key)}`;
}
