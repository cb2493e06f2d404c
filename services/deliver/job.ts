// All rows of one merchant for one platform: who is to be sent, in which requests, and what came of it.
import { inParallel } from '../../lib/adapters/concurrency/in-parallel.ts';
import type { RoutingSnapshot } from '../../lib/domain/connection.ts';
import { type Delivery, type Outcome, TERMINAL_STATES } from '../../lib/domain/delivery.ts';
import {
  afterOutcome,
  deliveryWindowEndMs,
  endWithout,
  lease,
  nextStamp,
  postpone,
} from '../../lib/domain/delivery-transition.ts';
import type { SealedIdentity } from '../../lib/domain/identity.ts';
import type { NormalizedEvent } from '../../lib/domain/normalized-event.ts';
import type { Platform } from '../../lib/platforms/platform.ts';
import { isSendable, verdictsOf } from '../../lib/platforms/verdicts.ts';
import type { NormalizedRow } from '../../lib/ports/event-store.ts';
import { dirtySlots } from '../aggregate/message.ts';
import type { Breaker } from './breaker.ts';
import { type CallResult, callPlatform } from './call-platform.ts';
import type { Connections } from './open-connection.ts';
import type { DeliverPorts, OpenConnection } from './ports.ts';
import { isLastOpen, recordDelivery, type Transition } from './record.ts';
import type { Job } from './stage.ts';

/** Requests of one job in flight side by side, and writes of one batch. */
const REQUESTS_AT_ONCE = 4;
const WRITES_AT_ONCE = 16;
const READ_MAX = 100;

export interface JobContext {
  readonly ports: DeliverPorts;
  readonly breaker: Breaker;
  readonly connections: Connections;
}

/** A row to send, as it was last read. `leasedAtMs` when a lease was written for it. */
interface Candidate {
  readonly row: NormalizedRow;
  readonly routing: RoutingSnapshot;
  readonly event: NormalizedEvent;
  readonly windowEndsAtMs: number;
  readonly leasedAtMs?: number;
}

export async function runJob(job: Job, context: JobContext): Promise<void> {
  const { ports, connections } = context;
  const open = await connections.get(job.merchantId, job.platform);
  const candidates = await collect(job, context);
  const changed: NormalizedRow[] = [];
  const record = async (candidate: Candidate, transition: Transition): Promise<void> => {
    const written = await recordDelivery(candidate.row, job.platform.slug, candidate.routing, transition, {
      events: ports.events,
      platforms: ports.platforms,
      nowMs: () => ports.clock.now(),
    });
    if (written !== null) changed.push(written);
  };

  const sendable: Candidate[] = [];
  for (const candidate of candidates) {
    const ended = endBeforeSending(candidate, job.platform, open, context);
    if (ended === null) sendable.push(candidate);
    else await record(candidate, ended);
  }
  if (open !== null) {
    const requests = toRequests(sendable, job.platform, open.credentials);
    await inParallel(requests, REQUESTS_AT_ONCE, (request) => sendOne(request, job, open, context, record));
  }
  await hint(changed, ports);
}

/** Reads the rows, keeps those this platform still waits for, and takes leases where somebody may have sent before. */
async function collect(job: Job, { ports }: JobContext): Promise<Candidate[]> {
  const first = new Map(job.rows.map((row) => [`${row.key.trust}/${row.key.eventId}`, row.first]));
  const candidates: Candidate[] = [];
  for (let at = 0; at < job.rows.length; at += READ_MAX) {
    const rows = await ports.events.readMany(job.rows.slice(at, at + READ_MAX).map((row) => row.key));
    for (const row of rows) {
      if (row.state !== 'normalized' || row.dueAtMs === undefined) continue;
      const routing = await ports.config.routing(job.merchantId, row.routingVersion);
      if (verdictsOf(row, routing, [job.platform])[job.platform.slug]?.word !== 'pending') continue;
      const delivery = row.deliveries[job.platform.slug];
      if (!isSendable(delivery, ports.clock.now())) continue;
      const isFirst = delivery === undefined && first.get(`${row.key.trust}/${row.key.eventId}`) === true;
      const held = isFirst ? row : await takeLease(row, job.platform, routing, ports);
      if (held !== null) candidates.push(await toCandidate(held, routing, job.platform, !isFirst, ports));
    }
  }
  return candidates;
}

