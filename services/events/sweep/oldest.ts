// How old the oldest of what a sweep finds is, as metrics. Nothing is said while all is in time.
import type { Clock } from '#lib/core/ports/clock.ts';
import { HOUR_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';

/** Two sweeps: what became due just now is in time. */
const DUE_MAX_MS = 2 * MINUTE_MS;
/** A minute is counted for the last time an hour after it, if nothing of it is open. */
const UNFINISHED_MAX_MS = 2 * HOUR_MS;

export interface Oldest {
  /** A row or a batch is due since then. */
  overdue(dueAtMs: number): void;
  /** Of the minute that began then, not everything is over. */
  unfinished(startMs: number): void;
  /** Seconds, of all that was named since it was asked last. */
  measured(): Readonly<Partial<Record<'OldestDue' | 'OldestUnfinished', number>>>;
}

export function createOldest({ now }: Clock): Oldest {
  let due = Number.POSITIVE_INFINITY;
  let unfinished = Number.POSITIVE_INFINITY;
  return {
    overdue: (dueAtMs) => {
      due = Math.min(due, dueAtMs);
    },
    unfinished: (startMs) => {
      unfinished = Math.min(unfinished, startMs);
    },
    measured: () => {
      const [dueMs, unfinishedMs] = [now() - due, now() - unfinished];
      due = Number.POSITIVE_INFINITY;
      unfinished = Number.POSITIVE_INFINITY;
      return {
        ...(dueMs > DUE_MAX_MS ? { OldestDue: Math.round(dueMs / 1_000) } : {}),
        ...(unfinishedMs > UNFINISHED_MAX_MS ? { OldestUnfinished: Math.round(unfinishedMs / 1_000) } : {}),
      };
    },
  };
}
