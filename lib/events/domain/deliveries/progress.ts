// An event's progress at its target platforms. Pure, from the row alone: its verdicts are fixed when it is normalized,
// its deliveries are written as they happen.

import { platformOf, type Target, targetOf, worstOf } from '../connections/target.ts';
import { type Delivery, PARKING_REASONS, TERMINAL_STATES } from './delivery.ts';

/** The verdict of a platform that is to have the event. */
export const PENDING = 'pending';
/** The same of a test: a release that does not know it sends nothing. */
export const PENDING_TEST = 'test_mode:pending';

/** True for the verdict of a platform that is to have the event. */
export const isPending = (word: string | undefined): boolean => word === PENDING || word === PENDING_TEST;

export interface Progress {
  /** Place at a platform (target.ts) → verdict; platforms that were not connected are left out. */
  readonly verdicts: Readonly<Record<string, string>>;
  /** Place → delivery; a targeted platform without an entry is QUEUED. */
  readonly deliveries: Readonly<Record<string, Delivery>>;
  /** Set while a browser event waits for its server copy: no delivery has begun. */
  readonly heldUntilMs?: number;
}

/** The places the event is sent to. */
export function targetsOf({ verdicts }: Pick<Progress, 'verdicts'>): readonly Target[] {
  return Object.keys(verdicts)
    .map(targetOf)
    .filter((target) => isTargeted({ verdicts }, target));
}

/** One delivery for all places at the platform; undefined: QUEUED, or no place is to have the event. */
export function worstDeliveryAt(row: Progress, platform: string): Delivery | undefined {
  const targets = targetsOf(row).filter((slot) => platformOf(slot) === platform);
  // An attempt counts, even if the verdict has changed since.
  if (targets.length === 0) return row.deliveries[platform];
  return worstOf(targets.map((slot) => row.deliveries[slot]));
}

/** True if the event is to be sent there. */
export const isTargeted = ({ verdicts }: Pick<Progress, 'verdicts'>, target: string): boolean =>
  isPending(verdicts[target]);

/** The places where its delivery has not ended. */
export function openTargets(row: Progress): readonly Target[] {
  return targetsOf(row).filter((target) => !isTerminal(row.deliveries[target]));
}

/** True once every targeted delivery has ended: the row does not change again by itself. */
export function isSettled(row: Progress): boolean {
  return openTargets(row).length === 0;
}

/** True if a targeted platform has no delivery yet: if its pointer was lost, no due time finds the row. */
export function hasUnattempted(row: Progress): boolean {
  return targetsOf(row).some((slug) => row.deliveries[slug] === undefined);
}

/** When the row must be read again: the end of its wait, of a lease, or the time of a retry; null = never. */
export function nextDueMs(row: Progress): number | null {
  if (row.heldUntilMs !== undefined) return row.heldUntilMs;
  let due: number | null = null;
  for (const slug of targetsOf(row)) {
    const next = deliveryDueMs(row.deliveries[slug]);
    if (next !== null && (due === null || next < due)) due = next;
  }
  return due;
}

/** True while the delivery waits only for its connection. Its due time is the last chance before its window closes. */
export function isParked(delivery: Delivery | undefined): boolean {
  return delivery?.state === 'RETRY' && PARKING_REASONS.has(delivery.reason ?? '');
}

/** True if deliveries are open, and each of them waits for its connection. */
export function isWhollyParked(row: Progress): boolean {
  const open = openTargets(row);
  return open.length > 0 && open.every((slug) => isParked(row.deliveries[slug]));
}

/**
 * The platforms whose connections the row's deliveries are parked for, sorted, joined by a plus; undefined if none is.
 * The due index lists the row under them, so that the repair of any of these connections finds it.
 */
export function parkedFor(row: Progress): string | undefined {
  const parked = openTargets(row).filter((slug) => isParked(row.deliveries[slug]));
  return parked.length === 0 ? undefined : parked.sort().join('+');
}

/** True if the delivery may be attempted at `nowMs`; always true before the first attempt. */
export function isSendable(delivery: Delivery | undefined, nowMs: number): boolean {
  if (delivery === undefined) return true;
  if (isTerminal(delivery)) return false;
  return (deliveryDueMs(delivery) ?? nowMs) <= nowMs;
}

/** True once its platform is to be asked what became of it. */
export const isAskDue = (delivery: Delivery | undefined, nowMs: number): boolean =>
  (delivery?.confirmation?.askAtMs ?? Number.POSITIVE_INFINITY) <= nowMs;

/** True if one of these is to be sent, or its lease has ended. */
export const isAnySendDue = (deliveries: readonly (Delivery | undefined)[], nowMs: number): boolean =>
  deliveries.some((delivery) => !isTerminal(delivery) && (deliveryDueMs(delivery) ?? nowMs + 1) <= nowMs);

function isTerminal(delivery: Delivery | undefined): boolean {
  return delivery !== undefined && TERMINAL_STATES.has(delivery.state);
}

/** When the delivery must be read again: the end of its lease, the time of its retry or of a question; null = never by itself. */
export function deliveryDueMs(delivery: Delivery | undefined): number | null {
  if (delivery === undefined) return null;
  if (isTerminal(delivery)) return delivery.confirmation?.askAtMs ?? null;
  return (delivery.state === 'SENDING' ? delivery.leaseUntilMs : delivery.nextAttemptAtMs) ?? null;
}
