// How many writes a merchant's orders and clicks may cost in one process: a store of them that refills by the second. A
// merchant who sends a hundred orders at once has each looked up; one who sends thirty a second, day and night, does not, and
// pays no unit for each of them.
import type { Clock } from '#lib/core/ports/clock.ts';

export interface AllowanceRate {
  readonly most: number;
  readonly perSec: number;
}

/** Of a million events at 33 a second, all of them orders: 0.03 writes for each. */
export const ORDER_ALLOWANCE: AllowanceRate = { most: 100, perSec: 1 };
/** A first click is remembered once for each person, so most events ask for nothing. */
export const CLICK_ALLOWANCE: AllowanceRate = { most: 500, perSec: 5 };
const MERCHANTS_MAX = 5_000;

export interface Allowance {
  /** Whether so many writes may be made for the merchant; then they are taken. */
  take(merchantId: string, writes: number): boolean;
}

/** `first`: what a merchant has that was not seen before. */
export function createAllowance(
  { now }: Clock,
  rate: AllowanceRate = ORDER_ALLOWANCE,
  first: number = rate.most,
): Allowance {
  const known = new Map<string, { left: number; atMs: number }>();
  return {
    take: (merchantId, writes) => {
      const nowMs = now();
      if (known.size >= MERCHANTS_MAX) known.clear();
      const own = known.get(merchantId) ?? { left: first, atMs: nowMs };
      const refilled = own.left + (Math.max(0, nowMs - own.atMs) / 1_000) * rate.perSec;
      const left = Math.max(own.left, Math.min(rate.most, refilled));
      const isGranted = left >= writes;
      known.set(merchantId, { left: isGranted ? left - writes : left, atMs: nowMs });
      return isGranted;
    },
  };
}
