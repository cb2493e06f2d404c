// Counts of refusals in memory.
import { createRefusalStore } from '#lib/adapters/dynamodb/events/refusal-store.ts';
import type { RefusalCounts, RefusalStore } from '#lib/events/ports/refusal-store.ts';
import { createMemoryTables } from './tables.ts';

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
  const store = createRefusalStore(createMemoryTables().db, 'analytics');
  return {
    ...store,
    additions,
    add: async (merchantId, dayMs, shard, counts) => {
      additions.push({ merchantId, dayMs, shard, counts: new Map(counts) });
      await store.add(merchantId, dayMs, shard, counts);
    },
  };
}
