// Marks a minute bucket as due before rows of that minute and shard are written, once per minute, shard and process. The
// bucket stays due until every row in it is over, so rows with lost messages are always found again. The mark also makes
// a shard counted and listed: no configuration says how many there are.
// Guarantees: a caller that continues knows that the bucket is due and stays due, by its own write, or by reading another
// process's mark while the minute lasts. A fold removes the due time an hour after the end of the minute, never before.

import type { Clock, Random } from '#lib/core/ports/clock.ts';
import { DAY_MS, floorTo, MINUTE_MS, minuteOf } from '#lib/core/work/time-slot.ts';
import { bucketEndOf, bucketStartOf, inShard, isSparse, shardOf } from '../../domain/shard.ts';
import type { BucketKey, CounterStore } from '../../ports/counter-store.ts';

/** Buckets are folded for an hour after their end, so within that time a mark need not be repeated. */
const REMEMBERED_MS = 45 * 60_000;
const REMEMBERED_MAX = 10_000;
/** The next minute is marked between the first and the third quarter of the current one. */
const AHEAD_MS = MINUTE_MS / 4;
/**
 * If a thousand processes start at once, it is for one merchant; after this time only processes of busy merchants read
 * first.
 */
const YOUNG_MS = 10_000;
/** The latest due time of a mark of the current minute: its end, and the time a commit may take. */
const SOON_MS = 2 * MINUTE_MS;

/** Where a row is counted. */
export interface CountedAt {
  readonly merchantId: string;
  readonly receivedAtMs: number;
  /** Absent = 0. */
  readonly shard?: number;
}

export function countedAt({
  key,
  receivedAtMs,
  shard = 0,
}: Omit<CountedAt, 'merchantId'> & { readonly key: { readonly merchantId: string } }): CountedAt {
  return inShard({ merchantId: key.merchantId, receivedAtMs }, shard);
}

/** The minute bucket that counts a row. */
export function minuteBucketOf({ merchantId, receivedAtMs, shard = 0 }: CountedAt): BucketKey {
  return inShard({ merchantId, grain: 'minute', startMs: bucketStartOf(receivedAtMs, shard) }, shard);
}

export interface BucketMarker {
  /** Resolves once the buckets of all these rows are due; a bucket this process has marked before costs nothing. */
  markDue(rows: readonly CountedAt[]): Promise<void>;
  /** The same for a row whose commit took so long that its bucket may have been folded without it. */
  markDueAgain(row: CountedAt): Promise<void>;
}

/**
 * `commitMs`: rows of a bucket that is already over are committed within this time of the mark. `among`: the process is
 * one of many that serve the same merchants. While it is young it reads before it writes, and rows of busy merchants
 * mark the next minute as well, each process at a random moment, so that not all of them write when it begins.
 */
