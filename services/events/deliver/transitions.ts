// What a delivery becomes: from what is stored when the write is made, whatever others wrote meanwhile. Pure.
import { TERMINAL_STATES } from '#lib/events/domain/deliveries/delivery.ts';
import { afterOutcome, nextStamp, withSurplus } from '#lib/events/domain/deliveries/transition.ts';
import type { CallResult } from './call-platform.ts';
import type { Candidate } from './candidates.ts';
import type { Transition } from './record.ts';

/** One for all events of a request: those that fared alike wait alike, and share one fate where they share a batch. */
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
      // Whoever wrote this was told that it was the first as well. It may have been this worker, whose answer was lost:
      // then one unknown too many is noted.
      const isFirst = leaseUntilMs === undefined;
      return isFirst && (delivered || maybe) ? withSurplus(previous) : null;
    }
    // Somebody else's lease, retry or verdict stands: a success overrides it, an unknown fate is noted on it.
    // By its end: nobody takes another one before it, and a note of somebody else's unknown fate leaves it as it is.
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
