// How many writes a merchant's orders may cost in one process: a store of them that refills by the second. A merchant who
// sends hundreds of orders at once has each looked up; one who sends thirty a second, day and night, does not, and pays no
// unit for each of them.
import type { Clock } from '../../../core/ports/clock.ts';

/** Amortized over a million events at 33 a second: less than 0.05 writes for each. */
export const ALLOWANCE = { most: 10_000, perSec: 1 } as const;
const MERCHANTS_MAX = 5_000;

export interface Allowance {
  /** Whether so many writes may be made for the merchant; then they are taken. */
  take(merchantId: string, writes: number): boolean;
}

/** `first`: what a merchant has that was not seen before. */
export function createAllowance({ now }: Clock, first: number = ALLOWANCE.most): Allowance {
  const known = new Map<string, { left: number; atMs: number }>();
  return {
    take: (merchantId, writes) => {
      const nowMs = now();
      if (known.size >= MERCHANTS_MAX) known.clear();
      const own = known.get(merchantId) ?? { left: first, atMs: nowMs };
      const refilled = own.left + (Math.max(0, nowMs - own.atMs) / 1_000) * ALLOWANCE.perSec;
      const left = Math.max(own.left, Math.min(ALLOWANCE.most, refilled));
      const isGranted = left >= writes;
      known.set(merchantId, { left: isGranted ? left - writes : left, atMs: nowMs });
      return isGranted;
    },
  };
}
