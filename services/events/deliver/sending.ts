// One request to a platform: under the connection's circuit breaker, with its token, and then the outcome of each event
// is written. The events of a request share one moment, so that equal outcomes get equal waits.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import { traceparentOf } from '#lib/core/record/trace.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import type { Connection, FailedCall } from '#lib/events/domain/connections/connection.ts';
import { connectionTarget } from '#lib/events/domain/connections/target.ts';
import { type Delivery, isTaken, type Outcome } from '#lib/events/domain/deliveries/delivery.ts';
import {
  type AttemptFacts,
  answerOf,
  LEASE_MS,
  park,
  postpone,
} from '#lib/events/domain/deliveries/transition.ts';
import { type DeliveryWindow, retained } from '#lib/events/domain/deliveries/window.ts';
import { sendingSpanOf, traceIdOf, traceOfEvent } from '#lib/events/domain/event/request-names.ts';
import { retentionDaysOf } from '#lib/events/domain/merchant.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import type { Tokens } from '#lib/events/pipeline/connections/access-tokens.ts';
import type { Connections, OpenConnection } from '#lib/events/pipeline/connections/open-connection.ts';
import type { JobPace, Pace } from '#lib/events/pipeline/connections/pace.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { type CallResult, callPlatform } from './call-platform.ts';
import type { Candidate } from './candidates.ts';
import type { Breaker } from './circuit/breaker.ts';
import type { UntakenWatch } from './circuit/untaken.ts';
import type { ExpressTime } from './express.ts';
import { type CallNote, type Gate, leaveGate } from './gate.ts';
import type { DeliverPorts } from './ports.ts';
import type { RowOutcomes } from './row-outcomes.ts';
import { leftBehind, type Moment, outcomeTransition, unlessOver } from './transitions.ts';

const WRITES_AT_ONCE = 16;
/** Named in the log line of a request. */
const TRACES_MAX = 4;

export interface JobContext {
  /** In express with shared reads. */
  readonly ports: DeliverPorts;
  /** Present in express. */
  readonly time?: ExpressTime;
  /** Present in express: of rows that stand alone. */
  readonly outcomes?: RowOutcomes;
  /** Platforms that are sent to side by side. */
  readonly platformsAtOnce?: number;
  readonly breaker: Breaker;
  /** Absent in models of one job. */
  readonly untaken?: UntakenWatch;
  readonly connections: Connections;
  readonly tokens: Tokens;
  readonly pace: Pace;
}

export interface Sending {
  readonly platform: Platform;
  readonly open: OpenConnection;
  readonly gate: Gate;
  readonly pace: JobPace;
  readonly deadlineMs: number;
}

/** Returns whether the platform answered well, so that more requests may run at once. */
export async function sendOne(
  request: readonly Candidate[],
  sending: Sending,
  context: JobContext,
): Promise<boolean> {
  const { platform, open, pace, deadlineMs } = sending;
  const { ports, breaker, time } = context;
  const { id } = open.connection;
  const nowMs = ports.clock.now();
  if (time !== undefined && nowMs > time.startUntilMs) {
    for (const { unsent } of request) unsent();
    return false;
  }
  const rest = breaker.rest(id, nowMs);
  // If the acceptance window would close before the circuit reopens, send anyway: one wasted call is cheaper than a
  // lost event.
  const lastChance = request.some((candidate) => nowMs + 2 * rest.waitMs >= candidate.window.windowEndsAtMs);
  const waitMs = lastChance ? 0 : rest.waitMs;
  const random = ports.random.next();
  const events = request.map((candidate) => candidate.event);
  if (waitMs > 0 || nowMs > deadlineMs || !(await pace.turn(events, deadlineMs))) {
    const reason = waitMs > 0 ? 'rate_limited' : 'out_of_time';
    const delaySec = Math.max(10, waitMs / 1000);
    const putOff = (previous: Delivery | undefined, window: DeliveryWindow): Delivery =>
      waitMs > 0 && rest.isOpen
        ? park(previous, 'circuit_open', { nowMs, random, ...window })
        : postpone(previous, reason, delaySec, { nowMs, random, ...window });
    await inParallel(request, WRITES_AT_ONCE, ({ record, window }) =>
      record(unlessOver((previous) => putOff(previous, window))),
    );
    return false;
  }
  const notes: CallNote[] = [];
  const answering = callRequest(request, sending, context, notes);
  const results = await (time === undefined
    ? answering
    : Promise.race([answering, time.cutoff.then(() => null)]));
  await pace.spend(events, notes.length - 1);
  if (results !== null) return await recordAnswers(request, { results, notes, random }, sending, context);
  time?.leftBehind(platform.slug);
  const left = await leaveBehind(request, ports);
  answering
    .then((late) => recordAnswers(left, { results: late, notes, random }, sending, context))
    .catch((error: unknown) => ports.report('an answer after the cutoff was not recorded', error));
  return false;
}

