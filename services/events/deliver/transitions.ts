// The next state of a delivery, computed from what is stored at the time of the write, because other processes may have
// changed it. Pure.
import { TERMINAL_STATES } from '#lib/events/domain/deliveries/delivery.ts';
import { afterOutcome, nextStamp, withSurplus } from '#lib/events/domain/deliveries/transition.ts';
import type { CallResult } from './call-platform.ts';
import type { Candidate } from './candidates.ts';
import type { Transition } from './record.ts';

/** Shared by all events of a request: equal outcomes get equal waits, and one shared outcome within a batch. */
export interface Moment {
  readonly nowMs: number;
  /** [0, 1) */
  readonly random: number;
}

type Leased = Pick<Candidate, 'leaseUntilMs' | 'window'>;

export const unlessOver =
  (transition: Transition): Transition =>
  (previous) =>
    previous !== undefined && TERMINAL_STATES.has(previous.state) ? null : transition(previous);

export function outcomeTransition(
  { leaseUntilMs, window }: Leased,
  { outcome, facts }: CallResult,
  moment: Moment,
): Transition {
  const delivered = outcome.kind === 'delivered' || outcome.kind === 'duplicate';
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
    if (!mine && !delivered)
      return maybe
        ? {
            ...previous,
            unknowns: previous.unknowns + 1,
            updatedAtMs: nextStamp(previous, moment.nowMs),
          }
        : null;
    return afterOutcome(previous, outcome, facts, { ...moment, ...window });
  };
}