async function takeLease(
  row: NormalizedRow,
  platform: Platform,
  routing: RoutingSnapshot,
  ports: DeliverPorts,
): Promise<NormalizedRow | null> {
  const nowMs = ports.clock.now();
  const seen = row.deliveries[platform.slug];
  // No trace, or a lease that ran out: whoever was here before may have sent.
  const unaccounted = seen === undefined || seen.state === 'SENDING';
  return await recordDelivery(
    row,
    platform.slug,
    routing,
    (previous) => (sameDelivery(previous, seen) ? lease(previous, nowMs, unaccounted) : null),
    { events: ports.events, platforms: ports.platforms, nowMs: () => nowMs },
  );
}

async function toCandidate(
  row: NormalizedRow,
  routing: RoutingSnapshot,
  platform: Platform,
  leased: boolean,
  ports: DeliverPorts,
): Promise<Candidate> {
  const { sealed: ciphertext, ...stored } = row.event;
  const sealed: SealedIdentity =
    ciphertext === undefined || platform.sealedFields.length === 0
      ? {}
      : (JSON.parse(await ports.vault.open(row.key.merchantId, row.ingestId, ciphertext)) as SealedIdentity);
  const event: NormalizedEvent = { ...stored, sealed };
  const ageMaxSec = platform.ageMaxSec?.(event) ?? platform.limits.ageMaxSec;
  const leasedAtMs = row.deliveries[platform.slug]?.updatedAtMs;
  return {
    row,
    routing,
    event,
    windowEndsAtMs: deliveryWindowEndMs(event.eventTimeSec, event.receivedAtMs, ageMaxSec),
    ...(leased && leasedAtMs !== undefined ? { leasedAtMs } : {}),
  };
}

/** What ends or postpones the delivery without a request; null = send it. */
function endBeforeSending(
  candidate: Candidate,
  platform: Platform,
  open: OpenConnection | null,
  { ports, breaker }: JobContext,
): Transition | null {
  const nowMs = ports.clock.now();
  const timing = { nowMs, windowEndsAtMs: candidate.windowEndsAtMs, dice: ports.random.next() };
  if (open === null) return unlessOver((previous) => endWithout(previous, 'SKIPPED', 'not_connected', nowMs));
  if (nowMs >= candidate.windowEndsAtMs)
    return unlessOver((previous) => endWithout(previous, 'ERROR', 'window_closed', nowMs));
  if (open.connection.status === 'paused')
    return unlessOver((previous) => postpone(previous, 'connection_paused', 900, timing));
  const unsendable = platform.unsendable(candidate.event, open.credentials);
  if (unsendable !== null) {
    const reason = `${unsendable.verdict}:${unsendable.subject}`;
    return unlessOver((previous) => endWithout(previous, 'FAILED', reason, nowMs));
  }
  const waitMs = breaker.waitMs(open.connection.id, nowMs);
  if (waitMs > 0)
    return unlessOver((previous) => postpone(previous, 'circuit_open', Math.max(10, waitMs / 1000), timing));
  return null;
}

const unlessOver =
  (transition: (previous: Delivery | undefined) => Delivery): Transition =>
  (previous) =>
    previous !== undefined && TERMINAL_STATES.has(previous.state) ? null : transition(previous);

/** Requests of one group each, none larger than the platform takes. */
function toRequests(
  candidates: readonly Candidate[],
  platform: Platform,
  credentials: unknown,
): Candidate[][] {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const key = platform.groupKey?.(candidate.event, credentials) ?? '';
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [candidate]);
    else group.push(candidate);
  }
  const requests: Candidate[][] = [];
  for (const group of groups.values())
    for (let at = 0; at < group.length; at += platform.limits.batchSizeMax)
      requests.push(group.slice(at, at + platform.limits.batchSizeMax));
  return requests;
}