/** The request is under way: another worker may send its events again, once the lease has ended. */
async function leaveBehind(
  request: readonly Candidate[],
  { clock }: DeliverPorts,
): Promise<readonly Candidate[]> {
  const nowMs = clock.now();
  const leaseUntilMs = nowMs + LEASE_MS;
  return await inParallel(request, WRITES_AT_ONCE, async (candidate) => {
    await candidate.record(leftBehind(nowMs));
    return { ...candidate, leaseUntilMs };
  });
}

interface Answers {
  readonly results: readonly CallResult[];
  readonly notes: readonly CallNote[];
  readonly random: number;
}

/** Returns whether the platform answered well. */
async function recordAnswers(
  request: readonly Candidate[],
  { results, notes, random }: Answers,
  { open, gate }: Sending,
  { ports, untaken }: JobContext,
): Promise<boolean> {
  signal(request, { results, notes }, open, ports);
  await noteDeprecation(open, notes, ports);
  await leaveGate(gate, notes, ports);
  const refusal = results.find(({ outcome }) => outcome.kind === 'auth');
  const kept =
    refusal === undefined ? undefined : await pause(open, answerOf(refusal.outcome, refusal.facts), ports);
  const answered: Moment = { nowMs: ports.clock.now(), random };
  await inParallel(request, WRITES_AT_ONCE, async (candidate, index) => {
    const result = results[index];
    if (result === undefined) return;
    const window = retained(candidate.window, candidate.event.receivedAtMs, kept);
    await candidate.record(outcomeTransition({ ...candidate, window }, result, answered));
  });
  await untaken?.(open.connection, notes);
  return results.every(({ outcome }) => !isFailing(outcome) && outcome.kind !== 'auth');
}

function signal(
  request: readonly Candidate[],
  { results, notes }: Omit<Answers, 'random'>,
  { connection }: OpenConnection,
  { signals, clock }: DeliverPorts,
): void {
  const nowMs = clock.now();
  signals?.answered(connection, {
    outcomes: results.map(({ outcome: { kind, code } }, index) => {
      const event: Partial<Candidate['event']> = request[index]?.event ?? {};
      const { name = 'Custom', receivedAtMs = nowMs, pageWait } = event;
      return {
        kind,
        ...(code === undefined ? {} : { code }),
        name,
        ageMs: Math.max(0, nowMs - receivedAtMs),
        ...(pageWait === undefined ? {} : { pageWaitMs: pageWait.endMs }),
      };
    }),
    calls: notes.flatMap(({ sent }) => sent ?? []),
    traces: request.slice(0, TRACES_MAX).map(({ row }) => ({
      ...traceOfEvent(row),
      spanId: sendingSpanOf(row, connectionTarget(connection)),
    })),
  });
}

const NOTED_EVERY_MS = DAY_MS;
/** As they were read: each job reads anew. */
const noted = new WeakSet<Connection>();

/** For the merchant to see: written once a day, if an answer says something. */
async function noteDeprecation(
  { connection }: OpenConnection,
  notes: readonly CallNote[],
  { config, clock, report }: DeliverPorts,
): Promise<void> {
  const said = notes.find(({ sent }) => sent?.deprecation !== undefined)?.sent?.deprecation;
  const nowMs = clock.now();
  const lastMs = connection.deprecation?.atMs ?? Number.NEGATIVE_INFINITY;
  if (said === undefined || noted.has(connection) || nowMs - lastMs < NOTED_EVERY_MS) return;
  noted.add(connection);
  try {
    await config.noteDeprecation(connection, said, nowMs);
  } catch (error) {
    report('what a platform says about the end of a version was not written down', error);
  }
}

