// Which rows of a job still wait for the platform, with everything a request needs of them. Leases are taken here.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import type { Delivery } from '../../../lib/events/domain/delivery.ts';
import { isSendable, targetsOf } from '../../../lib/events/domain/delivery-progress.ts';
import { deliveryWindowEndMs, lease } from '../../../lib/events/domain/delivery-transition.ts';
import type { EventKey, EventRow, NormalizedRow } from '../../../lib/events/domain/event-row.ts';
import type { NormalizedEvent } from '../../../lib/events/domain/normalized-event.ts';
import { PlatformDefect } from '../../../lib/events/domain/platform-defect.ts';
import { readRows, rowId } from '../../../lib/events/pipeline/read-rows.ts';
import { closedEvent, openEvent } from '../../../lib/events/pipeline/sealed-event.ts';
import type { Platform } from '../../../lib/events/platforms/platform.ts';
import type { DeliverPorts } from './ports.ts';
import { recordDelivery } from './record.ts';
import type { Job } from './stage.ts';

const LEASES_AT_ONCE = 16;

/** A row to send, as it was last read. `leasedAtMs` when a lease was written for it. */
export interface Candidate {
  readonly row: NormalizedRow;
  readonly event: NormalizedEvent;
  readonly windowEndsAtMs: number;
  readonly leasedAtMs?: number;
}

export interface Collected {
  readonly candidates: readonly Candidate[];
  /** Rows that still waited when what is personal about them was erased: there is nothing left to send. */
  readonly erased: readonly NormalizedRow[];
}

/**
 * Reads the rows, keeps those this platform still waits for, and takes leases where somebody may have sent before. A row
 * that cannot be made ready, be it that it does not open, is reported to `onFailure` and left out.
 */
export async function collectCandidates(
  job: Job,
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
  const candidates = await inParallel(rows, LEASES_AT_ONCE, async (row) => {
    try {
      if (!isFor(row, platform.slug)) return null;
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

async function toCandidate(
  row: NormalizedRow,
  isFirst: boolean,
  platform: Platform,
  ports: DeliverPorts,
): Promise<Candidate | 'erased' | null> {
  const { slug } = platform;
  const delivery = row.deliveries[slug];
  if (!isSendable(delivery, ports.clock.now())) return null;
  // Before the lease: what cannot be opened costs no write, and must not look as if it had been sent.
  const opened = await openInTime(row, platform, ports);
  if (opened === null) return 'erased';
  const { event, windowEndsAtMs } = opened;
  if (isFirst && delivery === undefined) return { row, event, windowEndsAtMs };
  const held = await takeLease(row, slug, ports);
  if (held === null) return null;
  const leasedAtMs = held.deliveries[slug]?.updatedAtMs;
  return { row: held, event, windowEndsAtMs, ...(leasedAtMs === undefined ? {} : { leasedAtMs }) };
}

async function takeLease(
  row: NormalizedRow,
  slug: string,
  ports: DeliverPorts,
): Promise<NormalizedRow | null> {
  const nowMs = ports.clock.now();
  const seen = row.deliveries[slug];
  // No trace, or a lease that ran out: whoever was here before may have sent.
  const unaccounted = seen === undefined || seen.state === 'SENDING';
  return await recordDelivery(
    row,
    slug,
    (previous) => (sameDelivery(previous, seen) ? lease(previous, nowMs, unaccounted) : null),
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
  const windowEndsAtMs = deliveryWindowEndMs(
    closed.eventTimeSec,
    closed.receivedAtMs,
    ageMaxSecOf(platform, closed, ports),
  );
  try {
    const event = await openEvent(row, ports.eventVault);
    return event === null ? null : { event, windowEndsAtMs };
  } catch (error) {
    if (ports.clock.now() < windowEndsAtMs) throw error;
    return { event: closed, windowEndsAtMs };
  }
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

function sameDelivery(a: Delivery | undefined, b: Delivery | undefined): boolean {
  return a?.updatedAtMs === b?.updatedAtMs && a?.state === b?.state;
}
