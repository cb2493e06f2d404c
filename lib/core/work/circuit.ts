// A receiver that keeps failing is left alone: its circuit opens, and one probe after each rest finds out whether it is back.
// Where the circuit is stored, and what a probe is, is its owner's. Pure state: the clock is an argument.
// Guarantees: opened by failures in a row of one process; what a process remembers is bounded, the oldest goes first.
import type { WaitBounds } from './retry-policy.ts';

export interface CircuitPolicy {
  /** Failures in a row that open it. */
  readonly threshold: number;
  /** How long it stays open: at first, and at most. */
  readonly openMs: WaitBounds;
}

/** `reopensAtMs`: as stored; absent: it is closed. Until when nothing is sent; null: something may be. */
export const openUntil = (reopensAtMs: number | null | undefined, nowMs: number): number | null =>
  reopensAtMs != null && nowMs < reopensAtMs ? reopensAtMs : null;

/** Since when a probe is due; null where it is closed, or open for longer. Whoever moves that time makes the probe. */
export const probeDueSince = (reopensAtMs: number | null | undefined, nowMs: number): number | null =>
  reopensAtMs != null && nowMs >= reopensAtMs ? reopensAtMs : null;

export type FailureStreaks = ReturnType<typeof createFailureStreaks>;

/** Failures in a row, by the name of what was called. */
export function createFailureStreaks() {
  const known = new Map<string, number>();
  const of = (id: string): number => known.get(id) ?? 0;
  return {
    of,
    /** After one more call; what did not fail ends the streak. */
    count(id: string, failed: boolean): number {
      const streak = failed ? of(id) + 1 : 0;
      if (streak > 0) remember(known, id, streak);
      else known.delete(id);
      return streak;
    },
  };
}

const REMEMBERED_MAX = 1_000;

/** The last thousand that were heard of. */
export function remember<T>(known: Map<string, T>, id: string, value: T): void {
  known.delete(id);
  known.set(id, value);
  if (known.size > REMEMBERED_MAX) known.delete(known.keys().next().value ?? id);
}
