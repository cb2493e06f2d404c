// The next state of a delivery, computed from what is stored at the time of the write, because other processes may have
// changed it, and the write of it. Guarantees: a success is never lost and never overwritten; the row's due time is never
// later than its earliest open delivery needs.

import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { type Delivery, isTaken, TERMINAL_STATES } from '#lib/events/domain/deliveries/delivery.ts';
import { nextDueMs } from '#lib/events/domain/deliveries/progress.ts';
import { afterOutcome, lease, nextStamp, withSurplus } from '#lib/events/domain/deliveries/transition.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import type { CallResult } from './call-platform.ts';
import type { Candidate } from './candidates.ts';

/** From the stored delivery to the one to store; null = leave it as it is. */
export type Transition = (previous: Delivery | undefined) => Delivery | null;

/** Shared by all events of a request: equal outcomes get equal waits, and one shared outcome within a batch. */
export interface Moment {
  readonly nowMs: number;
  /** [0, 1) */
  readonly random: number;
}

type Leased = Pick<Candidate, 'leaseUntilMs' | 'window'>;

/** One after the other; null where none of them changes anything. */
export const inTurn =
  (transitions: readonly Transition[]): Transition =>
  (previous) => {
    let current = previous;
    let changed: Delivery | null = null;
    for (const transition of transitions) {
      const next = transition(current);
      if (next === null) continue;
      changed = next;
      current = next;
    }
    return changed;
  };

export const unlessOver =
  (transition: Transition): Transition =>
  (previous) =>
    previous !== undefined && TERMINAL_STATES.has(previous.state) ? null : transition(previous);

export function outcomeTransition(
  { leaseUntilMs, window }: Leased,
  { outcome, facts }: CallResult,
  moment: Moment,
): Transition {
  const delivered = isTaken(outcome.kind);
  const maybe = outcome.maybeDelivered === true;
  return (previous) => {
    if (previous?.state === 'DELIVERED') {
      // The writer of this success believed to be the first as well. If it was this worker and only its answer was
      // lost, one unknown too many is noted.
      const isFirst = leaseUntilMs === undefined;
      return isFirst && (delivered || maybe) ? withSurplus(previous) : null;
    }
    // A lease, retry or verdict of another worker stands: a success overrides it, an unknown result is noted on it. A
    // lease is identified by its end: none is taken before the previous one ends, and noting an unknown does not change
    // it.
    const isMyLease = previous?.state === 'SENDING' && previous.leaseUntilMs === leaseUntilMs;
    const mine = previous === undefined || isMyLease;
    if (!mine && !delivered) return maybe ? withUnknown(previous, moment.nowMs) : null;
    const recorded = afterOutcome(previous, outcome, facts, { ...moment, ...window });
    // Without a lease of its own this worker was not known to the one whose request is under way: that one may be a second
    // copy, and its worker may die before it says so. If that lease noted an earlier request, one unknown too many is noted.
    const isOvertaken = leaseUntilMs === undefined && previous?.state === 'SENDING';
    return isOvertaken ? withSurplus(recorded) : recorded;
  };
}

/**
 * At the cutoff of express: the request is under way, and this invocation does not wait for its answer. Who takes the lease
 * over when it has ended notes the unknown; an answer that comes before that is recorded as if it had been waited for.
 */
export const leftBehind =
  (nowMs: number): Transition =>
  (previous) => {
    if (previous === undefined) return lease(previous, nowMs, false);
    if (previous.state === 'DELIVERED') return withSurplus(previous);
    return withUnknown(previous, nowMs);
  };

/** What another worker wrote stands, and a request that may have arrived is noted on it. */
const withUnknown = (previous: Delivery, nowMs: number): Delivery => ({
  ...previous,
  unknowns: previous.unknowns + 1,
  updatedAtMs: nextStamp(previous, nowMs),
});

export interface RecordPorts {
  readonly events: Pick<EventStore, 'read' | 'putDelivery'>;
}

/** The workers of all platforms write one row: of thirteen at once the last has lost twelve times. */
const ROW_WRITES = { what: 'a delivery', triesMax: 40 } as const;

/** Returns the row after the write, or null if no write was needed. */
export async function recordDelivery(
  row: NormalizedRow,
  platform: string,
  transition: Transition,
  { events }: RecordPorts,
): Promise<NormalizedRow | null> {
  let current = row;
  return await retryConflicts(ROW_WRITES, async () => {
    const delivery = transition(current.deliveries[platform]);
    if (delivery === null) return null;
    const after = { ...current, deliveries: { ...current.deliveries, [platform]: delivery } };
    const written = await events.putDelivery(current, { platform, delivery, dueAtMs: nextDueMs(after) });
    if (written !== null) return written;
    const reread = await events.read(row.key);
    if (reread === null || reread.state !== 'normalized' || reread.ingestId !== row.ingestId) return null;
    current = reread;
    return CONFLICT;
  });
}
