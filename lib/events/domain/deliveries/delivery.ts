// One event at one platform: its states, and how an attempt's outcome moves it.
// Guarantees: `DELIVERED` is absorbing, but for what the platform itself takes back later (confirmation.ts); an attempt with
// an unknown result is counted in `unknowns`, never forgotten.
import type { Confirmation } from './confirmation.ts';

export const DELIVERY_STATES = [
  'QUEUED',
  'SENDING',
  'DELIVERED',
  'RETRY',
  'FAILED',
  'ERROR',
  'SKIPPED',
] as const;
/**
 * `QUEUED` no attempt yet (no row) · `SENDING` leased · `DELIVERED` the platform took it · `RETRY` waits for
 * `nextAttemptAtMs` · `FAILED` the platform refused this event for good · `ERROR` attempts or window exhausted ·
 * `SKIPPED` not sent by our own decision: the reason is `not_connected`, or a verdict (`invalid:user_data`).
 */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const TERMINAL_STATES: ReadonlySet<DeliveryState> = new Set([
  'DELIVERED',
  'FAILED',
  'ERROR',
  'SKIPPED',
]);

/** Why a delivery is parked: set aside until its connection takes it, or its last chance has come. */
const PARKED = ['connection_paused', 'circuit_open', 'platform_limit'] as const;
export type ParkingReason = (typeof PARKED)[number];
export const PARKING_REASONS: ReadonlySet<string> = new Set(PARKED);

/** One HTTP call, as kept for the merchant to see. Holds no secret and no personal data. */
export interface Attempt {
  readonly atMs: number;
  readonly latencyMs: number;
  /** HTTP status; absent when no answer came. */
  readonly status?: number;
  readonly outcome: OutcomeKind;
  /** Stable machine word, e.g. `meta.100.2804003` or `timeout`. */
  readonly code?: string;
  /** The platform's own words, redacted, <= 300 characters. */
  readonly message?: string;
  /** Events that shared the call. */
  readonly batchSize: number;
  /** Of the platform's API, where the connection had another than the platform's own. */
  readonly version?: string;
}

export interface Delivery {
  readonly state: Exclude<DeliveryState, 'QUEUED'>;
  /** Attempts whose outcome was read; paused and leased ones do not count. */
  readonly attempts: number;
  /** Attempts that may have reached the platform without an answer. `maybe_delivered` on the wire when > 0. */
  readonly unknowns: number;
  readonly updatedAtMs: number;
  readonly deliveredAtMs?: number;
  readonly nextAttemptAtMs?: number;
  readonly leaseUntilMs?: number;
  /** Why it is where it is: stable machine word. */
  readonly reason?: string;
  /** Of an event that was taken, where the platform can be asked what became of it. */
  readonly confirmation?: Confirmation;
  /** The latest attempts, oldest first, at most 5. */
  readonly history: readonly Attempt[];
}

export type OutcomeKind =
  | 'delivered'
  /** The platform says it has this event already: counts as delivered. */
  | 'duplicate'
  | 'retry'
  | 'rate_limited'
  /** Credentials refused: the connection pauses, the event keeps its attempts. */
  | 'auth'
  | 'permanent'
  /** The whole request was refused without naming the culprit: split and try the halves. */
  | 'batch_refused';

/** The platform has the event: it took it now, or had it already. */
export const isTaken = (kind: string): boolean => kind === 'delivered' || kind === 'duplicate';

/** What one attempt meant for one event. */
export interface Outcome {
  readonly kind: OutcomeKind;
  /** Stable machine word, prefixed with the platform's slug where the platform named it. */
  readonly code?: string;
  readonly message?: string;
  readonly retryAfterSec?: number;
  /** An id in the connection's settings is at fault: the platform is well, and takes other events. */
  readonly setting?: true;
  /** The platform may hold the event although no success was seen. */
  readonly maybeDelivered?: boolean;
  /** Of a success: the platform's id of the request, by which it can be asked later. */
  readonly request?: string;
}
