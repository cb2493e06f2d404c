// Picks the shard of its merchant that a row is written to, per process: one shard for all rows of a minute, so that
// few slots are marked, and a different one than in most other processes. The number of shards comes from the profile,
// which is read from time to time for busy merchants; after throttling it is larger for a while. Rows of merchants with
// few events go to the sparse shard. Guarantees: never
// waits and never fails; any pick is correct, because the writer defines a row's shard.

import type { Clock, Random } from '#lib/core/ports/clock.ts';
import { dueShard } from '#lib/core/work/due-shard.ts';
import { MINUTE_MS, minuteOf } from '#lib/core/work/time-slot.ts';
import { SHARDS_MAX, SPARSE_SHARD } from '#lib/events/domain/shard.ts';
import type { MerchantStore } from '#lib/events/ports/merchant-store.ts';

export interface ShardPick {
  readonly shard: number;
  /** Number of shards it was picked from. */
  readonly of: number;
}

export interface ShardPicker {
  pick(merchantId: string): ShardPick;
  /**
   * A write to this shard was throttled: this process now picks another one, and from more shards if moving does not
   * help.
   */
  throttled(merchantId: string, pick: ShardPick): ShardPick;
}

const BUSY_ROWS = 250;
/** A merchant has few events if it sends no more to one process in a minute: with a hundred processes 20,000 in a bucket. */
const SPARSE_ROWS_MAX = 20;
const PROFILE_AGE_MAX_MS = 30_000;
/** Long enough for the profile to grow, if it should: it is updated when a minute is over and folded. */
const GROWN_MS = 3 * MINUTE_MS;
/**
 * A thousand processes that fill one shard together would fill the next one together as well. So they scatter at once,
 * over enough shards for most merchants that outgrow one.
 */
const FIRST_SHARDS = 8;
/**
 * One shard may have more processes than others. A process that meets a second full one within this time assumes that
 * all are full.
 */
const FULL_MS = 200;
/** DynamoDB limits a partition by the second. */
const LATER_MS = 1_000;
const REMEMBERED_MAX = 10_000;

/** Where a process went from a full shard, and which shard it uses once that second is over. */
interface Grown {
  readonly atOnce: ShardPick;
  readonly later: ShardPick;
  readonly laterMs: number;
  readonly untilMs: number;
}

interface Writing {
  minuteMs: number;
  rows: number;
  rowsBefore: number;
  /** From the profile. */
  profileShards: number;
  readAtMs: number;
  grown?: Grown;
  throttledAtMs: number;
}

export interface ShardPickerPorts {
  readonly config: Pick<MerchantStore, 'merchant'>;
  readonly clock: Clock;
  readonly random: Pick<Random, 'next'>;
}

/**
 * `busyRows`: the profile is read for a merchant that sends this many rows to one process in a minute, or is throttled.
 */
export function createShardPicker(
  { config, clock, random }: ShardPickerPorts,
  busyRows = BUSY_ROWS,
): ShardPicker {
  const tag = Math.floor(random.next() * 2 ** 32).toString(36);
  const merchants = new Map<string, Writing>();

  const writingOf = (merchantId: string): Writing => {
    const known = merchants.get(merchantId);
    if (known !== undefined) return known;
    if (merchants.size >= REMEMBERED_MAX) merchants.clear();
    const never = Number.NEGATIVE_INFINITY;
    const fresh: Writing = {
      minuteMs: 0,
      rows: 0,
      rowsBefore: 0,
      profileShards: 1,
      readAtMs: never,
      throttledAtMs: never,
    };
    merchants.set(merchantId, fresh);
    return fresh;
  };
  const readProfile = async (merchantId: string, writing: Writing): Promise<void> => {
    try {
      const { shards = 1 } = (await config.merchant(merchantId)) ?? {};
      writing.profileShards = Math.min(Math.max(Math.trunc(shards) || 1, 1), SHARDS_MAX);
    } catch {
      // Keep the old value; read again in half a minute.
    }
  };
  const look = (merchantId: string, writing: Writing, nowMs: number): void => {
    if (nowMs < writing.readAtMs + PROFILE_AGE_MAX_MS) return;
    writing.readAtMs = nowMs;
    // Not awaited: later rows use the result.
    void readProfile(merchantId, writing);
  };
  const count = (merchantId: string, writing: Writing, nowMs: number): void => {
    countRow(writing, nowMs);
    if (writing.rows >= busyRows || writing.profileShards > 1) look(merchantId, writing, nowMs);
  };
  const current = (merchantId: string, writing: Writing, nowMs: number): ShardPick => {
    const { grown, profileShards } = writing;
    if (grown !== undefined && nowMs < grown.untilMs && grown.later.of >= profileShards)
      return nowMs < grown.laterMs ? grown.atOnce : grown.later;
    if (hasFewEvents(writing)) return { shard: SPARSE_SHARD, of: 1 };
    return { shard: dueShard(`${tag}/${merchantId}`, profileShards), of: profileShards };
  };
  const between = (from: number, to: number): number => from + Math.floor(random.next() * (to - from));
  /** To more shards. All throttled processes go there, so at first only to new shards, then evenly to all. */
  const scattered = (of: number): Pick<Grown, 'atOnce' | 'later'> => {
    const wanted = Math.max(of * 2, FIRST_SHARDS);
    return {
      atOnce: { shard: between(of, wanted), of: wanted },
      later: { shard: between(0, wanted), of: wanted },
    };
  };
  /**
   * To another one of the same number. Half of the processes come back: if all of them stayed away, another shard would
   * be full.
   */
  const moved = ({ shard, of }: ShardPick): Pick<Grown, 'atOnce' | 'later'> => {
    const other = { shard: (shard + between(1, of)) % of, of };
    return { atOnce: other, later: random.next() < 0.5 ? other : { shard, of } };
  };
  return {
    pick(merchantId) {
      const nowMs = clock.now();
      const writing = writingOf(merchantId);
      count(merchantId, writing, nowMs);
      return current(merchantId, writing, nowMs);
    },
    throttled(merchantId, { shard, of }) {
      const nowMs = clock.now();
      const writing = writingOf(merchantId);
      const now = current(merchantId, writing, nowMs);
      // Concurrent requests of this process were throttled too, and have moved it already.
      if (now.shard !== shard || now.of !== of) return now;
      look(merchantId, writing, nowMs);
      const areAllFull = of === 1 || nowMs < writing.throttledAtMs + FULL_MS;
      writing.throttledAtMs = nowMs;
      const laterMs = nowMs + LATER_MS;
      writing.grown = {
        ...(areAllFull && of < SHARDS_MAX ? scattered(of) : moved({ shard, of })),
        laterMs,
        untilMs: nowMs + GROWN_MS,
      };
      return current(merchantId, writing, nowMs);
    },
  };
}

function countRow(writing: Writing, nowMs: number): void {
  const minuteMs = minuteOf(nowMs);
  if (writing.minuteMs !== minuteMs) {
    writing.rowsBefore = writing.minuteMs === minuteMs - MINUTE_MS ? writing.rows : 0;
    writing.minuteMs = minuteMs;
    writing.rows = 0;
  }
  writing.rows += 1;
}

const hasFewEvents = ({ profileShards, rows, rowsBefore }: Writing): boolean =>
  profileShards === 1 && Math.max(rows, rowsBefore) <= SPARSE_ROWS_MAX;

/** For callers whose rows are all in shard 0. */
export const ONE_SHARD: ShardPicker = {
  pick: () => ({ shard: 0, of: 1 }),
  throttled: (_merchantId, pick) => pick,
};
