// Attempts to reach a webhook: when each is made, and how one went.
import type { RetryPolicy } from './retry-policy.ts';

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
/** A receiver can ask for a longer wait than the table's, not for a shorter one. */
export const WEBHOOK_RETRY: RetryPolicy = {
  ladderMs: RETRY_TABLE_MS.slice(1),
  afterLadder: 'give up',
  jitter: 0.1,
  asked: { aloneMax: 0, jitter: 0, waitMaxMs: 24 * 3_600_000 },
};

/** How an attempt went. */
export interface AttemptOutcome {
  readonly isDelivered: boolean;
  /** Of the answer; null where there was none. */
  readonly status: number | null;
  /** What went wrong without an answer, or that the answer was not 2xx. */
  readonly error: string | null;
  readonly latencyMs: number;
  /** The receiver's `Retry-After`. */
  readonly retryAfterMs: number | null;
}
