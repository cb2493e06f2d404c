// One circuit breaker per connection: a platform that is down, or that asked for a pause, is left alone for a while.
// Pure state: the clock is an argument, so that a simulated week of outage takes a second.

/** Calls in a row that must fail before the circuit opens. */
export const BREAKER_THRESHOLD = 5;
const OPEN_MIN_MS = 30_000;
const OPEN_MAX_MS = 300_000;

interface Circuit {
  failures: number;
  openUntilMs: number;
  openForMs: number;
}

export interface Breaker {
  /** Milliseconds until the next call may be made; 0 = now. After an open period one caller is let through to try. */
  waitMs(connectionId: string, nowMs: number): number;
  /** `pauseMs`: the platform asked for it (Retry-After). */
  record(connectionId: string, ok: boolean, nowMs: number, pauseMs?: number): void;
}

export function createBreaker(): Breaker {
  const circuits = new Map<string, Circuit>();
  const circuitOf = (id: string): Circuit => {
    let circuit = circuits.get(id);
    if (circuit === undefined) {
      circuit = { failures: 0, openUntilMs: 0, openForMs: OPEN_MIN_MS };
      circuits.set(id, circuit);
    }
    return circuit;
  };
  return {
    waitMs(id, nowMs) {
      const circuit = circuits.get(id);
      if (circuit === undefined || circuit.openUntilMs === 0) return 0;
      if (nowMs < circuit.openUntilMs) return circuit.openUntilMs - nowMs;
      // Half open: this caller tries, everyone else waits for what it finds.
      circuit.openUntilMs = nowMs + circuit.openForMs;
      return 0;
    },
    record(id, ok, nowMs, pauseMs) {
      if (ok) {
        circuits.delete(id);
        return;
      }
      const circuit = circuitOf(id);
      circuit.failures += 1;
      if (pauseMs !== undefined && pauseMs > 0)
        circuit.openUntilMs = Math.max(circuit.openUntilMs, nowMs + pauseMs);
      if (circuit.failures < BREAKER_THRESHOLD) return;
      if (circuit.failures > BREAKER_THRESHOLD)
        circuit.openForMs = Math.min(circuit.openForMs * 2, OPEN_MAX_MS);
      circuit.openUntilMs = Math.max(circuit.openUntilMs, nowMs + circuit.openForMs);
    },
  };
}
