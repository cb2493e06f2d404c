// All rows of one merchant for one platform: who is to be sent, in which requests, and what came of it.
// Guarantees: a row that fails, whatever it fails at, is named in the answer and keeps no other row from its end.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import { isWithdrawn } from '../../../lib/events/domain/connection.ts';
import { type Delivery, type Outcome, TERMINAL_STATES } from '../../../lib/events/domain/delivery.ts';
import {
  afterOutcome,
  endWithout,
  lease,
  nextStamp,
  park,
  postpone,
  type TransitionContext,
} from '../../../lib/events/domain/delivery-transition.ts';
import type { EventKey, NormalizedRow } from '../../../lib/events/domain/event-row.ts';
import { PlatformDefect } from '../../../lib/events/domain/platform-defect.ts';
import type { Tokens } from '../../../lib/events/pipeline/connections/access-tokens.ts';
import { callConnection } from '../../../lib/events/pipeline/connections/call-connection.ts';
import type {
  Connections,
  OpenConnection,
} from '../../../lib/events/pipeline/connections/open-connection.ts';
import type { Platform } from '../../../lib/events/platforms/platform.ts';
import type { Breaker } from './breaker.ts';
import { type CallResult, callPlatform, defective } from './call-platform.ts';
import { type Candidate, collectCandidates, sameDelivery } from './candidates.ts';
import { type CallNote, enterGate, type Gate, leaveGate } from './gate.ts';
import { hint } from './hint.ts';
import { requestsAtOnce } from './in-flight.ts';
import type { DeliverPorts } from './ports.ts';
import { recordDelivery, type Transition } from './record.ts';
import { toRequests } from './requests.ts';
import type { Job } from './stage.ts';

/** A job starts no request later than this: the function and the leases live longer. */
const SENDING_MAX_MS = 40_000;
/** Writes of one request's outcomes. */
const WRITES_AT_ONCE = 16;
/** Why a delivery ended whose event was erased before a platform took it. */
const ERASED = 'personal_data_erased';

export interface JobContext {
  readonly ports: DeliverPorts;
  readonly breaker: Breaker;
  readonly connections: Connections;
  readonly tokens: Tokens;
}

/** Resolves to the rows that failed: their messages are to come again. Throws when nothing could be begun. */
export async function runJob(job: Job, context: JobContext): Promise<readonly EventKey[]> {
  const { ports, connections } = context;
  const open = await connections.get(job.merchantId, job.platform);
  const failed: EventKey[] = [];
  let firstError: unknown;
  const fail = (key: EventKey, error: unknown): void => {
    firstError ??= error;
    failed.push(key);
  };
  const gate = await enterGate(open?.connection ?? null, ports);
  const { candidates, erased } = await collectCandidates(job, gate, ports, fail);
  const changed: NormalizedRow[] = [];
  const record = async ({ row }: Pick<Candidate, 'row'>, transition: Transition): Promise<void> => {
    try {
      const written = await recordDelivery(row, job.platform.slug, transition, ports);
      if (written !== null) changed.push(written);
    } catch (error) {
      fail(row.key, error);
    }
  };
  const nowMs = ports.clock.now();
  for (const row of erased)
    await record(
      { row },
      unlessOver((p) => endWithout(p, 'ERROR', ERASED, nowMs)),
    );

  const sendable: Candidate[] = [];
  for (const candidate of candidates) {
    const ended = endBeforeSending(candidate, job.platform, open, ports);
    if (ended === null) sendable.push(candidate);
    else await record(candidate, ended);
  }
  if (open !== null) {
    const { requests, defective: unsent, defect } = toRequests(sendable, job.platform, open.credentials);
    if (defect !== undefined) ports.report(defect.message, defect);
    for (const candidate of unsent) await record(candidate, defectTransition(candidate, ports));
    const deadlineMs = ports.clock.now() + SENDING_MAX_MS;
    await inParallel(requests, requestsAtOnce(job.platform), async (request) => {
      try {
        return await sendOne(request, { job, open, gate, deadlineMs, record }, context);
      } catch (error) {
        for (const { row } of request) fail(row.key, error);
        return false;
      }
    });
  }
  await hint(changed, ports);
  if (failed.length > 0)
    ports.report(`deliveries to ${job.platform.slug} failed (${failed.length})`, firstError);
  return failed;
}

