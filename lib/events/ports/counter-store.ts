// Analytics counters: one row per merchant and time bucket, always a fold of event rows, never incremented. A minute has a
// row per shard that anybody announced; hours and days are sums over all of them.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/work/time-slot.ts';
import type { BucketCounters } from '../domain/analytics/analytics.ts';
import type { SeriesParts } from '../domain/analytics/series.ts';
import type { Settled, SettledCredits } from '../domain/analytics/settled-credit.ts';

/** Length of a bucket, milliseconds; of minutes, `bucketMsOf` the shard. */
export const GRAIN_MS = { day: DAY_MS, hour: HOUR_MS, minute: MINUTE_MS } as const;
/** What a bucket is the sum of. */
export const FINER = { day: 'hour', hour: 'minute' } as const;

export interface BucketKey {
  readonly merchantId: string;
  readonly grain: 'minute' | 'hour' | 'day';
  /** Start of the bucket, UTC, milliseconds, a multiple of the grain. */
  readonly startMs: number;
  /** Of a minute: which part of its rows; absent = 0. Hours and days have none. */
  readonly shard?: number;
}

export interface BucketRow {
  readonly key: BucketKey;
  /** Moves with every write and touch; 0 = there is no row. */
  readonly version: number;
  readonly counters: BucketCounters;
  /** When the bucket must be folded again; absent once it is sealed and every delivery in it is over. */
  readonly dueAtMs?: number;
  /** When its counters were last written; absent on a bucket that was only announced. */
  readonly foldedAtMs?: number;
  /** Of an hour whose minutes have had more shards than are summed with each count: how many. */
  readonly shards?: number;
  /**
   * Its counters cut where days of time zones begin: of some hours, and of a day that is written; those of a day are read with
   * `partsOfDays`.
   */
  readonly parts?: SeriesParts;
  /** Of a day: digest of the parts that were written with it. */
  readonly cut?: string;
  /** Its counters cannot be read, and are shown as none. Counting the bucket anew mends it. */
  readonly unreadable?: true;
  /** Of a minute: what its rows are credited to instead of what they say. `settle` alone writes it. */
  readonly settled?: Settled;
}

export interface CounterStore {
  /** Consistent read. */
  read(key: BucketKey): Promise<BucketRow | null>;
  /** Consistent, ascending, of one grain with fromMs <= start < toMs; of minutes every shard that was announced. */
  range(
    merchantId: string,
    grain: BucketKey['grain'],
    fromMs: number,
    toMs: number,
  ): Promise<readonly BucketRow[]>;
  /**
   * Overwrites if the stored version is still `row.version - 1` (0: no row yet). Throws `CountersTooLarge` for what no item
   * holds: writing it again soon is no use.
   */
  write(row: BucketRow): Promise<boolean>;
  /**
   * Announces that rows of the bucket are about to change: sets its due time (earlier or later than it was) and moves its
   * version, creating an empty row where there is none. A fold that read the bucket before this cannot be written any more,
   * and one that reads it later leaves the due time alone until it has come.
   */
  markDue(key: BucketKey, dueAtMs: number): Promise<void>;
  /**
   * Writes what rows of the bucket are credited to, if that was written `seen` times before, and marks it due in the same write: a
   * fold that read the bucket before cannot be written any more.
   */
  settle(
    key: BucketKey,
    credits: SettledCredits,
    seen: Settled['revision'],
    dueAtMs: number,
  ): Promise<boolean>;
  /** Eventual, by start; of those days alone whose parts are of the counters that stand there now. */
  partsOfDays(
    merchantId: string,
    days: readonly Pick<BucketRow, 'key' | 'cut'>[],
  ): Promise<ReadonlyMap<number, SeriesParts>>;
  /**
   * Announces that rows of a shard > 0 of this UTC day are about to appear, for whoever lists the day's rows: to find its
   * shards among its buckets would be to read them all. Announced again, it changes nothing.
   */
  openShard(merchantId: string, dayMs: number, shard: number): Promise<void>;
  /** Consistent: every shard > 0 that was announced for the UTC days that [fromMs, toMs) touches, by day. */
  openedShards(merchantId: string, fromMs: number, toMs: number): Promise<readonly OpenedShard[]>;
  /** Keys of buckets due before `beforeMs` in one shard, oldest first, in pages; without a cursor it was the last. */
  due(
    shard: number,
    beforeMs: number,
    page: { readonly pageMax: number; readonly cursor?: string | undefined },
  ): Promise<{
    readonly due: readonly { readonly key: BucketKey; readonly dueAtMs: number }[];
    readonly cursor?: string;
  }>;
}

/** Counters that are larger than an item may be: somebody must look, and a later release may store them. */
export class CountersTooLarge extends Error {
  override readonly name = 'CountersTooLarge';

  constructor({ grain, startMs }: BucketKey, sizeBytes: number) {
    super(`the ${grain} at ${new Date(startMs).toISOString()} has ${sizeBytes} bytes of counters`);
  }
}

export interface OpenedShard {
  /** Start of the UTC day. */
  readonly dayMs: number;
  readonly shard: number;
}

/**
 * Shards of the due index of buckets, each a query of every sweep. A bucket is written to it four times or so: 100,000 merchants
 * who send every minute make 210 writes a second in each, and what begins in the same second twice that.
 */
export const BUCKET_SHARDS = 32;
