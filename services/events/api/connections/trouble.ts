// What is wrong with a connection, in one answer: it is refused, does not answer, fails most calls, or is paused. Pure.
import { DAY_MS, floorTo, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import type { Connection, FailedCall } from '#lib/events/domain/connections/connection.ts';
import { type Call, failingCalls } from '#lib/events/pipeline/connections/calls.ts';
import { eventsPerMinute } from '#lib/events/pipeline/connections/pace.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { LIST_LIMITS } from '#lib/events/routes/events.ts';

export interface Trouble {
  readonly kind: 'refused' | 'unavailable' | 'failing' | 'limited' | 'paused';
  readonly sinceMs: number;
  /** The latest call that failed and says why. */
  readonly last: FailedCall | null;
  /** Of `limited`: when all of it has gone out. */
  readonly clearedByMs?: number;
}

/** Since when it is known to be in trouble, whatever its calls say; undefined where it takes events. */
export function troubledSince({ status, pausedAtMs, updatedAtMs, circuit }: Connection): number | undefined {
  return status === 'paused' ? (pausedAtMs ?? updatedAtMs) : circuit?.openedAtMs;
}

export function troubleOf(connection: Connection, calls: readonly Call[]): Trouble | null {
  const { status, pausedReason, circuit } = connection;
  const sinceMs = troubledSince(connection);
  const failed = calls.flatMap(({ ok, attempt }) => (ok ? [] : [attempt]));
  if (sinceMs !== undefined) {
    if (status === 'paused' && pausedReason !== 'auth') return { kind: 'paused', sinceMs, last: null };
    if (status === 'paused') {
      const refused = failed.findLast(({ outcome }) => outcome === 'auth') ?? connection.failedCall;
      return { kind: 'refused', sinceMs, last: refused ?? failed.at(-1) ?? null };
    }
    if (circuit === undefined) return null;
    return { kind: 'unavailable', sinceMs, last: failed.at(-1) ?? circuit.failedCall ?? null };
  }
  const bad = failingCalls(calls);
  const [first] = bad;
  return first === undefined ? null : { kind: 'failing', sinceMs: first.atMs, last: bad.at(-1) ?? null };
}

/** Fewer minutes' worth of events that wait for the platform's limit are no trouble. */
const LIMITED_MIN = 10;

export interface Waiting {
  readonly backlog: number;
  /** When the event came that has waited longest, if the platform's limit holds it back. */
  readonly limitedSinceMs?: number | undefined;
}

/** Held back by the platform's limit, at its narrowest: what takes a while. */
export function limitedOf(
  { platform }: Connection,
  { backlog, limitedSinceMs: sinceMs }: Waiting,
  { platforms, nowMs }: { readonly platforms: readonly Platform[]; readonly nowMs: number },
): Trouble | null {
  const found = platforms.find(({ slug }) => slug === platform);
  if (found === undefined || sinceMs === undefined) return null;
  const minutes = Math.ceil(backlog / eventsPerMinute(found, 'narrowest'));
  if (minutes < LIMITED_MIN) return null;
  return { kind: 'limited', sinceMs, last: null, clearedByMs: nowMs + minutes * MINUTE_MS };
}

/** From when on what was given up is counted: the UTC day of its beginning, as far back as lists go. */
export function givenUpFromMs(sinceMs: number, nowMs: number): number {
  return floorTo(Math.max(sinceMs, nowMs - (LIST_LIMITS.rangeMaxDays - 1) * DAY_MS), DAY_MS);
}
