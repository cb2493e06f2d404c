// How many shards a merchant ought to have, told by what its minutes held. Guarantees: one conditional write at most, and
// none for a merchant that needs one shard; a failure is reported and costs nobody a count, since the number is a hint.

import { HOUR_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import type { SlotCounters } from '../../domain/analytics/analytics.ts';
import { SHARDS_MAX, shardOf } from '../../domain/shard.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { ShardStore } from '../../ports/shard-store.ts';
import type { MinuteCount } from './count-minute.ts';

/**
 * 700 a second: what a partition takes, less what its share may be uneven, and seconds of work to count. Not less: rows of one
 * shard form batches, and twice the shards make batches of half the rows.
 */
export const ROWS_MAX = 42_000;
/** So few in every shard for a day: half of the shards will do, and are not doubled again at once. */
export const ROWS_MIN = 1_500;
/** Older minutes say nothing of how many shards are needed now. */
const RECENT_MS = 10 * MINUTE_MS;
/** A process says of a merchant once in this time that its shards are needed, or asks whether they still are. */
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
  /** Merchant and question → when it was asked, by this process. */
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
    if (countedAtMs - startMs > RECENT_MS) return;
    // Where writers spread rows before anybody counted them, each shard has few, and nobody but those writers knows of it.
    const isSpread = shardOf(key) > 0 && rows > ROWS_MIN && countedAtMs >= startMs + MINUTE_MS;
    const isFull = rows > ROWS_MAX;
    const id = `${merchantId}/raiseShards/${startMs}/${isFull}`;
    if ((isFull || isSpread) && now(id, countedAtMs, MINUTE_MS)) {
      const wanted = await wantedFor(merchantId, startMs, ports);
      if (wanted > 1) await ports.shards.raiseShards(merchantId, wanted, startMs);
    }
    // Whoever has but one shard asks nothing else: its rows are in shard 0.
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

/** A power of two: doubled until the rows of this minute, in all its shards, would have been few enough in each. */
async function wantedFor(
  merchantId: string,
  startMs: number,
  { counters }: Pick<ShardGrowthPorts, 'counters'>,
): Promise<number> {
  const slots = await counters.range(merchantId, 'minute', startMs, startMs + MINUTE_MS);
  const rows = slots.reduce((sum, slot) => sum + rowsOf(slot.counters), 0);
  let wanted = 1;
  while (wanted < SHARDS_MAX && rows > wanted * ROWS_MAX) wanted *= 2;
  return wanted;
}

const rowsOf = ({ events, bots, merged }: SlotCounters): number => events + bots + merged;
