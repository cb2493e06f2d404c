// A circuit breaker for a receiver that keeps failing: the circuit opens, and after each rest one probe tests whether
// the receiver is back. The owner decides where the circuit is stored, and what a probe is. Pure state: the clock is an
// argument. Guarantees: consecutive failures of one process open it; a process's memory is bounded, the oldest entry
// goes first.
import type { WaitBounds } from './retry-policy.ts';

export interface CircuitPolicy {
  /** Failures in a row that open it. */
  readonly threshold: number;
  /** How long it stays open: at first, and at most. */
  readonly openMs: WaitBounds;
}

/** `reopensAtMs`: as stored; absent: it is closed. Returns until when nothing is sent; null: sending is allowed. */
export const openUntil = (reopensAtMs: number | null | undefined, nowMs: number): number | null =>
  reopensAtMs != null && nowMs < reopensAtMs ? reopensAtMs : null;

/**
 * Since when a probe is due; null if the circuit is closed, or the probe is not due yet. The process that moves that
 * time makes the probe.
 */
export const probeDueSince = (reopensAtMs: number | null | undefined, nowMs: number): number | null =>
  reopensAtMs != null && nowMs >= reopensAtMs ? reopensAtMs : null;

export type FailureStreaks = ReturnType<typeof createFailureStreaks>;

/** Consecutive failures, by the name of what was called. */
export function createFailureStreaks() {
  const known = new Map<string, number>();
  const of = (id: string): number => known.get(id) ?? 0;
  return {
    of,
    /** Counts one more call; a call that did not fail ends the streak. */
    count(id: string, failed: boolean): number {
      const streak = failed ? of(id) + 1 : 0;
      if (streak > 0) remember(known, id, streak);
      else known.delete(id);
      return streak;
    },
  };
}

const REMEMBERED_MAX = 1_000;

/** Keeps the last thousand entries. */
export function remember<T>(known: Map<string, T>, id: string, value: T): void {
  known.delete(id);
  known.set(id, value);
  if (known.size > REMEMBERED_MAX) known.delete(known.keys().next().value ?? id);
}
