// Which rows of a job still wait for the platform, with everything a request needs of them. Leases are taken here.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import type { Delivery, ParkingReason } from '../../../lib/events/domain/delivery.ts';
import { isParked, isSendable, targetsOf } from '../../../lib/events/domain/delivery-progress.ts';
import { deliveryWindowEndMs, isLastChance, lease } from '../../../lib/events/domain/delivery-transition.ts';
import type { EventKey, EventRow, NormalizedRow } from '../../../lib/events/domain/event-row.ts';
import type { NormalizedEvent } from '../../../lib/events/domain/normalized-event.ts';
import { PlatformDefect } from '../../../lib/events/domain/platform-defect.ts';
import { readRows, rowId } from '../../../lib/events/pipeline/read-rows.ts';
import { closedEvent, openEvent } from '../../../lib/events/pipeline/sealed-event.ts';
import type { Platform } from '../../../lib/events/platforms/platform.ts';
import type { Gate } from './gate.ts';
import type { DeliverPorts } from './ports.ts';
import { recordDelivery } from './record.ts';
import type { Job } from './stage.ts';

const LEASES_AT_ONCE = 16;
/** Events that find out whether a platform is back: enough that a few bad ones among them do not decide. */
const PROBE_EVENTS = 10;

/** A row to send, as it was last read. `leaseUntilMs`: end of the lease that was written for it. */
export interface Candidate {
  readonly row: NormalizedRow;
  readonly event: NormalizedEvent;
  readonly windowEndsAtMs: number;
  readonly leaseUntilMs?: number;
  /** Set on what is not sent now but parked, for which no lease was taken. */
  readonly parkAs?: ParkingReason;
  /** Somebody may have sent it before without leaving a trace, and no lease has recorded that. */
  readonly unaccounted?: boolean;
}

export interface Collected {
  readonly candidates: readonly Candidate[];
  /** Rows that still waited when what is personal about them was erased: there is nothing left to send. */
  readonly erased: readonly NormalizedRow[];
}

/**
 * Reads the rows, keeps those this platform still waits for, and takes leases where somebody may have sent before. A row
 * that cannot be made ready, be it that it does not open, is reported to `onFailure` and left out. What the gate keeps back
 * is to be parked; what is parked already is left as it is, unread and unwritten.
 */
export async function collectCandidates(
  job: Job,
  gate: Gate,
  ports: DeliverPorts,
  onFailure: (key: EventKey, error: unknown) => void,
): Promise<Collected> {
  const { platform, rows: pointed } = job;
  const first = new Map(pointed.map((row) => [rowId(row.key), row.first]));
  const isFirst = (key: EventKey): boolean => first.get(rowId(key)) === true;
  // Where nobody can have been before, a moment's delay is harmless: the outcome's write sees what the read did not.
  const { rows } = await readRows(
    pointed.map(({ key }) => key),
    ports.events,
    { isReady: (row) => isFor(row, platform.slug), atOnce: (key) => !isFirst(key) },
  );
  const erased: NormalizedRow[] = [];
  const nowMs = ports.clock.now();
  const mayGo = (row: NormalizedRow): boolean => {
    const delivery = row.deliveries[platform.slug];
    return isSendable(delivery, nowMs) || (gate.pass !== 'none' && isParked(delivery));
  };
  const waiting = rows.filter((row) => isFor(row, platform.slug)).filter(mayGo);
  const candidates = await inParallel(waiting, LEASES_AT_ONCE, async (row, index) => {
    try {
      const passes = gate.pass === 'all' || (gate.pass === 'probe' && index < PROBE_EVENTS);
      const kept = passes ? null : toParked(row, isFirst(row.key), gate.reason, platform, ports);
      if (kept !== null) return kept;
      const candidate = await toCandidate(row, isFirst(row.key), platform, ports);
      if (candidate === 'erased') erased.push(row);
      return candidate === 'erased' ? null : candidate;
    } catch (error) {
      onFailure(row.key, error);
      return null;
    }
  });
  return { candidates: candidates.filter((candidate) => candidate !== null), erased };
}

