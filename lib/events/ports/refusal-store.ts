// How often a merchant's events were refused, by reason and UTC day.
// Guarantees: additions of any number of writers all count, once for each call that succeeds; one that fails may have counted.
import type { RefusalName } from '../domain/event/refusal.ts';

export type RefusalCounts = ReadonlyMap<RefusalName, number>;

/** Writers pick one of these at random for each addition, so that no partition takes all that come at once. */
export const REFUSAL_SHARDS = 4;
/** As long as an answer can ask for, and some days more. */
export const REFUSALS_KEPT_DAYS = 100;

export interface RefusalStore {
  /** `shard`: 0 to REFUSAL_SHARDS - 1. `counts`: at least one, all positive. */
  add(merchantId: string, dayMs: number, shard: number, counts: RefusalCounts): Promise<void>;
  /** Sums over the days that begin in [fromMs, toMs), and over the shards. */
  sum(merchantId: string, fromMs: number, toMs: number): Promise<RefusalCounts>;
}