/** Each event of such a platform is sent alone. */
function tracing([first]: readonly Candidate[], { isOwnServer }: Platform, connection: Connection) {
  if (isOwnServer !== true || first === undefined) return {};
  const span = sendingSpanOf(first.row, connectionTarget(connection));
  return { headers: { traceparent: traceparentOf(traceIdOf(first.row), span) } };
}

/**
 * Resolves to the merchant's retention in days, if it could be read. If the pause could not be written, the next
 * refusal asks for it again; the outcomes of this request are recorded all the same.
 */
async function pause(
  { connection }: OpenConnection,
  refusal: FailedCall,
  ports: DeliverPorts,
): Promise<number | undefined> {
  const { config, clock, report, signals, taskWork } = ports;
  try {
    // Of several concurrent refusals one pauses the connection.
    if (await config.pauseConnection(connection, 'auth', clock.now(), refusal)) {
      signals?.paused(connection, 'auth');
      await taskWork?.send(
        byTenant([
          { merchant: connection.merchantId, paused: connection.id, slot: connectionTarget(connection) },
        ]),
      );
    }
    return await retentionOf(connection.merchantId, ports);
  } catch (error) {
    report('a connection was not paused', error);
    return undefined;
  }
}

/** Whole days for which the merchant keeps personal data: a delivery that waits longer could not be sent any more. */
export async function retentionOf(merchantId: string, { config }: DeliverPorts): Promise<number> {
  return retentionDaysOf((await config.merchant(merchantId)) ?? {});
}

async function callRequest(
  request: readonly Candidate[],
  { platform, open, deadlineMs }: Sending,
  { ports, breaker, tokens }: JobContext,
  notes: CallNote[],
): Promise<CallResult[]> {
  const { id } = open.connection;
  const events = request.map((candidate) => candidate.event);
  const called = await callPlatform(
    events,
    { platform, open, deadlineMs, tokens, ports },
    {
      onCall: (outcomes, facts, sent) => {
        const { status, latencyMs } = facts;
        const note = noteCall(breaker, id, { outcomes, facts }, ports);
        notes.push({ ...note, sent: { status, latencyMs, ...sent } });
      },
      ...tracing(request, platform, open.connection),
    },
  );
  if ('result' in called) return called.result;
  const { kind, code, setting, retryAfterSec = 0 } = called.noToken;
  const outcome: Outcome = { kind, code, ...(setting === undefined ? {} : { setting, retryAfterSec }) };
  const facts = { atMs: ports.clock.now(), latencyMs: 0, batchSize: events.length };
  notes.push(noteCall(breaker, id, { outcomes: [outcome], facts }, ports));
  return events.map(() => ({ outcome, facts }));
}

/** A call fails for the breaker when the platform is down, hangs or asks for a pause; a refused event, or id of one, is an answer. */
const isFailing = ({ kind, setting }: Pick<Outcome, 'kind' | 'setting'>): boolean =>
  setting !== true && (kind === 'retry' || kind === 'rate_limited');

function noteCall(
  breaker: Breaker,
  id: string,
  { outcomes, facts }: { readonly outcomes: readonly Outcome[]; readonly facts: AttemptFacts },
  ports: DeliverPorts,
): CallNote {
  const failing = outcomes.find(isFailing);
  const nowMs = ports.clock.now();
  const pauseMs = failing?.kind === 'rate_limited' ? (failing.retryAfterSec ?? 0) * 1000 : 0;
  const ok = failing === undefined;
  return {
    ok,
    taken: outcomes.some(({ kind }) => isTaken(kind)),
    openUntilMs: breaker.record(id, ok, nowMs, pauseMs),
    ...(failing === undefined ? {} : { failed: answerOf(failing, facts) }),
  };
}
