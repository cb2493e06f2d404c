// How far an event is on its way to the platforms that are to have it. Pure; the row alone answers: its verdicts are
// fixed when it is normalized, its deliveries are written as they happen.

import { platformOf, type Target, targetOf, worstOf } from '../connections/slot.ts';
import { type Delivery, PARKING_REASONS, TERMINAL_STATES } from './delivery.ts';

/** The verdict word of a platform that is to have the event. */
export const PENDING = 'pending';

export interface Progress {
  /** Place at a platform (slot.ts) → verdict word; platforms that were not connected are left out. */
  readonly verdicts: Readonly<Record<string, string>>;
  /** Place → delivery; a targeted platform without an entry is QUEUED. */
  readonly deliveries: Readonly<Record<string, Delivery>>;
  /** Set while a browser event waits for its server copy: nothing was begun. */
  readonly heldUntilMs?: number;
}

/** Where the event is to go. */
export function targetsOf({ verdicts }: Pick<Progress, 'verdicts'>): readonly Target[] {
  return Object.keys(verdicts)
    .map(targetOf)
    .filter((target) => isTargeted({ verdicts }, target));
}

/** What stands for all places at the platform; undefined: QUEUED, or none is to have the event. */
export function deliveryAt(row: Progress, platform: string): Delivery | undefined {
  const targets = targetsOf(row).filter((slot) => platformOf(slot) === platform);
  // What was attempted counts, even where the verdict says otherwise by now.
  if (targets.length === 0) return row.deliveries[platform];
  return worstOf(targets.map((slot) => row.deliveries[slot]));
}

/** Whether the event is to go there. */
export const isTargeted = ({ verdicts }: Pick<Progress, 'verdicts'>, target: string): boolean =>
  verdicts[target] === PENDING;

/** Where its delivery has not ended. */
export function openTargets(row: Progress): readonly Target[] {
  return targetsOf(row).filter((target) => !isTerminal(row.deliveries[target]));
}

/** True once every targeted delivery has ended: nothing of the row will change again by itself. */
export function isSettled(row: Progress): boolean {
  return openTargets(row).length === 0;
}

/** True when a targeted platform has left no trace in the row: if its pointer was lost, no due time covers it. */
export function hasUnattempted(row: Progress): boolean {
  return targetsOf(row).some((slug) => row.deliveries[slug] === undefined);
}

/** When the row must be looked at again: the end of its wait, of a lease, or the time of a retry; null = none. */
export function nextDueMs(row: Progress): number | null {
  if (row.heldUntilMs !== undefined) return row.heldUntilMs;
  let due: number | null = null;
  for (const slug of targetsOf(row)) {
    const next = deliveryDueMs(row.deliveries[slug]);
    if (next !== null && (due === null || next < due)) due = next;
  }
  return due;
}

/** True while the delivery waits for its connection alone. Its own time is the last chance before its window closes. */
export function isParked(delivery: Delivery | undefined): boolean {
  return delivery?.state === 'RETRY' && PARKING_REASONS.has(delivery.reason ?? '');
}

/** True where deliveries are open, and every one of them waits for its connection. */
export function isWhollyParked(row: Progress): boolean {
  const open = openTargets(row);
  return open.length > 0 && open.every((slug) => isParked(row.deliveries[slug]));
}

/**
 * The platforms for whose connections deliveries of the row are parked, sorted, with a plus between; undefined where none is.
 * The row is due with those, so that the repair of any of them finds it, whatever else it waits for meanwhile.
 */
export function parkedFor(row: Progress): string | undefined {
  const parked = openTargets(row).filter((slug) => isParked(row.deliveries[slug]));
  return parked.length === 0 ? undefined : parked.sort().join('+');
}

/** True when the delivery may be attempted at `nowMs`; an unattempted one always may. */
export function isSendable(delivery: Delivery | undefined, nowMs: number): boolean {
  if (delivery === undefined) return true;
  if (isTerminal(delivery)) return false;
  return (deliveryDueMs(delivery) ?? nowMs) <= nowMs;
}

function isTerminal(delivery: Delivery | undefined): boolean {
  return delivery !== undefined && TERMINAL_STATES.has(delivery.state);
}

/** When the delivery must be looked at again: the end of its lease, or the time of its retry; null = never by itself. */
export function deliveryDueMs(delivery: Delivery | undefined): number | null {
  if (delivery === undefined || isTerminal(delivery)) return null;
  return (delivery.state === 'SENDING' ? delivery.leaseUntilMs : delivery.nextAttemptAtMs) ?? null;
}
