// When work that failed is tried again: a policy is data, these functions read it. Pure: the clock and the random are arguments.
// Guarantees: a wait that the other side asked for is never shortened; where the policy keeps a last chance, no attempt is
// planned behind the deadline, and none is lost to a long wait before it.

export interface RetryPolicy {
  /** ms to wait after the first attempt, the second, … */
  readonly ladderMs: readonly number[];
  /** After the last rung: nothing follows, or the rung repeats until the deadline. */
  readonly afterLadder: 'give up' | 'repeat';
  /** Each wait is spread by this part of it, up or down, so that a backlog does not come back as one wave. */
  readonly jitter: number;
  /** How a wait that the other side asks for (Retry-After) is followed. Absent: it is not. */
  readonly asked?: {
    /** So many attempts follow it alone. Later ones wait at least as long as the ladder says, counted from its start. */
    readonly aloneMax: number;
    /** It is lengthened by up to this part of it. */
    readonly jitter: number;
    readonly waitMaxMs: number;
  };
  /** The last attempt comes this long before the deadline. Absent: the deadline ends the planning of attempts, not attempts. */
  readonly lastChanceMs?: number;
}

export interface Failure {
  /** Made so far, this one among them; at least 1. */
  readonly attempts: number;
  /** [0, 1) */
  readonly random: number;
  readonly askedMs?: number | undefined;
}

export interface Deadline {
  readonly nowMs: number;
  readonly deadlineMs: number;
}

/** How long to wait before the next attempt; null: there is none. */
export function waitAfter(policy: RetryPolicy, { attempts, random, askedMs = 0 }: Failure): number | null {
  const { asked } = policy;
  if (asked === undefined || askedMs <= 0) return rung(policy, attempts, random);
  const wantedMs = Math.ceil(Math.min(askedMs, asked.waitMaxMs) * (1 + asked.jitter * random));
  if (attempts <= asked.aloneMax) return wantedMs;
  const waitMs = rung(policy, attempts - asked.aloneMax, random);
  return waitMs === null ? null : Math.max(wantedMs, waitMs);
}

/** When an attempt is made that is wanted in `waitMs`; null: not before the deadline. */
export function attemptAt(
  { lastChanceMs }: RetryPolicy,
  waitMs: number,
  { nowMs, deadlineMs }: Deadline,
): number | null {
  const wantedMs = nowMs + waitMs;
  if (lastChanceMs === undefined) return nowMs < deadlineMs ? wantedMs : null;
  // What is due in the last minutes may be found after the deadline: it is moved to before them.
  const latestMs = deadlineMs - lastChanceMs;
  if (wantedMs > latestMs && latestMs > nowMs + lastChanceMs) return latestMs;
  return wantedMs < deadlineMs ? wantedMs : null;
}

/** When the next attempt is made; null: given up. */
export function nextAttemptAt(policy: RetryPolicy, failure: Failure, deadline: Deadline): number | null {
  const waitMs = waitAfter(policy, failure);
  return waitMs === null ? null : attemptAt(policy, waitMs, deadline);
}

export const spread = (waitMs: number, jitter: number, random: number): number =>
  Math.round(waitMs * (1 + jitter * (2 * random - 1)));

function rung({ ladderMs, afterLadder, jitter }: RetryPolicy, attempts: number, random: number) {
  const last = ladderMs.length - 1;
  const step = Math.max(attempts, 1) - 1;
  const waitMs = ladderMs[afterLadder === 'repeat' ? Math.min(step, last) : step];
  return waitMs === undefined ? null : spread(waitMs, jitter, random);
}

/** Waits between two bounds. */
export interface WaitBounds {
  readonly minMs: number;
  readonly maxMs: number;
}

/** The shortest wait at first, twice as long each further time. */
export const doubledWait = ({ minMs, maxMs }: WaitBounds, times: number): number =>
  Math.min(minMs * 2 ** Math.min(Math.max(times, 0), 30), maxMs);

/** A share of how long the trouble has lasted: the longer it lasts, the less often it is looked at. */
export const growingWait = (
  { share, minMs, maxMs }: WaitBounds & { readonly share: number },
  lastedMs: number,
): number => Math.min(maxMs, Math.max(minMs, lastedMs * share));

/** Waits before each attempt to reach a webhook, of Standard Webhooks: the first at once, ten in all within three days. */
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
/** Of webhooks. A receiver can ask for a longer wait than the table's, not for a shorter one. */
export const WEBHOOK_RETRY: RetryPolicy = {
  ladderMs: RETRY_TABLE_MS.slice(1),
  afterLadder: 'give up',
  jitter: 0.1,
  asked: { aloneMax: 0, jitter: 0, waitMaxMs: 24 * 3_600_000 },
};

/** How an attempt to reach a webhook went. */
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
