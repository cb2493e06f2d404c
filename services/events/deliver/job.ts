// All rows of one merchant for one platform, alone or in batches: which to send, in which requests, and with what
// result. Guarantees: a row that fails for any reason is named in the answer and does not hold up the others.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import { isWithdrawn } from '#lib/events/domain/connections/connection.ts';
import { PlatformDefect } from '#lib/events/domain/connections/platform-defect.ts';
import { BATCH_ROWS_MAX, batchId } from '#lib/events/domain/deliveries/batch.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { endWithout, park, postpone } from '#lib/events/domain/deliveries/transition.ts';
import { overReason } from '#lib/events/domain/deliveries/window.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { PURCHASE_OPEN } from '#lib/events/domain/orders/refund.ts';
import type { OpenConnection } from '#lib/events/pipeline/connections/open-connection.ts';
import { countedAt } from '#lib/events/pipeline/counting/due-buckets.ts';
import { mayRestate, restated } from '#lib/events/pipeline/orders/restated.ts';
import { rowId } from '#lib/events/pipeline/read-rows.ts';
import { missingConsent } from '#lib/events/pipeline/rules/own-rules.ts';
import { type Platform, servedBy } from '#lib/events/platforms/platform.ts';
import { requestCounterRefresh } from '../aggregate/message.ts';
import { type CollectedBatch, collectBatch, putOffUnsent } from './batch-candidates.ts';
import { defective } from './call-platform.ts';
import { type Candidate, collectCandidates, type JobReport } from './candidates.ts';
import { type CircuitPermit, withoutLease } from './circuit/circuit-permit.ts';
import { askPlatform, createAsking } from './confirm/ask.ts';
import { looksWell, ROUNDS_MAX } from './express.ts';
import { admission, enterGate, giveBack } from './gate.ts';
import { requestsAtOnce, requestsAtOnceMax } from './in-flight.ts';
import type { DeliverPorts } from './ports.ts';
import { toRequests } from './requests.ts';
import { type JobContext, retentionOf, type Sending, sendOne } from './sending.ts';
import type { Job } from './stage.ts';
import { isTest, sendTest, withheldTest } from './test-mode/send-test.ts';
import { type Moment, outcomeTransition, type Transition, unlessOver } from './transitions.ts';

/** A job starts no request later than this; the function and the leases last longer. */
const SENDING_MAX_MS = 40_000;
const BATCHES_AT_ONCE = 4;
const RESTATED_AT_ONCE = 16;
/** What ends sooner is seen by the count that normalize asked for. */
const COUNTED_ANYWAY_MS = 3_000;

/** By `rowId` or `batchId`. */
export interface JobEnd {
  /** Its message must come again. */
  readonly failed: ReadonlySet<string>;
  /** Of express: nothing was sent or written. */
  readonly unsent: ReadonlySet<string>;
}

/** Throws if nothing could be begun. */
export async function runJob(given: Job, context: JobContext): Promise<JobEnd> {
  const { ports } = context;
  const open = await openConnection(given, context);
  const job = servedJob(given, open);
  const { now, later } = partOf(job, open, context);
  // A gate is not entered for nothing: that would take the probe of a circuit.
  if (open === 'unreadable' || now.rows.length + now.batches.length === 0)
    return { failed: new Set(), unsent: new Set(later) };
  const failed = new Set<string>();
  const unsent = new Set(later);
  const asking = createAsking();
  const startMs = ports.clock.now();
  let firstError: unknown;
  let isOver = false;
  const changed: NormalizedRow[] = [];
  const isLate = (row: NormalizedRow): boolean => ports.clock.now() - row.receivedAtMs > COUNTED_ANYWAY_MS;
  const report: JobReport = {
    fail: (id, error) => {
      failed.add(id);
      if (isOver) ports.report(`deliveries to ${job.platform.slug} failed`, error);
      else firstError ??= error;
    },
    again: (id) => void failed.add(id),
    changed: (row) => {
      // In express a row that stands alone is written after its job, and an answer may come after the cutoff.
      if (!isOver) changed.push(row);
      else if (isLate(row)) requestCounterRefresh([countedAt(row)], ports).catch(() => undefined);
    },
    unsent: (id) => void unsent.add(id),
    asked: asking.add,
  };
  const gate = await enterGate(open?.connection ?? null, ports);
  const pursuit = {
    changedAtMs: open?.connection.updatedAtMs,
    // Only a delivery parked for a pause waits long enough for the retention to matter.
    ...(gate.reason === 'connection_paused'
      ? { retentionDays: await retentionOf(job.merchantId, ports) }
      : {}),
  };
  const pace = context.pace.of(open, job.platform, context.time !== undefined);
  const permit = { gate, allows: admission(gate), hasRoom: pace.hasRoom, pursuit };
  const batches = await collectBatches(now, permit, ports, report);
  const alone = await collectCandidates(now, permit, ports, report, context.outcomes);
  try {
    const candidates = [...alone, ...batches.flatMap((batch) => batch.candidates)];
    await sendAll(candidates, { job, open, gate, pace }, context);
    if (candidates.length + asking.all.length > 0 && candidates.every(isTest)) await giveBack(gate, ports);
  } finally {
    for (const batch of batches) putOffUnsent(batch, ports, report);
    await inParallel(batches, BATCHES_AT_ONCE, ({ key, writer }) =>
      writer.finish().catch((error: unknown) => report.fail(batchId(key), error)),
    );
  }
  await askPlatform(asking, { job, open, untilMs: startMs + SENDING_MAX_MS }, context, report.fail);
  await requestCounterRefresh(changed.filter(isLate).map(countedAt), ports);
  isOver = true;
  if (firstError !== undefined)
    ports.report(`deliveries to ${job.platform.slug} failed (${failed.size})`, firstError);
  return { failed, unsent };
}

