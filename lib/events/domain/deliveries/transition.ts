// How one attempt's outcome moves one delivery. Pure: the clock and the random are arguments.
// Guarantees: DELIVERED is absorbing; every path ends inside the platform's acceptance window; a refusal is final only
// if no earlier attempt can have arrived without an answer; if one can, `unknowns` says so.

import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { isHeld } from '#lib/core/work/lease.ts';
import { attemptAt, type RetryPolicy, spread, waitAfter } from '#lib/core/work/retry-policy.ts';
import { afterAnswer, type Said, waitingFor } from './confirmation.ts';
import {
  type Attempt,
  type Delivery,
  type Outcome,
  type ParkingReason,
  TERMINAL_STATES,
} from './delivery.ts';
import { type DeliveryWindow, overReason } from './window.ts';

/** Seconds to wait before attempt n+1, after n read attempts; the last rung repeats until the window closes. */
export const RETRY_LADDER_SEC = [10, 60, 300, 900, 3_600, 7_200, 14_400, 28_800, 43_200] as const;
/** Each wait is spread by ±20 %, so that an outage's backlog does not come back as one wave. */
export const RETRY_JITTER = 0.2;
/** A worker is considered dead if it is silent for this long after taking a lease. */
export const LEASE_MS = 120_000;
const HISTORY_MAX = 5;
/** The last chance: this long before the window closes a delivery is tried at once instead of following the ladder. */
const LAST_CHANCE_MS = 300_000;
/** Between two attempts within the last chance. */
const LAST_TRIES_MS = 30_000;
/**
 * A platform that repeatedly asks for a wait of seconds is not obeyed for a week: after five attempts the ladder
 * applies as well.
 */
const RETRY: RetryPolicy = {
  ladderMs: RETRY_LADDER_SEC.map((sec) => sec * 1_000),
  afterLadder: 'repeat',
  jitter: RETRY_JITTER,
  asked: { aloneMax: 5, jitter: RETRY_JITTER, waitMaxMs: Number.POSITIVE_INFINITY },
  lastChanceMs: LAST_CHANCE_MS,
};

export interface AttemptFacts {
  readonly atMs: number;
  readonly latencyMs: number;
  readonly status?: number;
  readonly batchSize: number;
  readonly version?: string;
}

export interface TransitionContext extends DeliveryWindow {
  readonly nowMs: number;
  /** [0, 1) */
  readonly random: number;
}

export function afterOutcome(
  previous: Delivery | undefined,
  outcome: Outcome,
  facts: AttemptFacts,
  context: TransitionContext,
): Delivery {
  const base = {
    attempts: (previous?.attempts ?? 0) + (outcome.kind === 'auth' ? 0 : 1),
    unknowns: (previous?.unknowns ?? 0) + (outcome.maybeDelivered === true ? 1 : 0),
    updatedAtMs: nextStamp(previous, context.nowMs),
    history: appendAttempt(previous?.history ?? [], outcome, facts),
  };
  switch (outcome.kind) {
    case 'delivered':
    case 'duplicate':
      return {
        ...base,
        state: 'DELIVERED',
        deliveredAtMs: base.updatedAtMs,
        ...(outcome.kind === 'duplicate' ? { reason: 'duplicate' } : {}),
        ...awaited(outcome, base.updatedAtMs),
      };
    case 'permanent':
    case 'batch_refused':
      return { ...base, state: 'FAILED', reason: outcome.code ?? 'refused' };
    case 'auth':
      return parked(base, 'connection_paused', context);
    case 'rate_limited':
    case 'retry':
      return retryAt(
        base,
        outcome.code ?? outcome.kind,
        waitAfter(RETRY, {
          attempts: base.attempts,
          random: context.random,
          askedMs: (outcome.retryAfterSec ?? 0) * 1_000,
        }) ?? 0,
        context,
      );
  }
}

/**
 * Parks a delivery until its connection works again: until then it is not written. Its due time is the last chance
 * before its window closes; a paused connection has no last chance.
 */
export function park(
  previous: Delivery | undefined,
  reason: ParkingReason,
  context: TransitionContext,
): Delivery {
  return parked(carriedOn(previous, context.nowMs), reason, context);
}

/** True from the time on at which a delivery is tried even if the platform is down. */
export function isLastChance(windowEndsAtMs: number, nowMs: number): boolean {
  return nowMs >= windowEndsAtMs - LAST_CHANCE_MS;
}

/** Postpones a delivery without an attempt (the platform asked for it, or a batch was given up). */
export function postpone(
  previous: Delivery | undefined,
  reason: string,
  delaySec: number,
  context: TransitionContext,
): Delivery {
  const waitMs = spread(delaySec * 1_000, RETRY_JITTER, context.random);
  return retryAt(carriedOn(previous, context.nowMs), reason, waitMs, context);
}

/** Ends a delivery without an attempt: we do not send it (SKIPPED), or the window has closed (ERROR). */
export function endWithout(
  previous: Delivery | undefined,
  state: 'SKIPPED' | 'ERROR',
  reason: string,
  nowMs: number,
): Delivery {
  return {
    state,
    reason,
    ...carriedOn(previous, nowMs),
  };
}

/** What a write without an attempt keeps of the previous delivery. */
function carriedOn(previous: Delivery | undefined, nowMs: number) {
  return {
    attempts: previous?.attempts ?? 0,
    unknowns: previous?.unknowns ?? 0,
    updatedAtMs: nextStamp(previous, nowMs),
    history: previous?.history ?? [],
  };
}

/** No trace, or an expired lease: an earlier worker may have sent and crashed. */
export const isUnaccounted = (delivery: Delivery | undefined): boolean =>
  delivery === undefined || delivery.state === 'SENDING';