/** What ends or postpones the delivery without a request; null = send it. */
function endBeforeSending(
  candidate: Candidate,
  platform: Platform,
  open: OpenConnection | null,
  ports: DeliverPorts,
): Transition | null {
  const nowMs = ports.clock.now();
  const unsent = (transition: (previous: Delivery | undefined) => Delivery): Transition =>
    unlessOver(
      candidate.parkAs === undefined ? transition : withoutLease(candidate, platform, nowMs, transition),
    );
  // Also where the platform was connected anew: what was decided for the connection before is not this one's to send.
  if (open === null || isWithdrawn(open.connection, candidate.row.routingVersion))
    return unsent((previous) => endWithout(previous, 'SKIPPED', 'not_connected', nowMs));
  if (nowMs >= candidate.windowEndsAtMs)
    return unsent((previous) => endWithout(previous, 'ERROR', 'window_closed', nowMs));
  const { parkAs } = candidate;
  if (parkAs !== undefined) return unsent((previous) => park(previous, parkAs, timing(candidate, ports)));
  try {
    const unsendable = platform.unsendable(candidate.event, open.credentials);
    if (unsendable === null) return null;
    const reason = `${unsendable.verdict}:${unsendable.detail}`;
    return unlessOver((previous) => endWithout(previous, 'SKIPPED', reason, nowMs));
  } catch (error) {
    const defect = new PlatformDefect(platform.slug, 'unsendable', error);
    ports.report(defect.message, defect);
    return defectTransition(candidate, ports);
  }
}

/** An attempt like any other, but for that nothing was sent: the ladder spaces the next ones out. */
function defectTransition(candidate: Candidate, ports: DeliverPorts): Transition {
  return outcomeTransition(candidate, defective(ports.clock.now()), ports);
}

const unlessOver =
  (transition: Transition): Transition =>
  (previous) =>
    previous !== undefined && TERMINAL_STATES.has(previous.state) ? null : transition(previous);

/** One write in the place of a lease and what follows it: whoever wrote meanwhile has the delivery, and keeps it. */
function withoutLease(
  { row, unaccounted = false }: Candidate,
  { slug }: Platform,
  nowMs: number,
  transition: (previous: Delivery | undefined) => Delivery,
): Transition {
  return (previous) => {
    if (!sameDelivery(previous, row.deliveries[slug])) return null;
    return transition(unaccounted ? lease(previous, nowMs, true) : previous);
  };
}

interface Sending {
  readonly job: Job;
  readonly open: OpenConnection;
  readonly gate: Gate;
  readonly deadlineMs: number;
  readonly record: (candidate: Candidate, transition: Transition) => Promise<void>;
}

/** Whether the platform answers, so that it can be asked for more at once. */
async function sendOne(
  request: readonly Candidate[],
  sending: Sending,
  context: JobContext,
): Promise<boolean> {
  const { open, gate, deadlineMs, record } = sending;
  const { ports, breaker } = context;
  const { id } = open.connection;
  const nowMs = ports.clock.now();
  const rest = breaker.rest(id, nowMs);
  // Whoever cannot wait that long takes the last chance: a refusal costs one call, a closed window the event.
  const lastChance = request.some((candidate) => nowMs + 2 * rest.waitMs >= candidate.windowEndsAtMs);
  const waitMs = lastChance ? 0 : rest.waitMs;
  if (waitMs > 0 || nowMs > deadlineMs) {
    const reason = waitMs > 0 ? 'rate_limited' : 'out_of_time';
    const delaySec = Math.max(10, waitMs / 1000);
    const putOff = (previous: Delivery | undefined, candidate: Candidate): Delivery =>
      waitMs > 0 && rest.isOpen
        ? park(previous, 'circuit_open', timing(candidate, ports))
        : postpone(previous, reason, delaySec, timing(candidate, ports));
    await inParallel(request, WRITES_AT_ONCE, (candidate) =>
      record(
        candidate,
        unlessOver((previous) => putOff(previous, candidate)),
      ),
    );
    return false;
  }
  const notes: CallNote[] = [];
  const results = await callRequest(request, sending, context, notes);
  await leaveGate(gate, notes, ports);
  if (results.some(({ outcome }) => outcome.kind === 'auth')) await pause(open, ports);
  await inParallel(request, WRITES_AT_ONCE, async (candidate, index) => {
    const result = results[index];
    if (result !== undefined) await record(candidate, outcomeTransition(candidate, result, ports));
  });
  return results.every(({ outcome }) => !isFailing(outcome) && outcome.kind !== 'auth');
}

