// The number of shards that a merchant should have, derived from the rows of its minutes. Guarantees: one conditional
// write at most, and none for a merchant that needs one shard; a failure is reported and does not fail a count, since
// the number is only a hint.

import { HOUR_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import type { BucketCounters } from '../../domain/analytics/analytics.ts';
import { isSparse, SHARDS_MAX, shardOf } from '../../domain/shard.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { ShardStore } from '../../ports/merchant-store.ts';
import type { MinuteCount } from './count-minute.ts';

/**
 * 700 a second: the limit of a partition, less its uneven share, and seconds of work to count. Not less: rows of one
 * shard form batches, and twice the shards make batches of half the rows.
 */
export const ROWS_MAX = 42_000;
/** With so few rows in every shard for a day the number is halved, and it does not double again at once. */
export const ROWS_MIN = 1_500;
/** Older minutes do not show how many shards are needed now. */
const RECENT_MS = 10 * MINUTE_MS;
/** How often a process confirms that a merchant's shards are needed, or proposes fewer. */
const ASKED_EVERY_MS = HOUR_MS;
const REMEMBERED_MAX = 10_000;

export interface ShardGrowth {
  counted(count: Pick<MinuteCount, 'key' | 'counters' | 'countedAtMs'>): Promise<void>;
}

export interface ShardGrowthPorts {
  readonly counters: Pick<CounterStore, 'range'>;
  readonly shards: ShardStore;
  readonly report: (problem: string, error: unknown) => void;
}

export function createShardGrowth(ports: ShardGrowthPorts): ShardGrowth {
  /** Merchant and question → when this process last asked. */
  const asked = new Map<string, number>();
  const now = (id: string, nowMs: number, everyMs: number): boolean => {
    if (nowMs < (asked.get(id) ?? Number.NEGATIVE_INFINITY) + everyMs) return false;
    if (asked.size >= REMEMBERED_MAX) asked.clear();
    asked.set(id, nowMs);
    return true;
  };
  const tell = async ({ key, counters, countedAtMs }: Parameters<ShardGrowth['counted']>[0]) => {
    const { merchantId, startMs } = key;
    const rows = rowsOf(counters);
    if (isSparse(key) || countedAtMs - startMs > RECENT_MS) return;
    // If writers spread rows before the first count, each shard has few, and only those writers know of the spread.
    const isSpread = shardOf(key) > 0 && rows > ROWS_MIN && countedAtMs >= startMs + MINUTE_MS;
    const isFull = rows > ROWS_MAX;
    const id = `${merchantId}/raiseShards/${startMs}/${isFull}`;
    if ((isFull || isSpread) && now(id, countedAtMs, MINUTE_MS)) {
      const wanted = await wantedFor(merchantId, startMs, ports);
      if (wanted > 1) await ports.shards.raiseShards(merchantId, wanted, startMs);
    }
    // For a merchant with one shard nothing else is asked: its rows are in shard 0.
    if (shardOf(key) === 0) return;
    const question = rows > ROWS_MIN ? 'keepShards' : 'halveShards';
    if (now(`${merchantId}/${question}`, countedAtMs, ASKED_EVERY_MS))
      await ports.shards[question](merchantId, startMs);
  };
  return {
    counted: (count) =>
      tell(count).catch((error: unknown) => ports.report('a number of shards was not changed', error)),
  };
}

/** A power of two: doubled until the rows of this minute, over all shards, would fit into each. */
async function wantedFor(
  merchantId: string,
  startMs: number,
  { counters }: Pick<ShardGrowthPorts, 'counters'>,
): Promise<number> {
  const buckets = await counters.range(merchantId, 'minute', startMs, startMs + MINUTE_MS);
  const rows = buckets.reduce((sum, bucket) => sum + rowsOf(bucket.counters), 0);
  let wanted = 1;
  while (wanted < SHARDS_MAX && rows > wanted * ROWS_MAX) wanted *= 2;
  return wanted;
}

const rowsOf = ({ events, bots, merged }: BucketCounters): number => events + bots + merged;
