// The calls to a platform that events took part in, and whether it fails by them. Pure.
import { type Attempt, isTaken } from '../../domain/deliveries/delivery.ts';
import type { NormalizedRow } from '../../domain/event/row.ts';

export interface Call {
  readonly attempt: Attempt;
  /** It took at least one event of it. */
  readonly ok: boolean;
}

/** The calls these events took part in, oldest first. A call of many events is one. */
export function callsOf(rows: readonly NormalizedRow[], slot: string): readonly Call[] {
  const calls = new Map<string, Call>();
  for (const { deliveries } of rows)
    for (const attempt of deliveries[slot]?.history ?? []) {
      const id = `${attempt.atMs}/${attempt.latencyMs}/${attempt.batchSize}`;
      const ok = isTaken(attempt.outcome);
      const known = calls.get(id);
      if (known === undefined || (ok && !known.ok)) calls.set(id, { attempt, ok });
    }
  return [...calls.values()].sort((a, b) => a.attempt.atMs - b.attempt.atMs);
}

/** Of the newest calls: as many are looked at, and so many there must be before anything is said. */
const LOOKED_AT = 20;
const CALLS_MIN = 3;

/** The failed ones of the newest calls, where they are half of them or more, and the newest three are not all mended; else none. */
export function failingCalls(calls: readonly Call[]): readonly Attempt[] {
  const seen = calls.slice(-LOOKED_AT);
  const bad = seen.flatMap(({ ok, attempt }) => (ok ? [] : [attempt]));
  const isMended = seen.slice(-CALLS_MIN).every(({ ok }) => ok);
  return seen.length < CALLS_MIN || isMended || bad.length * 2 < seen.length ? [] : bad;
}

/** The newest calls up to the last that was not refused for good: others that fail open the circuit. */
export function refusedInARow(calls: readonly Call[]): readonly Attempt[] {
  const before = calls.findLastIndex(({ ok, attempt }) => ok || attempt.outcome !== 'permanent');
  return calls.slice(before + 1).map(({ attempt }) => attempt);
}

/** The newest attempt with any of these events that the platform did not take. */
export function lastFailure(rows: readonly NormalizedRow[], slot: string): Attempt | undefined {
  return rows
    .flatMap(({ deliveries }) => deliveries[slot]?.history ?? [])
    .filter((attempt) => !isTaken(attempt.outcome))
    .reduce<Attempt | undefined>(
      (last, one) => (last === undefined || one.atMs > last.atMs ? one : last),
      undefined,
    );
}
