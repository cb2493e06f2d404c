// Which rows of a job still wait for the platform, with everything a request needs of them. Leases are taken here.
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

/** Why a delivery ended whose event was erased before a platform took it. */
export const ERASED = 'personal_data_erased';

/** An event to send, as it was last read, and where to write what becomes of it. */
export interface Candidate {
  readonly row: NormalizedRow;
  readonly event: NormalizedEvent;
  readonly window: DeliveryWindow;
  readonly delivery: Delivery | undefined;
  /** End of the lease that was written for it. Without one, nobody can have been here before. */
  readonly leaseUntilMs?: number;
  /** Set on what is not to be sent but parked. */
  readonly parking?: Parking;
  /** Does not throw: what cannot be written is reported, and the message comes again. */
  readonly record: (transition: Transition) => Promise<void>;
  readonly fail: (error: unknown) => void;
}

/** What a job learns while it runs. */
export interface JobReport {
  /** By `rowId`, or `batchId`: messages that name it are to come again. */
  readonly fail: (id: string, error: unknown) => void;
  readonly changed: (row: NormalizedRow) => void;
}

/**
 * Reads the rows, keeps those this platform still waits for, and takes leases where somebody may have sent before. A row
 * that cannot be made ready, be it that it does not open, is reported and left out; one whose personal part is gone has ended. What the gate keeps back
 * is to be parked; what is parked already is left as it is.
 */
export async function collectCandidates(
  { rows: pointed, platform, slot }: Pick<Job, 'rows' | 'platform' | 'slot'>,
  entrance: Entrance,
  ports: DeliverPorts,
  report: JobReport,
): Promise<readonly Candidate[]> {
  const first = new Map(pointed.map((row) => [rowId(row.key), row.first]));
  const isFirst = (key: EventKey): boolean => first.get(rowId(key)) === true;
  // Where nobody can have been before, a moment's delay is harmless: the outcome's write sees what the read did not.
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

/** What becomes of a batch's rows is written with the batch. */
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
  // Before the lease: what cannot be opened costs no write, and must not look as if it had been sent.
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
 * The event as the platform is to see it; null: erased. What does not open can still end: when its window is over, nobody
 * needs what is sealed any more.
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