/** A pause that could not be written is asked for by the next refusal; this one's outcomes are recorded all the same. */
async function pause({ connection }: OpenConnection, { config, clock, report }: DeliverPorts): Promise<void> {
  try {
    await config.pauseConnection(connection, 'auth', clock.now());
  } catch (error) {
    report('a connection was not paused', error);
  }
}

/** One result per event, in order. */
async function callRequest(
  request: readonly Candidate[],
  { job, open, deadlineMs }: Sending,
  { ports, breaker, tokens }: JobContext,
  notes: CallNote[],
): Promise<CallResult[]> {
  const { id } = open.connection;
  const events = request.map((candidate) => candidate.event);
  const called = await callConnection(
    open,
    job.platform,
    tokens,
    (accessToken) =>
      callPlatform(job.platform, open.credentials, events, {
        transport: ports.transport,
        clock: ports.clock,
        onCall: (outcomes) => notes.push(noteCall(breaker, id, outcomes, ports)),
        deadlineMs,
        nonce: () => nonceOf(ports),
        onDefect: (defect) => ports.report(defect.message, defect),
        ...(accessToken === undefined ? {} : { accessToken }),
      }),
    (results) => results.every(({ outcome }) => outcome.kind === 'auth'),
  );
  if ('result' in called) return called.result;
  const { kind, code } = called.noToken;
  const facts = { atMs: ports.clock.now(), latencyMs: 0, batchSize: events.length };
  notes.push(noteCall(breaker, id, [called.noToken], ports));
  return events.map(() => ({ outcome: { kind, code }, facts }));
}

/** 104 bits are enough to be another one every time. */
function nonceOf({ random }: DeliverPorts): string {
  return [random.next(), random.next()].map((draw) => Math.floor(draw * 2 ** 52).toString(36)).join('');
}

function timing(candidate: Candidate, ports: DeliverPorts): TransitionContext {
  return { nowMs: ports.clock.now(), windowEndsAtMs: candidate.windowEndsAtMs, random: ports.random.next() };
}

function outcomeTransition(
  candidate: Candidate,
  { outcome, facts }: CallResult,
  ports: DeliverPorts,
): Transition {
  return (previous) => {
    if (previous?.state === 'DELIVERED') return null;
    const nowMs = ports.clock.now();
    const delivered = outcome.kind === 'delivered' || outcome.kind === 'duplicate';
    // Somebody else's lease, retry or verdict stands: a success overrides it, an unknown fate is noted on it.
    // By its end: nobody takes another one before it, and a note of somebody else's unknown fate leaves it as it is.
    const isMyLease = previous?.state === 'SENDING' && previous.leaseUntilMs === candidate.leaseUntilMs;
    const mine = previous === undefined || isMyLease;
    if (!mine && !delivered) {
      return outcome.maybeDelivered === true
        ? { ...previous, unknowns: previous.unknowns + 1, updatedAtMs: nextStamp(previous, nowMs) }
        : null;
    }
    return afterOutcome(previous, outcome, facts, timing(candidate, ports));
  };
}

/** A call fails for the breaker when the platform is down, hangs or asks for a pause; a refused event is an answer. */
const isFailing = ({ kind }: Pick<Outcome, 'kind'>): boolean => kind === 'retry' || kind === 'rate_limited';

function noteCall(
  breaker: Breaker,
  id: string,
  outcomes: readonly Pick<Outcome, 'kind' | 'retryAfterSec'>[],
  ports: DeliverPorts,
): CallNote {
  const failing = outcomes.find(isFailing);
  const nowMs = ports.clock.now();
  const pauseMs = failing?.kind === 'rate_limited' ? (failing.retryAfterSec ?? 0) * 1000 : 0;
  const ok = failing === undefined;
  return { ok, openUntilMs: breaker.record(id, ok, nowMs, pauseMs) };
}