type Opened = OpenConnection | null | 'unreadable';

/** In express what cannot be read is left to the queue, whose worker says why. */
async function openConnection(job: Job, { connections, ports, time }: JobContext): Promise<Opened> {
  try {
    return await connections.get(job.merchantId, job.platform, job.target, ports.config);
  } catch (error) {
    if (time === undefined) throw error;
    return 'unreadable';
  }
}

/** By the interface that the connection chose. */
const servedJob = (job: Job, open: Opened): Job =>
  open === null || open === 'unreadable'
    ? job
    : { ...job, platform: servedBy(job.platform, open.credentials) };

/** What to send now; and what express leaves to the queue from the start, by its ids. */
function partOf(
  job: Job,
  open: Opened,
  { breaker, time, ports, platformsAtOnce }: JobContext,
): { readonly now: Job; readonly later: readonly string[] } {
  if (time === undefined) return { now: job, later: [] };
  const { slug, limits } = job.platform;
  const isWell = open !== 'unreadable' && looksWell(slug, open, { breaker, time, nowMs: ports.clock.now() });
  const requestsMax = isWell ? ROUNDS_MAX * requestsAtOnceMax(job.platform, platformsAtOnce) : 0;
  const eventsMax = Math.min(requestsMax * limits.batchSizeMax, time.eventsMax);
  const rows = job.rows.slice(0, eventsMax);
  const batchesMax = isWell ? Math.max(1, Math.floor((eventsMax - rows.length) / BATCH_ROWS_MAX)) : 0;
  const batches = job.batches.slice(0, batchesMax);
  return {
    now: { ...job, rows, batches },
    later: [
      ...job.rows.slice(rows.length).map(({ key }) => rowId(key)),
      ...job.batches.slice(batches.length).map(({ key }) => batchId(key)),
    ],
  };
}

async function collectBatches(job: Job, permit: CircuitPermit, ports: DeliverPorts, report: JobReport) {
  const how = { platform: job.platform, target: job.target, permit };
  const collected = await inParallel(job.batches, BATCHES_AT_ONCE, async (pointed) => {
    try {
      const batch: CollectedBatch | null = await collectBatch(pointed, how, ports, report);
      return batch === null ? null : { ...batch, key: pointed.key };
    } catch (error) {
      report.fail(batchId(pointed.key), error);
      return null;
    }
  });
  return collected.filter((batch) => batch !== null);
}

async function sendAll(
  candidates: readonly Candidate[],
  {
    job,
    open,
    gate,
    pace,
  }: Pick<Sending, 'gate' | 'pace'> & { readonly job: Job; readonly open: OpenConnection | null },
  context: JobContext,
): Promise<void> {
  const { ports, breaker } = context;
  const moment: Moment = { nowMs: ports.clock.now(), random: ports.random.next() };
  const sendable: Candidate[] = [];
  const restating: Candidate[] = [];
  for (const candidate of candidates) {
    // Express writes nothing of what it does not send, and sends no tests.
    if (context.time !== undefined && (candidate.parking !== undefined || isTest(candidate))) {
      candidate.unsent();
      continue;
    }
    const ended = endBeforeSending(candidate, open, moment);
    if (ended !== null) await candidate.record(ended);
    if (ended !== null || open === null) continue;
    if (isRestated(candidate, job.platform)) {
      restating.push(candidate);
      continue;
    }
    const ready = unlessUnsendable(candidate, { job, open, moment }, ports);
    if (typeof ready === 'function') await candidate.record(ready);
    else sendable.push(ready);
  }
  if (open === null) return;
  await inParallel(restating, RESTATED_AT_ONCE, async (candidate) => {
    const ready = await withRest(candidate, { job, open, moment }, ports);
    if (typeof ready === 'function') await candidate.record(ready);
    else if (ready !== null) sendable.push(ready);
  });
  const { tests = [], live = [] } = Object.groupBy(sendable, (one) => (isTest(one) ? 'tests' : 'live'));
  const { requests, defective: unsent, defect } = toRequests(live, job.platform, open.credentials);
  if (defect !== undefined) ports.report(defect.message, defect);
  for (const candidate of unsent) await candidate.record(defectTransition(candidate, moment));
  // What was left behind begins no further call: a frozen process may go on at any later time.
  const deadlineMs = context.time?.cutoffAtMs ?? ports.clock.now() + SENDING_MAX_MS;
  const sending = { platform: job.platform, open, pace, deadlineMs };
  const answers = breaker.answers(open.connection.id, moment.nowMs);
  const width = requestsAtOnce(job.platform, answers, context.platformsAtOnce);
  await inParallel(requests, width, async (request) => {
    try {
      return await sendOne(request, { ...sending, gate }, context);
    } catch (error) {
      for (const candidate of request) candidate.fail(error);
      return false;
    }
  });
  for (const test of tests) await sendTest(test, sending, context);
}

