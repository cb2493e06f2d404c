// What one process knows from its own calls: when to open a connection's circuit, and short pauses that a platform
// asked for. The circuit itself is stored with the connection (gate.ts); the breaker detects that it must open, and
// guides the running job. Pure state: the clock is an argument, so that a simulated week of outage takes a second.
import { type CircuitPolicy, createFailureStreaks, remember } from '#lib/core/work/circuit.ts';

/** Calls in a row that must fail before the circuit opens. */
export const BREAKER_THRESHOLD = 5;
/** Open for `minMs` before the first probe, then for twice as long after each. */
export const CIRCUIT: CircuitPolicy = {
  threshold: BREAKER_THRESHOLD,
  openMs: { minMs: 30_000, maxMs: 300_000 },
};
/** A longer pause opens the circuit, so that it holds for all processes. */
const PAUSE_MAX_MS = 60_000;
/** For this long after a good answer a connection gets as many concurrent requests as before. */
export const TRUSTED_MS = 60_000;

export interface Rest {
  /** Milliseconds for which this process makes no call; 0: calls are allowed. */
  readonly waitMs: number;
  /** The circuit is open: deliveries are parked, not postponed. */
  readonly isOpen: boolean;
}

export interface Breaker {
  rest(connectionId: string, nowMs: number): Rest;
  /** True if the last call was recent and successful. */
  answers(connectionId: string, nowMs: number): boolean;
  /**
   * `pauseMs`: from the platform's Retry-After. Returns until when the circuit is to be open; null: it stays closed.
   */
  record(connectionId: string, ok: boolean, nowMs: number, pauseMs?: number): number | null;
}

const NO_REST: Rest = { waitMs: 0, isOpen: false };

export function createBreaker(): Breaker {
  const streaks = createFailureStreaks();
  const rests = new Map<string, { readonly untilMs: number; readonly isOpen: boolean }>();
  const answeredMs = new Map<string, number>();
  return {
    rest(id, nowMs) {
      const found = rests.get(id);
      if (found === undefined || nowMs >= found.untilMs) return NO_REST;
      return { waitMs: found.untilMs - nowMs, isOpen: found.isOpen };
    },
    answers: (id, nowMs) => nowMs - (answeredMs.get(id) ?? Number.NEGATIVE_INFINITY) < TRUSTED_MS,
    record(id, ok, nowMs, pauseMs = 0) {
      const failures = streaks.count(id, !ok);
      answeredMs.delete(id);
      if (ok) {
        remember(answeredMs, id, nowMs);
        rests.delete(id);
        return null;
      }
      const opens = failures >= CIRCUIT.threshold || pauseMs > PAUSE_MAX_MS;
      const before = rests.get(id) ?? { untilMs: 0, isOpen: false };
      const restMs = opens ? Math.max(pauseMs, CIRCUIT.openMs.minMs) : pauseMs;
      const untilMs = Math.max(before.untilMs, nowMs + restMs);
      remember(rests, id, { untilMs, isOpen: opens || (before.isOpen && nowMs < untilMs) });
      if (!opens) return null;
      // From here on the connection's stored circuit counts.
      streaks.count(id, false);
      return untilMs;
    },
  };
}
