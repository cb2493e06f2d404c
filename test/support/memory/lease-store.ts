// Leases in memory, as DynamoDB keeps them.
import type { LeaseStore } from '#lib/core/work/leased-window.ts';

export function createMemoryLeaseStore(): LeaseStore & { readonly leased: () => number } {
  const windows = new Map<string, number>();
  let leased = 0;
  return {
    leased: () => leased,
    async lease(id, startMs, wanted, limit) {
      const key = `${id}/${startMs}`;
      const before = windows.get(key) ?? 0;
      if (before + wanted > limit) return 0;
      windows.set(key, before + wanted);
      leased += wanted;
      return wanted;
    },
  };
}
