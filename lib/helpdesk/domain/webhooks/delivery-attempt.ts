// State changes of a delivery, as data: taken, answered, moved on, cancelled, begun anew.
// Guarantees: of all workers with a pointer one makes an attempt, because taking it is a conditional write of the
// version that was read; a pending delivery always has a due time, so a worker that crashes between taking and writing
// the outcome leaves only a lease that expires.

import { isHeld, takeLease } from '#lib/core/work/lease.ts';
import {
  type AttemptOutcome,
  RETRY_TABLE_MS,
  WEBHOOK_RETRY,
  waitAfter,
} from '#lib/core/work/retry-policy.ts';
import type { Delivery } from './delivery.ts';
import { PROBE_MS } from './health.ts';

const PLACES_MAX = RETRY_TABLE_MS.length;

/** Longer than an attempt and the write after it. */
export const LEASE_MS = 60_000;
/**
 * Attempts beyond the retry table, in place of interrupted ones: a delivery that crashes its worker must not repeat for
 * ever.
 */
const INTERRUPTED_MAX = 5;
/** Clocks of two hosts differ, and a queue counts whole seconds. */
const EARLY_MAX_MS = 1_000;

/** Deliveries that waited for a receiver come back spread over this time; the first of them tests it. */
const AFTER_REST_MS = 30_000;

/** The last error of a delivery that was put off. */
const PUT_OFF = 'resting';

/** The longest delay of an SQS message. */
export const QUEUE_DELAY_MAX_MS = 900_000;
/** How late a pointer may be before the sweep sends another one. */
const POINTER_LATE_MS = 60_000;

export const placesUsed = ({ step, attempts }: Delivery): number => step ?? attempts;

/** `over`: it is not pending. `busy`: an attempt is being made. `early`: its time has not come. */
export function readiness(delivery: Delivery, nowMs: number): 'over' | 'busy' | 'early' | 'ready' {
  if (delivery.status !== 'pending') return 'over';
  if (isHeld(delivery, nowMs)) return 'busy';
  return (delivery.nextAttemptAtMs ?? 0) > nowMs + EARLY_MAX_MS ? 'early' : 'ready';
}

/** Its next place in the retry table is the last one. */
export const isLastChance = (delivery: Delivery): boolean => placesUsed(delivery) >= PLACES_MAX - 1;

/** The delivery as written before an attempt. Null if it was interrupted too often. */
export function taken(delivery: Delivery, nowMs: number): Delivery | null {
  const step = placesUsed(delivery) + 1;
  if (step > PLACES_MAX + INTERRUPTED_MAX) return null;
  return takeLease({ ...delivery, step, nextAttemptAtMs: null, updatedAtMs: nowMs }, { ms: LEASE_MS }, nowMs);
}

/** No server, or a server in trouble: other deliveries would fail as well. */
export const isDown = ({ status }: AttemptOutcome): boolean =>
  status === null || status >= 500 || status === 429;

/** `random`: [0, 1). */
export function answered(
  delivery: Delivery,
  outcome: AttemptOutcome,
  nowMs: number,
  random: number,
): Delivery {
  const { status: lastStatus, error: lastError, latencyMs: lastLatencyMs } = outcome;
  const noted = { ...freed(delivery, nowMs), lastStatus, lastError, lastLatencyMs };
  if (outcome.isDelivered) return { ...noted, status: 'delivered', nextAttemptAtMs: null };
  const askedMs = outcome.retryAfterMs ?? 0;
  const waitMs = waitAfter(WEBHOOK_RETRY, { attempts: placesUsed(delivery), random, askedMs });
  if (waitMs === null) return { ...noted, status: 'failed', nextAttemptAtMs: null };
  return { ...noted, nextAttemptAtMs: nowMs + waitMs };
}

/**
 * The receiver rests. At each place of the retry table a delivery is put off once, until the rest is over or its test
 * has ended; after that the place is used up without an attempt. `isLastChance` must be false.
 */
export function movedOn(delivery: Delivery, restUntilMs: number, nowMs: number, random: number): Delivery {
  const afterRestMs = restUntilMs + Math.ceil(random * AFTER_REST_MS);
  const moved = freed(delivery, nowMs);
  if (restUntilMs - nowMs <= PROBE_MS || delivery.lastError !== PUT_OFF)
    return { ...moved, lastError: PUT_OFF, nextAttemptAtMs: afterRestMs };
  const step = placesUsed(delivery) + 1;
  const waitMs = waitAfter(WEBHOOK_RETRY, { attempts: step, random }) ?? 0;
  return {
    ...moved,
    step,
    lastError: 'skipped',
    nextAttemptAtMs: Math.max(nowMs + waitMs, afterRestMs),
  };
}

/** `why`: `webhook_deleted`, `webhook_disabled`, `not_subscribed`, `interrupted`. */
export const ended = (
  delivery: Delivery,
  status: 'cancelled' | 'failed',
  why: string,
  nowMs: number,
): Delivery => ({ ...freed(delivery, nowMs), status, lastError: why, nextAttemptAtMs: null });

/** A resend that a caller asked for: the retry table starts again. */
export const begunAnew = (delivery: Delivery, nowMs: number): Delivery => ({
  ...freed(delivery, nowMs),
  status: 'pending',
  step: 0,
  nextAttemptAtMs: nowMs,
});

const freed = (delivery: Delivery, nowMs: number): Delivery => ({
  ...delivery,
  leaseUntilMs: null,
  updatedAtMs: nowMs,
});

/**
 * When the sweep must look at it if its pointer is lost; null if it is over. `seenMs`: its current due time. That is
 * kept while it lies within the lease and well after now: moving it would cost two index entries. A sweep that comes
 * then finds the delivery busy and puts it off.
 */
export function dueAtOf(
  { status, leaseUntilMs, nextAttemptAtMs }: Delivery,
  nowMs: number,
  seenMs: number | null = null,
): number | null {
  if (status !== 'pending') return null;
  const leaseMs = leaseUntilMs ?? 0;
  if (leaseMs > nowMs)
    return seenMs !== null && seenMs >= nowMs + LEASE_MS / 2 && seenMs <= leaseMs ? seenMs : leaseMs;
  const nextMs = nextAttemptAtMs ?? nowMs;
  return nextMs - nowMs > QUEUE_DELAY_MAX_MS ? nextMs : nextMs + POINTER_LATE_MS;
}

/** Null if it is not `<event id>.<webhook id>`. */
export const webhookIdOf = (deliveryId: string): string | null =>
  /^[^.]+\.([^.]+)$/.exec(deliveryId)?.[1] ?? null;

/** The queue delay for the pointer of its next attempt; null if the sweep has to send it. */
export function pointerDelaySec({ status, nextAttemptAtMs }: Delivery, nowMs: number): number | null {
  if (status !== 'pending' || nextAttemptAtMs === null) return null;
  const waitMs = nextAttemptAtMs - nowMs;
  return waitMs > QUEUE_DELAY_MAX_MS ? null : Math.max(0, Math.ceil(waitMs / 1_000));
}
