// What happens to a delivery, as data: taken, answered, moved on, cancelled, begun anew. Guarantees: of all who have a pointer
// one makes an attempt, because taking it is a write of the version that was read; a pending delivery always has a time at
// which it is looked at again, so whoever dies between taking and writing down leaves nothing behind but a lease that ends.
import type { Delivery } from './delivery.ts';
import { PROBE_MS } from './webhook-health.ts';

/** Waits before each attempt, of the specification: the first at once, ten in all within three days. */
export const RETRY_TABLE_MS = [
  0,
  5_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  5 * 3_600_000,
  10 * 3_600_000,
  14 * 3_600_000,
  20 * 3_600_000,
  24 * 3_600_000,
] as const;
export const PLACES_MAX = RETRY_TABLE_MS.length;
/** Of a wait, more or less. */
const JITTER = 0.1;
const WAIT_MAX_MS = 24 * 3_600_000;

/** Longer than an attempt and the write after it. */
export const LEASE_MS = 60_000;
/** An attempt that was interrupted ends no delivery; one that kills whoever makes it must not go on for ever. */
const INTERRUPTED_MAX = 5;
/** Clocks of two hosts differ, and a queue counts whole seconds. */
const EARLY_MAX_MS = 1_000;

/** What waited for a receiver comes back over so long, the first of it to find out. */
const AFTER_REST_MS = 30_000;

/** As the last error of a delivery says it. */
const PUT_OFF = 'resting';

/** What a queue can delay. */
export const QUEUE_DELAY_MAX_MS = 900_000;
/** How long a pointer may be late before another one is sent. */
const POINTER_LATE_MS = 60_000;

export const placesUsed = ({ step, attempts }: Delivery): number => step ?? attempts;

/** `over`: nothing is to be done. `busy`: an attempt is being made. `early`: its time has not come. */
export function readiness(delivery: Delivery, nowMs: number): 'over' | 'busy' | 'early' | 'ready' {
  if (delivery.status !== 'pending') return 'over';
  if ((delivery.leaseUntilMs ?? 0) > nowMs) return 'busy';
  return (delivery.nextAttemptAtMs ?? 0) > nowMs + EARLY_MAX_MS ? 'early' : 'ready';
}

/** Its next place is the last one: nothing follows. */
export const isLastChance = (delivery: Delivery): boolean => placesUsed(delivery) >= PLACES_MAX - 1;

/** Before an attempt. Null where it was interrupted too often. */
export function taken(delivery: Delivery, nowMs: number): Delivery | null {
  const step = placesUsed(delivery) + 1;
  if (step > PLACES_MAX + INTERRUPTED_MAX) return null;
  return {
    ...delivery,
    attempts: delivery.attempts + 1,
    step,
    leaseUntilMs: nowMs + LEASE_MS,
    nextAttemptAtMs: null,
    updatedAtMs: nowMs,
  };
}

/** How an attempt went. */
export interface AttemptOutcome {
  readonly isDelivered: boolean;
  /** Of the answer; null where there was none. */
  readonly status: number | null;
  /** What went wrong without an answer, or that the answer was not 2xx. */
  readonly error: string | null;
  readonly latencyMs: number;
  /** How long the receiver wants to be left alone. */
  readonly retryAfterMs: number | null;
}

/** Nobody was found, or a server in trouble: others would fare no better. */
export const isDown = ({ status }: AttemptOutcome): boolean =>
  status === null || status >= 500 || status === 429;

/** `random`: [0, 1). */
export function answered(
  delivery: Delivery,
  outcome: AttemptOutcome,
  nowMs: number,
  random: number,
): Delivery {
  const noted = {
    ...delivery,
    lastStatus: outcome.status,
    lastError: outcome.error,
    lastLatencyMs: outcome.latencyMs,
    leaseUntilMs: null,
    updatedAtMs: nowMs,
  };
  if (outcome.isDelivered) return { ...noted, status: 'delivered', nextAttemptAtMs: null };
  const waitMs = waitOf(placesUsed(delivery), random);
  if (waitMs === null) return { ...noted, status: 'failed', nextAttemptAtMs: null };
  const wantedMs = Math.min(outcome.retryAfterMs ?? 0, WAIT_MAX_MS);
  return { ...noted, nextAttemptAtMs: nowMs + Math.max(waitMs, wantedMs) };
}

/**
 * Its receiver rests: at each place of its table it is put off once, until the rest is over or somebody has found out, and
 * after that the place is used up without an attempt. `isLastChance` must not hold.
 */
export function movedOn(delivery: Delivery, restUntilMs: number, nowMs: number, random: number): Delivery {
  const afterRestMs = restUntilMs + Math.ceil(random * AFTER_REST_MS);
  const moved = { ...delivery, leaseUntilMs: null, updatedAtMs: nowMs };
  if (restUntilMs - nowMs <= PROBE_MS || delivery.lastError !== PUT_OFF)
    return { ...moved, lastError: PUT_OFF, nextAttemptAtMs: afterRestMs };
  const step = placesUsed(delivery) + 1;
  const waitMs = waitOf(step, random) ?? 0;
  return {
    ...moved,
    step,
    lastError: 'skipped',
    nextAttemptAtMs: Math.max(nowMs + waitMs, afterRestMs),
  };
}

/** `why`: `webhook_deleted`, `webhook_disabled`, `interrupted`. */
export const ended = (
  delivery: Delivery,
  status: 'cancelled' | 'failed',
  why: string,
  nowMs: number,
): Delivery => ({
  ...delivery,
  status,
  lastError: why,
  leaseUntilMs: null,
  nextAttemptAtMs: null,
  updatedAtMs: nowMs,
});

/** Somebody asks for it once more: the table begins anew. */
export const begunAnew = (delivery: Delivery, nowMs: number): Delivery => ({
  ...delivery,
  status: 'pending',
  step: 0,
  leaseUntilMs: null,
  nextAttemptAtMs: nowMs,
  updatedAtMs: nowMs,
});

/**
 * When somebody must look at it who got no pointer; null where it is over. `seenMs`: when it is due so far. One that lies in a
 * lease, and behind any attempt, stays: moving it costs two entries of an index. Whoever looks then finds it busy and puts it off.
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

/** Null where it is no id of a delivery: `<event id>.<webhook id>`. */
export const webhookIdOf = (deliveryId: string): string | null =>
  /^[^.]+\.([^.]+)$/.exec(deliveryId)?.[1] ?? null;

/** For how long a queue is to hold the pointer of its next attempt; null where the sweep sends it. */
export function pointerDelaySec({ status, nextAttemptAtMs }: Delivery, nowMs: number): number | null {
  if (status !== 'pending' || nextAttemptAtMs === null) return null;
  const waitMs = nextAttemptAtMs - nowMs;
  return waitMs > QUEUE_DELAY_MAX_MS ? null : Math.max(0, Math.ceil(waitMs / 1_000));
}

/** Before the attempt behind `places` that are used up; null where there is none. */
function waitOf(places: number, random: number): number | null {
  const waitMs = RETRY_TABLE_MS[places];
  return waitMs === undefined ? null : Math.round(waitMs * (1 + JITTER * (2 * random - 1)));
}