/** Its connection was removed. Null if the delivery has ended, or an attempt is in progress. */
export function withdrawn(previous: Delivery | undefined, nowMs: number): Delivery | null {
  if (previous?.state === 'SENDING' && isHeld(previous, nowMs)) return null;
  if (previous !== undefined && TERMINAL_STATES.has(previous.state)) return null;
  return endWithout(
    isUnaccounted(previous) ? lease(previous, nowMs, true) : previous,
    'SKIPPED',
    'not_connected',
    nowMs,
  );
}

/**
 * Takes the right to send. `unaccounted`: an earlier worker may have sent without leaving a trace (a redelivered
 * message, an expired lease). That possibility is recorded here.
 */
export function lease(previous: Delivery | undefined, nowMs: number, unaccounted: boolean): Delivery {
  const kept = carriedOn(previous, nowMs);
  return {
    ...kept,
    state: 'SENDING',
    unknowns: kept.unknowns + (unaccounted ? 1 : 0),
    leaseUntilMs: nowMs + LEASE_MS,
  };
}

/**
 * A recorded success, and another request that the platform took or may have taken: two workers believed their message
 * to be the first. The time of delivery stays.
 */
export function withSurplus(delivered: Delivery): Delivery {
  return { ...delivered, unknowns: delivered.unknowns + 1 };
}

/** Another request that the platform took, noted on a success. */
const isSurplus = (before: Delivery, after: Delivery): boolean =>
  after.state === 'DELIVERED' && after.unknowns === before.unknowns + 1;

/** What the platform says later of the request that it took. */
const isAnswered = ({ confirmation: asked }: Delivery, { state, confirmation }: Delivery): boolean =>
  asked?.word === 'waiting' &&
  confirmation?.request === asked.request &&
  (state === 'DELIVERED' || (state === 'FAILED' && confirmation.word === 'rejected'));

/** Whether the write may be made. A success is final but for one more unknown, and the platform's own later word. */
export const mayFollow = (before: Delivery | undefined, after: Delivery): boolean =>
  before?.state !== 'DELIVERED' || isSurplus(before, after) || isAnswered(before, after);

/** A success after an answer about its request; null where it does not wait for one. The time of delivery stays. */
export function confirmed(
  delivered: Delivery | undefined,
  request: string,
  said: Said,
  nowMs: number,
): Delivery | null {
  const asked = delivered?.confirmation;
  if (delivered?.state !== 'DELIVERED' || asked?.word !== 'waiting' || asked.request !== request) return null;
  const { deliveredAtMs = delivered.updatedAtMs } = delivered;
  const confirmation = afterAnswer(asked, said, deliveredAtMs, nowMs);
  if (said.word !== 'rejected') return { ...delivered, confirmation };
  const { deliveredAtMs: _, ...rest } = delivered;
  const updatedAtMs = nextStamp(delivered, nowMs);
  return { ...rest, state: 'FAILED', reason: said.reason, updatedAtMs, confirmation };
}

function awaited({ request }: Outcome, deliveredAtMs: number): Pick<Delivery, 'confirmation'> {
  const confirmation = request === undefined ? undefined : waitingFor(request, deliveredAtMs);
  return confirmation === undefined ? {} : { confirmation };
}

/** Every write of a delivery gets its own stamp: conditions compare stamps, and two writes may share a millisecond. */
export function nextStamp(previous: Delivery | undefined, nowMs: number): number {
  return previous === undefined ? nowMs : Math.max(nowMs, previous.updatedAtMs + 1);
}

function retryAt(
  base: Omit<Delivery, 'state'>,
  reason: string,
  waitMs: number,
  context: TransitionContext,
): Delivery {
  const { nowMs, windowEndsAtMs } = context;
  const nextAttemptAtMs = attemptAt(RETRY, waitMs, { nowMs, deadlineMs: windowEndsAtMs });
  if (nextAttemptAtMs !== null) return { ...base, state: 'RETRY', reason, nextAttemptAtMs };
  return { ...base, state: 'ERROR', reason: overReason(context, windowEndsAtMs) };
}

function parked(base: Omit<Delivery, 'state'>, reason: ParkingReason, context: TransitionContext): Delivery {
  const isPaused = reason === 'connection_paused';
  const endsAtMs = isPaused ? context.keptUntilMs : context.windowEndsAtMs;
  if (!isLastChance(endsAtMs, context.nowMs))
    return { ...base, state: 'RETRY', reason, nextAttemptAtMs: endsAtMs - LAST_CHANCE_MS };
  if (isPaused) return { ...base, state: 'ERROR', reason: overReason(context, endsAtMs) };
  return retryAt(base, reason, LAST_TRIES_MS, context);
}

function appendAttempt(
  history: readonly Attempt[],
  outcome: Outcome,
  facts: AttemptFacts,
): readonly Attempt[] {
  const { latencyMs, batchSize, version } = facts;
  const attempt: Attempt = {
    ...answerOf(outcome, facts),
    ...{ latencyMs, outcome: outcome.kind, batchSize },
    ...(version === undefined ? {} : { version }),
  };
  return [...history, attempt].slice(-HISTORY_MAX);
}

/** What an answer said: the part of an attempt that concerns the connection as well. */
export function answerOf(
  { code, message }: Outcome,
  { atMs, status }: AttemptFacts,
): Pick<Attempt, 'atMs' | 'status' | 'code' | 'message'> {
  return {
    atMs,
    ...withoutUndefined({ status, code }),
    ...(message === undefined ? {} : { message: message.slice(0, 300) }),
  };
}