async function sendOne(
  request: readonly Candidate[],
  job: Job,
  open: OpenConnection,
  { ports, breaker }: JobContext,
  record: (candidate: Candidate, transition: Transition) => Promise<void>,
): Promise<void> {
  const id = open.connection.id;
  const results = await callPlatform(
    job.platform,
    open.credentials,
    request.map((candidate) => candidate.event),
    {
      transport: ports.transport,
      clock: ports.clock,
      onCall: (outcomes) => noteCall(breaker, id, outcomes, ports),
    },
  );
  if (results.some(({ outcome }) => outcome.kind === 'auth'))
    await ports.config.pauseConnection(open.connection, 'auth', ports.clock.now());
  const fresh = await refresh(request, job.platform, ports);
  await inParallel(fresh, WRITES_AT_ONCE, async (candidate, index) => {
    const result = results[index];
    if (result !== undefined) await record(candidate, outcomeTransition(candidate, result, ports));
  });
}

/** Reads the rows again where another platform was still open: whoever ends the last delivery ends the row. */
async function refresh(
  request: readonly Candidate[],
  platform: Platform,
  ports: DeliverPorts,
): Promise<readonly Candidate[]> {
  const shared = request.filter(
    (c) => !isLastOpen(c.row, platform.slug, verdictsOf(c.row, c.routing, ports.platforms)),
  );
  const rows = new Map<string, NormalizedRow>();
  for (let at = 0; at < shared.length; at += READ_MAX)
    for (const row of await ports.events.readMany(shared.slice(at, at + READ_MAX).map((c) => c.row.key)))
      if (row.state === 'normalized') rows.set(row.ingestId, row);
  return request.map((candidate) => {
    const row = rows.get(candidate.row.ingestId);
    return row === undefined ? candidate : { ...candidate, row };
  });
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
    const mine = previous === undefined || previous.updatedAtMs === candidate.leasedAtMs;
    if (!mine && !delivered) {
      return outcome.maybeDelivered === true
        ? { ...previous, unknowns: previous.unknowns + 1, updatedAtMs: nextStamp(previous, nowMs) }
        : null;
    }
    return afterOutcome(previous, outcome, facts, {
      nowMs,
      windowEndsAtMs: candidate.windowEndsAtMs,
      dice: ports.random.next(),
    });
  };
}

/** A call fails for the breaker when the platform is down, hangs or asks for a pause; a refused event is an answer. */
function noteCall(breaker: Breaker, id: string, outcomes: readonly Outcome[], ports: DeliverPorts): void {
  const failing = outcomes.find((o) => o.kind === 'retry' || o.kind === 'rate_limited');
  const nowMs = ports.clock.now();
  if (failing === undefined) breaker.record(id, true, nowMs);
  else
    breaker.record(
      id,
      false,
      nowMs,
      failing.kind === 'rate_limited' ? (failing.retryAfterSec ?? 0) * 1000 : 0,
    );
}

function sameDelivery(a: Delivery | undefined, b: Delivery | undefined): boolean {
  return a?.updatedAtMs === b?.updatedAtMs && a?.state === b?.state;
}

/** Analytics hears of it soon; if not, the slot's own due time brings it up. */
async function hint(changed: readonly NormalizedRow[], ports: DeliverPorts): Promise<void> {
  const hints = dirtySlots(
    changed.map((row) => ({ merchantId: row.key.merchantId, receivedAtMs: row.receivedAtMs })),
  );
  if (hints.length === 0) return;
  try {
    await ports.outcomes.send(hints.map((body) => ({ body, groupId: body.merchant })));
  } catch (error) {
    ports.report('a counter hint was not sent', error);
  }
}
