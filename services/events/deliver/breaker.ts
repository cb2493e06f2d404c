// What one process has learned of its calls: when a connection's circuit is to be opened, and short pauses a platform asked
// for. The circuit itself is a fact of the connection (gate.ts); this is how it is noticed, and what a job that is under way
// goes by. Pure state: the clock is an argument, so that a simulated week of outage takes a second.
import { type CircuitPolicy, createFailureStreaks, remember } from '#lib/core/work/circuit.ts';

/** Calls in a row that must fail before the circuit opens. */
export const BREAKER_THRESHOLD = 5;
/** Open for `minMs` before the first probe, then for twice as long after each. */
export const CIRCUIT: CircuitPolicy = {
  threshold: BREAKER_THRESHOLD,
  openMs: { minMs: 30_000, maxMs: 300_000 },
};
/** A pause that lasts longer concerns everybody: it opens the circuit. */
const PAUSE_MAX_MS = 60_000;
/** So long after its last answer a connection is trusted with as many requests at once as it was answering. */
export const TRUSTED_MS = 60_000;

export interface Rest {
  /** Milliseconds for which this process calls nobody; 0: it may. */
  readonly waitMs: number;
  /** The circuit is open: what is met now is parked, not put off. */
  readonly isOpen: boolean;
}

export interface Breaker {
  rest(connectionId: string, nowMs: number): Rest;
  /** True where the last call, not long ago, was answered well. */
  answers(connectionId: string, nowMs: number): boolean;
  /** `pauseMs`: the platform asked for it (Retry-After). Until when the circuit is to be opened; null: it is not. */
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
      // From here on the connection's own circuit counts.
      streaks.count(id, false);
      return untilMs;
    },
  };
}
