// Counts of refusals in memory.
import type { RefusalName } from '#lib/events/domain/event/refusal.ts';
import type { RefusalCounts, RefusalStore } from '#lib/events/ports/refusal-store.ts';

export interface RefusalAddition {
  readonly merchantId: string;
  readonly dayMs: number;
  readonly shard: number;
  readonly counts: RefusalCounts;
}

export interface MemoryRefusalStore extends RefusalStore {
  /** Every addition in order, for tests: no part of the port. */
  readonly additions: readonly RefusalAddition[];
}

export function createMemoryRefusalStore(): MemoryRefusalStore {
  const additions: RefusalAddition[] = [];
  return {
    additions,
    add: async (merchantId, dayMs, shard, counts) =>
      void additions.push({ merchantId, dayMs, shard, counts: new Map(counts) }),
    sum: async (merchantId, fromMs, toMs) => {
      const sums = new Map<RefusalName, number>();
      for (const { merchantId: whose, dayMs, counts } of additions) {
        if (whose !== merchantId || dayMs < fromMs || dayMs >= toMs) continue;
        for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
      }
      return sums;
    },
  };
}