interface Subject {
  readonly job: Job;
  readonly open: OpenConnection;
  readonly moment: Moment;
}

const isRestated = ({ row, event, delivery }: Candidate, { restatesPurchases: how }: Platform): boolean =>
  how !== undefined && event.test !== true && mayRestate(row, event.name, delivery !== undefined);

/** With what is left of the order now; or, without a request, how the delivery ends or waits; null: neither could be found out. */
async function withRest(
  candidate: Candidate,
  subject: Subject,
  ports: DeliverPorts,
): Promise<Candidate | Transition | null> {
  const { job, open, moment } = subject;
  try {
    const found = await restated(candidate.event, candidate.row, job, open.connection, ports);
    if ('event' in found) return unlessUnsendable({ ...candidate, ...found }, subject, ports);
    if (found.why !== 'open') return skipped(`not_taken_back:${found.why}`, moment);
  } catch (error) {
    candidate.fail(error);
    return null;
  }
  const context = { ...moment, ...candidate.window };
  return unlessOver((previous) => postpone(previous, PURCHASE_OPEN, PURCHASE_OPEN_SEC, context));
}

/** Until the purchase is looked for again. */
const PURCHASE_OPEN_SEC = 300;

const skipped = (reason: string, { nowMs }: Moment): Transition =>
  unlessOver((previous) => endWithout(previous, 'SKIPPED', reason, nowMs));

/** Null: nothing keeps it from being sent yet. */
function endBeforeSending(
  { row, window, parking, delivery }: Candidate,
  open: OpenConnection | null,
  moment: Moment,
): Transition | null {
  const { nowMs } = moment;
  const endsAtMs = parking?.reason === 'connection_paused' ? window.keptUntilMs : window.windowEndsAtMs;
  const unsent = (transition: (previous: Delivery | undefined) => Delivery): Transition =>
    unlessOver(parking === undefined ? transition : withoutLease(delivery, parking, nowMs, transition));
  // Also if the platform was connected again: the decision was made for the earlier connection.
  if (open === null || isWithdrawn(open.connection, row.routingVersion))
    return unsent((previous) => endWithout(previous, 'SKIPPED', 'not_connected', nowMs));
  if (nowMs >= endsAtMs)
    return unsent((previous) => endWithout(previous, 'ERROR', overReason(window, endsAtMs), nowMs));
  if (parking !== undefined)
    return unsent((previous) => park(previous, parking.reason, { ...moment, ...window }));
  return null;
}

function unlessUnsendable(
  candidate: Candidate,
  { job: { platform }, open, moment }: Subject,
  ports: DeliverPorts,
): Candidate | Transition {
  const withheld = withheldTest(candidate, platform, open);
  if (withheld !== undefined) return skipped(withheld, moment);
  const { consent } = open.connection;
  const missing = consent === undefined ? undefined : missingConsent(candidate.event, consent);
  if (missing !== undefined) return skipped(`${missing.code}:${missing.detail}`, moment);
  try {
    const unsendable = platform.unsendable(candidate.event, open.credentials);
    return unsendable === null ? candidate : skipped(`${unsendable.verdict}:${unsendable.detail}`, moment);
  } catch (error) {
    const defect = new PlatformDefect(platform.slug, 'unsendable', error);
    ports.report(defect.message, defect);
    return defectTransition(candidate, moment);
  }
}

/** Counts as an attempt although nothing was sent, so that the retry ladder spaces out the next ones. */
function defectTransition(candidate: Candidate, moment: Moment): Transition {
  return outcomeTransition(candidate, defective(moment.nowMs), moment);
}