export function createBucketMarker(
  counters: Pick<CounterStore, 'markDue' | 'openShard' | 'read' | 'openedShards'>,
  clock: Clock,
  commitMs = 0,
  among?: Pick<Random, 'next'>,
): BucketMarker {
  const aheadMs = among === undefined ? Number.POSITIVE_INFINITY : AHEAD_MS * (1 + 2 * among.next());
  const youngUntilMs = among === undefined ? Number.NEGATIVE_INFINITY : clock.now() + YOUNG_MS;
  /** Merchants that many processes serve: they write to several shards, or a mark of theirs was throttled. */
  const busy = new Set<string>();
  const isBusy = ({ merchantId }: BucketKey): boolean => busy.has(merchantId);
  /** Events of a merchant with few come one to a process: the bucket is marked already by another. */
  const looksFirst = (key: BucketKey): boolean => isSparse(key) || clock.now() < youngUntilMs || isBusy(key);
  const noteBusy = ({ merchantId }: BucketKey): void => {
    if (busy.size >= REMEMBERED_MAX) busy.clear();
    busy.add(merchantId);
  };
  /**
   * For a busy merchant all processes mark the same few items of one partition in the same second: they read first. For
   * any other merchant the one process that serves it writes, and reads only if the write failed.
   */
  const unlessDone = async (
    key: BucketKey,
    isDone: () => Promise<boolean>,
    write: () => Promise<void>,
  ): Promise<void> => {
    const looked = (): Promise<boolean> => isDone().catch(() => false);
    if (looksFirst(key) && (await looked())) return;
    try {
      await write();
    } catch (error) {
      noteBusy(key);
      if (!(await looked())) throw error;
    }
  };
  const once = rememberingOnce(clock);
  /** The shard is listed before its bucket is due, so that every counted row is in a listed shard. */
  const openDay = async (key: BucketKey): Promise<void> => {
    const { merchantId, startMs } = key;
    const shard = shardOf(key);
    if (shard === 0) return;
    if (!isSparse(key)) noteBusy(key);
    const dayMs = floorTo(startMs, DAY_MS);
    const isOpen = async (): Promise<boolean> =>
      (await counters.openedShards(merchantId, dayMs, dayMs + DAY_MS)).some((day) => day.shard === shard);
    await once(`${merchantId}/day/${dayMs}/${shard}`, Number.POSITIVE_INFINITY, () =>
      unlessDone(key, isOpen, () => counters.openShard(merchantId, dayMs, shard)),
    );
  };
  const write = (key: BucketKey): Promise<void> =>
    counters.markDue(key, firstLookMs(key, clock.now(), commitMs));
  /** While the bucket lasts no fold removes its due time: reading it is as good as writing it. */
  const isMarked = async (key: BucketKey): Promise<boolean> => {
    const { dueAtMs = Number.POSITIVE_INFINITY } = (await counters.read(key)) ?? {};
    const nowMs = clock.now();
    return dueAtMs <= minuteOf(nowMs) + SOON_MS && nowMs < bucketEndOf(key);
  };
  const markDue = async (key: BucketKey): Promise<void> => {
    await openDay(key);
    await unlessDone(
      key,
      () => isMarked(key),
      () => write(key),
    );
  };
  const markDueOnce = (key: BucketKey): Promise<void> =>
    once(bucketId(key), bucketEndOf(key) + REMEMBERED_MS, () => markDue(key));
  const isTimeForNext = (key: BucketKey): boolean => {
    if (!isBusy(key)) return false;
    const nowMs = clock.now();
    return nowMs >= key.startMs + aheadMs && nowMs < key.startMs + MINUTE_MS;
  };
  /** Awaited, since a frozen process would not finish it; once a minute, and harmless if it fails. */
  const markNextMinute = async (key: BucketKey): Promise<void> => {
    const next = { ...key, startMs: key.startMs + MINUTE_MS };
    await once(`${bucketId(key)}/ahead`, Number.POSITIVE_INFINITY, () =>
      markDueOnce(next).catch(() => undefined),
    );
  };
  return {
    markDue: async (rows) => {
      const buckets = rows.map(minuteBucketOf);
      await Promise.all([...buckets.map(markDueOnce), ...buckets.filter(isTimeForNext).map(markNextMinute)]);
    },
    markDueAgain: async (row) => {
      await openDay(minuteBucketOf(row));
      await write(minuteBucketOf(row));
    },
  };
}

/** With the end of this minute, where the bucket lasts longer. */
function firstLookMs(key: BucketKey, nowMs: number, commitMs: number): number {
  const endMs = Math.min(bucketEndOf(key), minuteOf(nowMs) + MINUTE_MS);
  return Math.max(key.startMs + MINUTE_MS, endMs, nowMs + commitMs);
}

/** Injective: a merchant's id stands before two numbers. */
export const bucketId = (key: BucketKey): string => `${key.merchantId}/${key.startMs}/${shardOf(key)}`;

type Once = (id: string, untilMs: number, act: () => Promise<void>) => Promise<void>;

/**
 * Does something once until a given time, unless it failed. Concurrent callers share one run: a batch marks its minute
 * once.
 */
function rememberingOnce(clock: Clock): Once {
  const begunBefore = new Map<string, Promise<void>>();
  return (id, untilMs, act) => {
    const known = begunBefore.get(id);
    if (known !== undefined && clock.now() < untilMs) return known;
    if (begunBefore.size >= REMEMBERED_MAX) begunBefore.clear();
    const begun = act();
    begunBefore.set(id, begun);
    begun.catch(() => {
      if (begunBefore.get(id) === begun) begunBefore.delete(id);
    });
    return begun;
  };
}
