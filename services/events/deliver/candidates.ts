// The rows of a job that still wait for the platform, with everything a request needs. Leases are taken here.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { isTargeted } from '#lib/events/domain/deliveries/progress.ts';
import { endWithout, isUnaccounted, lease } from '#lib/events/domain/deliveries/transition.ts';
import type { DeliveryWindow } from '#lib/events/domain/deliveries/window.ts';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { EventKey, EventRow, NormalizedRow } from '#lib/events/domain/event/row.ts';
import { type Pursuit, windowOf } from '#lib/events/pipeline/acceptance-window.ts';
import { readRows, rowId } from '#lib/events/pipeline/read-rows.ts';
import { seenBy } from '#lib/events/pipeline/rules/rewrite.ts';
import { closedEvent, openEvent } from '#lib/events/pipeline/sealed-event.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { type Entrance, keepBack, mayGo, type Parking, sameDelivery } from './keep-back.ts';
import type { DeliverPorts } from './ports.ts';
import { recordDelivery, type Transition } from './record.ts';
import type { Job } from './stage.ts';
import { unlessOver } from './transitions.ts';

const LEASES_AT_ONCE = 16;

/** Why a delivery ended if its event was erased before a platform took it. */
export const ERASED = 'personal_data_erased';

/** An event to send, as last read, and how to write its outcome. */
export interface Candidate {
  readonly row: NormalizedRow;
  readonly event: NormalizedEvent;
  readonly window: DeliveryWindow;
  readonly delivery: Delivery | undefined;
  /** End of the lease that was written for it. Absent: no other worker can have sent it before. */
  readonly leaseUntilMs?: number;
  /** Set if it is to be parked and not sent. */
  readonly parking?: Parking;
  /** Does not throw: a failed write is reported, and the message comes again. */
  readonly record: (transition: Transition) => Promise<void>;
  readonly fail: (error: unknown) => void;
}

/** Callbacks of a running job. */
export interface JobReport {
  /** By `rowId`, or `batchId`: messages that name it are received again. */
  readonly fail: (id: string, error: unknown) => void;
  readonly changed: (row: NormalizedRow) => void;
}

/**
 * Reads the rows, keeps those this platform still waits for, and takes a lease if another worker may have sent the row
 * before. A row that cannot be prepared, for example because it cannot be decrypted, is reported and left out; a row
 * whose personal part was erased ends. Rows that the gate does not let through are to be parked; parked rows stay as
 * they are.
 */
export async function collectCandidates(
  { rows: pointed, platform, slot }: Pick<Job, 'rows' | 'platform' | 'slot'>,
  entrance: Entrance,
  ports: DeliverPorts,
  report: JobReport,
): Promise<readonly Candidate[]> {
  const first = new Map(pointed.map((row) => [rowId(row.key), row.first]));
  const isFirst = (key: EventKey): boolean => first.get(rowId(key)) === true;
  // On the first attempt a stale read is harmless: the conditional write of the outcome detects it.
  const { rows } = await readRows(
    pointed.map(({ key }) => key),
    ports.events,
    { isReady: (row) => isFor(row, slot), atOnce: (key) => !isFirst(key) },
  );
  const candidates = await inParallel(rows, LEASES_AT_ONCE, async (row) => {
    try {
      if (!isFor(row, slot)) return null;
      return await toCandidate(row, { platform, slot, isFirst: isFirst(row.key), entrance }, ports, report);
    } catch (error) {
      report.fail(rowId(row.key), error);
      return null;
    }
  });
  return candidates.filter((candidate) => candidate !== null);
}

/** Outcomes of a batch's rows are written to the batch. */
const isFor = (row: EventRow, slot: string): row is NormalizedRow =>
  row.state === 'normalized' && row.place === undefined && isTargeted(row, slot);

async function toCandidate(
  row: NormalizedRow,
  how: {
    readonly platform: Platform;
    readonly slot: string;
    readonly isFirst: boolean;
    readonly entrance: Entrance;
  },
  ports: DeliverPorts,
  report: JobReport,
): Promise<Candidate | null> {
  const { platform, slot, isFirst } = how;
  const delivery = row.deliveries[slot];
  const nowMs = ports.clock.now();
  if (!mayGo(delivery, how.entrance, nowMs)) return null;
  const to = (seen: NormalizedRow) => ({
    row: seen,
    delivery: seen.deliveries[slot],
    record: async (transition: Transition) => {
      try {
        const written = await recordDelivery(seen, slot, transition, ports);
        if (written !== null) report.changed(written);
      } catch (error) {
        report.fail(rowId(row.key), error);
      }
    },
    fail: (error: unknown) => report.fail(rowId(row.key), error),
  });
  const kept = keepBack(row, delivery, how, ports);
  if (kept === 'parked already') return null;
  if (kept !== null) return { ...to(row), ...kept };
  // Decrypt before the lease: a failure then costs no write and does not look like an attempt.
  const opened = await openInTime(row, platform, how.entrance.pursuit, ports);
  if (opened === null) {
    await to(row).record(unlessOver((previous) => endWithout(previous, 'ERROR', ERASED, nowMs)));
    return null;
  }
  if (isFirst && delivery === undefined) return { ...to(row), ...opened };
  const held = await takeLease(row, slot, ports);
  if (held === null) return null;
  const leaseUntilMs = held.deliveries[slot]?.leaseUntilMs;
  return { ...to(held), ...opened, ...(leaseUntilMs === undefined ? {} : { leaseUntilMs }) };
}

async function takeLease(
  row: NormalizedRow,
  slot: string,
  ports: DeliverPorts,
): Promise<NormalizedRow | null> {
  const nowMs = ports.clock.now();
  const seen = row.deliveries[slot];
  return await recordDelivery(
    row,
    slot,
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
  platform: Platform,
  pursuit: Pursuit,
  ports: DeliverPorts,
): Promise<Pick<Candidate, 'event' | 'window'> | null> {
  let event: NormalizedEvent | null;
  try {
    event = await openEvent(row, ports.eventVault);
  } catch (error) {
    const closed = seenBy(platform.slug, closedEvent(row));
    const window = windowOf(closed, platform, pursuit, ports);
    if (ports.clock.now() < window.windowEndsAtMs) throw error;
    return { event: closed, window };
  }
  if (event === null) return null;
  const seen = seenBy(platform.slug, event);
  return { event: seen, window: windowOf(seen, platform, pursuit, ports) };
}
