// Leases in memory, as DynamoDB keeps them.
import type { LeaseStore } from '#lib/core/work/leased-window.ts';

export interface MemoryLeaseStore extends LeaseStore {
  /** How much was leased in all, and how often it was asked for. */
  readonly leased: () => number;
  readonly asked: () => number;
}

export function createMemoryLeaseStore(): MemoryLeaseStore {
  const windows = new Map<string, number>();
  let leased = 0;
  let asked = 0;
  return {
    leased: () => leased,
    asked: () => asked,
    async lease(id, startMs, wanted, limit, inAll) {
      asked += 1;
      const key = `${id}/${startMs}`;
      const before = windows.get(key) ?? 0;
      if (before + wanted > limit) return 0;
      windows.set(key, before + wanted);
      inAll?.(before + wanted);
      leased += wanted;
      return wanted;
    },
  };
}
