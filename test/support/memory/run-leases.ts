// Leases of runs in memory: every take one atomic conditional write.
import type { RunLeases } from '#lib/core/work/run-leases.ts';

export function createMemoryRunLeases(): RunLeases {
  const leases = new Map<
    string,
    { readonly holder: string; readonly hop: number; readonly untilMs: number }
  >();
  return {
    take: async (id, { holder, hop }, nowMs, untilMs) => {
      const stored = leases.get(id);
      const free = stored === undefined || stored.untilMs <= nowMs;
      const follows = stored?.holder === holder && stored.hop === hop - 1;
      if (hop === 0 ? !free : !follows) return false;
      leases.set(id, { holder, hop, untilMs });
      return true;
    },
  };
}
