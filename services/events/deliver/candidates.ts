// The rows of a job that still wait for the platform, with everything a request needs. Leases are taken here.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { isAskDue, isTargeted } from '#lib/events/domain/deliveries/progress.ts';
import { endWithout, isUnaccounted, lease } from '#lib/events/domain/deliveries/transition.ts';
import type { DeliveryWindow } from '#lib/events/domain/deliveries/window.ts';
import type { EventKey, EventRow, NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import { type Pursuit, windowOf } from '#lib/events/pipeline/acceptance-window.ts';
import { outgoingFor } from '#lib/events/pipeline/outgoing.ts';
import { readRows, rowId } from '#lib/events/pipeline/read-rows.ts';
import { closedEvent, openEvent } from '#lib/events/pipeline/sealed-event.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import {
  type CircuitPermit,
  isSendableNow,
  type Parking,
  parkIfClosed,
  sameDelivery,
} from './circuit/circuit-permit.ts';
import type { Asking } from './confirm/ask.ts';
import type { DeliverPorts } from './ports.ts';
import { type RowOutcomes, recordApart } from './row-outcomes.ts';
import type { Job } from './stage.ts';
import { recordDelivery, type Transition, unlessOver } from './transitions.ts';

const LEASES_AT_ONCE = 16;

/** Why a delivery ended if its event was erased before a platform took it. */
export const ERASED = 'personal_data_erased';

/** An event to send, as last read, and how to write its outcome. */
export interface Candidate {
  readonly row: NormalizedRow;
  readonly event: OutgoingEvent;
  readonly window: DeliveryWindow;
  readonly delivery: Delivery | undefined;
  /** End of the lease that was written for it. Absent: no other worker can have sent it before. */
  readonly leaseUntilMs?: number;
  /** Set if it is to be parked and not sent. */
  readonly parking?: Parking;
  /** Does not throw: a failed write is reported, and the message comes again. */
  readonly record: (transition: Transition) => Promise<void>;
  readonly fail: (error: unknown) => void;
  /** Express had no time left for it: nothing was sent. */
  readonly unsent: () => void;
}

/** Callbacks of a running job. */
export interface JobReport {
  /** By `rowId`, or `batchId`: messages that name it are received again. */
  readonly fail: (id: string, error: unknown) => void;
  readonly changed: (row: NormalizedRow) => void;
  /** The same without a failure: the rest of a batch that express had no time for. */
  readonly again: (id: string) => void;
  /** By `rowId`, or `batchId`: express has sent nothing of it, and has written nothing. */
  readonly unsent: (id: string) => void;
  /** The platform has it, and is to be asked what became of it. */
  readonly asked: Asking['add'];
}

/**
 * Reads the rows, keeps those this platform still waits for, and takes a lease if another worker may have sent the row
 * before. A row that cannot be prepared, for example because it cannot be decrypted, is reported and left out; a row
 * whose personal part was erased ends. Rows that the gate does not let through are to be parked; parked rows stay as
 * they are.
 */
export async function collectCandidates(
  { rows: pointed, platform, target }: Pick<Job, 'rows' | 'platform' | 'target'>,
  permit: CircuitPermit,
  ports: DeliverPorts,
  report: JobReport,
  outcomes?: RowOutcomes,
): Promise<readonly Candidate[]> {
  const first = new Map(pointed.map((row) => [rowId(row.key), row.first]));
  const isFirst = (key: EventKey): boolean => first.get(rowId(key)) === true;
  // On the first attempt a stale read is harmless: the conditional write of the outcome detects it.
  const { rows } = await readRows(
    pointed.map(({ key }) => key),
    ports.events,
    { isReady: (row) => isFor(row, target), atOnce: (key) => !isFirst(key) },
  );
  const candidates = await inParallel(rows, LEASES_AT_ONCE, async (row) => {
    try {
      if (!isFor(row, target)) return null;
      return await toCandidate(
        row,
        { platform, target, isFirst: isFirst(row.key), permit, outcomes },
        ports,
        report,
      );
    } catch (error) {
      report.fail(rowId(row.key), error);
      return null;
    }
  });
  return candidates.filter((candidate) => candidate !== null);
}

/** Outcomes of a batch's rows are written to the batch. */
const isFor = (row: EventRow, target: string): row is NormalizedRow =>
  row.state === 'normalized' && row.place === undefined && isTargeted(row, target);

async function toCandidate(
  row: NormalizedRow,
  how: {
    readonly platform: Platform;
    readonly target: string;
    readonly isFirst: boolean;
    readonly permit: CircuitPermit;
    readonly outcomes: RowOutcomes | undefined;
  },
  ports: DeliverPorts,
  report: JobReport,
): Promise<Candidate | null> {
  const { target, isFirst } = how;
  const delivery = row.deliveries[target];
  const nowMs = ports.clock.now();
  if (isAskDue(delivery, nowMs) && delivery?.confirmation !== undefined)
    report.asked({ row, request: delivery.confirmation.request });
  if (!isSendableNow(delivery, how.permit, nowMs)) return null;
  const to = (seen: NormalizedRow) => ({
    row: seen,
    delivery: seen.deliveries[target],
    record: (transition: Transition) =>
      how.outcomes === undefined
        ? recordApart(seen, target, transition, report, ports)
        : how.outcomes.note(seen, target, transition, report),
    fail: (error: unknown) => report.fail(rowId(row.key), error),
    unsent: () => report.unsent(rowId(row.key)),
  });
  const kept = await parkIfClosed(row, delivery, how, ports);
  if (kept === 'parked already') return null;
  if (kept !== null) return { ...to(row), ...kept };
  // Decrypt before the lease: a failure then costs no write and does not look like an attempt.
  const opened = await openInTime(row, how, how.permit.pursuit, ports);
  if (opened === null) {
    await to(row).record(unlessOver((previous) => endWithout(previous, 'ERROR', ERASED, nowMs)));
    return null;
  }
  if (isFirst && delivery === undefined) return { ...to(row), ...opened };
  const held = await takeLease(row, target, ports);
  if (held === null) return null;
  const leaseUntilMs = held.deliveries[target]?.leaseUntilMs;
  return { ...to(held), ...opened, ...(leaseUntilMs === undefined ? {} : { leaseUntilMs }) };
}

async function takeLease(
  row: NormalizedRow,
  target: string,
  ports: DeliverPorts,
): Promise<NormalizedRow | null> {
  const nowMs = ports.clock.now();
  const seen = row.deliveries[target];
  return await recordDelivery(
    row,
    target,
    (previous) => (sameDelivery(previous, seen) ? lease(previous, nowMs, isUnaccounted(seen)) : null),
    ports,
  );
}

/**
 * The event as the platform is to see it; null: erased. A delivery whose window has closed ends even if its event
 * cannot be decrypted.
 */
export async function openInTime(
  row: NormalizedRow,
  { platform, target }: { readonly platform: Platform; readonly target: string },
  pursuit: Pursuit,
  ports: DeliverPorts,
): Promise<Pick<Candidate, 'event' | 'window'> | null> {
  let event: Awaited<ReturnType<typeof openEvent>>;
  try {
    event = await openEvent(row, ports.eventVault);
  } catch (error) {
    const closed = outgoingFor(target, closedEvent(row));
    const window = windowOf(closed, platform, pursuit, ports);
    if (ports.clock.now() < window.windowEndsAtMs) throw error;
    return { event: closed, window };
  }
  if (event === null) return null;
  const seen = outgoingFor(target, event);
  return { event: seen, window: windowOf(seen, platform, pursuit, ports) };
}
