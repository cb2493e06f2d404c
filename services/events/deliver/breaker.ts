// What one process has learned of its calls: when a connection's circuit is to be opened, and short pauses a platform asked
// for. The circuit itself is a fact of the connection (gate.ts); this is how it is noticed, and what a job that is under way
// goes by. Pure state: the clock is an argument, so that a simulated week of outage takes a second.

/** Calls in a row that must fail before the circuit opens. */
export const BREAKER_THRESHOLD = 5;
/** How long a circuit stays open before the first probe. */
export const OPEN_MIN_MS = 30_000;
/** A pause that lasts longer concerns everybody: it opens the circuit. */
const PAUSE_MAX_MS = 60_000;
/** So long after its last answer a connection is trusted with as many requests at once as it was answering. */
export const TRUSTED_MS = 60_000;
/** Connections that are remembered for it; the ones heard of longest ago go first. */
const TRUSTED_MAX = 1_000;

interface Calls {
  failures: number;
  restUntilMs: number;
  isOpen: boolean;
}

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
  const known = new Map<string, Calls>();
  const answeredMs = new Map<string, number>();
  return {
    rest(id, nowMs) {
      const calls = known.get(id);
      if (calls === undefined || nowMs >= calls.restUntilMs) return NO_REST;
      return { waitMs: calls.restUntilMs - nowMs, isOpen: calls.isOpen };
    },
    answers: (id, nowMs) => nowMs - (answeredMs.get(id) ?? Number.NEGATIVE_INFINITY) < TRUSTED_MS,
    record(id, ok, nowMs, pauseMs = 0) {
      answeredMs.delete(id);
      if (ok) {
        answeredMs.set(id, nowMs);
        if (answeredMs.size > TRUSTED_MAX) answeredMs.delete(answeredMs.keys().next().value ?? id);
        known.delete(id);
        return null;
      }
      const calls = known.get(id) ?? { failures: 0, restUntilMs: 0, isOpen: false };
      known.set(id, calls);
      calls.failures += 1;
      const opens = calls.failures >= BREAKER_THRESHOLD || pauseMs > PAUSE_MAX_MS;
      const restMs = opens ? Math.max(pauseMs, OPEN_MIN_MS) : pauseMs;
      calls.restUntilMs = Math.max(calls.restUntilMs, nowMs + restMs);
      calls.isOpen = opens || (calls.isOpen && nowMs < calls.restUntilMs);
      if (!opens) return null;
      // From here on the connection's own circuit counts.
      calls.failures = 0;
      return calls.restUntilMs;
    },
  };
}