const isFor = (row: EventRow, slug: string): row is NormalizedRow =>
  row.state === 'normalized' && targetsOf(row).includes(slug);

/** Null where it has to go all the same: a platform that is down is tried rather than the window let close. */
function toParked(
  row: NormalizedRow,
  isFirst: boolean,
  parkAs: ParkingReason,
  platform: Platform,
  ports: DeliverPorts,
): Candidate | null {
  const event = closedEvent(row);
  const windowEndsAtMs = windowEndMs(event, platform, ports);
  if (parkAs === 'circuit_open' && isLastChance(windowEndsAtMs, ports.clock.now())) return null;
  const delivery = row.deliveries[platform.slug];
  return { row, event, windowEndsAtMs, parkAs, unaccounted: !isFirst && isUnaccounted(delivery) };
}

/** No trace, or a lease that ran out: whoever was here before may have sent. */
const isUnaccounted = (delivery: Delivery | undefined): boolean =>
  delivery === undefined || delivery.state === 'SENDING';

async function toCandidate(
  row: NormalizedRow,
  isFirst: boolean,
  platform: Platform,
  ports: DeliverPorts,
): Promise<Candidate | 'erased' | null> {
  const { slug } = platform;
  const delivery = row.deliveries[slug];
  // Before the lease: what cannot be opened costs no write, and must not look as if it had been sent.
  const opened = await openInTime(row, platform, ports);
  if (opened === null) return 'erased';
  const { event, windowEndsAtMs } = opened;
  if (isFirst && delivery === undefined) return { row, event, windowEndsAtMs };
  const held = await takeLease(row, slug, ports);
  if (held === null) return null;
  const leaseUntilMs = held.deliveries[slug]?.leaseUntilMs;
  return { row: held, event, windowEndsAtMs, ...(leaseUntilMs === undefined ? {} : { leaseUntilMs }) };
}

async function takeLease(
  row: NormalizedRow,
  slug: string,
  ports: DeliverPorts,
): Promise<NormalizedRow | null> {
  const nowMs = ports.clock.now();
  const seen = row.deliveries[slug];
  return await recordDelivery(
    row,
    slug,
    (previous) => (sameDelivery(previous, seen) ? lease(previous, nowMs, isUnaccounted(seen)) : null),
    ports,
  );
}

/** Null: erased. What does not open can still end: when its window is over, nobody needs what is sealed any more. */
async function openInTime(
  row: NormalizedRow,
  platform: Platform,
  ports: DeliverPorts,
): Promise<Pick<Candidate, 'event' | 'windowEndsAtMs'> | null> {
  const closed = closedEvent(row);
  const windowEndsAtMs = windowEndMs(closed, platform, ports);
  try {
    const event = await openEvent(row, ports.eventVault);
    return event === null ? null : { event, windowEndsAtMs };
  } catch (error) {
    if (ports.clock.now() < windowEndsAtMs) throw error;
    return { event: closed, windowEndsAtMs };
  }
}

function windowEndMs(event: NormalizedEvent, platform: Platform, ports: DeliverPorts): number {
  return deliveryWindowEndMs(event.eventTimeSec, event.receivedAtMs, ageMaxSecOf(platform, event, ports));
}

function ageMaxSecOf(platform: Platform, event: NormalizedEvent, { report }: DeliverPorts): number {
  try {
    return platform.ageMaxSec?.(event) ?? platform.limits.ageMaxSec;
  } catch (error) {
    const defect = new PlatformDefect(platform.slug, 'ageMaxSec', error);
    report(defect.message, defect);
    return platform.limits.ageMaxSec;
  }
}

/** True where nobody has written the delivery since it was read. */
export function sameDelivery(a: Delivery | undefined, b: Delivery | undefined): boolean {
  return a?.updatedAtMs === b?.updatedAtMs && a?.state === b?.state;
}
