// Which rows of a job still wait for the platform, with everything a request needs of them. Leases are taken here.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import type { Delivery } from '../../../lib/events/domain/delivery.ts';
import { isSendable, targetsOf } from '../../../lib/events/domain/delivery-progress.ts';
import { deliveryWindowEndMs, lease } from '../../../lib/events/domain/delivery-transition.ts';
import type { SealedIdentity } from '../../../lib/events/domain/identity/identity.ts';
import type { NormalizedEvent } from '../../../lib/events/domain/normalized-event.ts';
import { PlatformDefect } from '../../../lib/events/domain/platform-defect.ts';
import { readRows, rowId } from '../../../lib/events/pipeline/read-rows.ts';
import type { Platform } from '../../../lib/events/platforms/platform.ts';
import type { EventKey, EventRow, NormalizedRow } from '../../../lib/events/ports/event-store.ts';
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

/**
 * Reads the rows, keeps those this platform still waits for, and takes leases where somebody may have sent before. A row
 * that cannot be made ready is reported to `onFailure` and left out.
 */
export async function collectCandidates(
  job: Job,
  ports: DeliverPorts,
  onFailure: (key: EventKey, error: unknown) => void,
): Promise<Candidate[]> {
  const { platform, rows: pointed } = job;
  const first = new Map(pointed.map((row) => [rowId(row.key), row.first]));
  const isFirst = (key: EventKey): boolean => first.get(rowId(key)) === true;
  // Where nobody can have been before, a moment's delay is harmless: the outcome's write sees what the read did not.
  const { rows } = await readRows(
    pointed.map(({ key }) => key),
    ports.events,
    { isReady: (row) => isFor(row, platform.slug), atOnce: (key) => !isFirst(key) },
  );
  const candidates = await inParallel(rows, LEASES_AT_ONCE, async (row) => {
    try {
      return isFor(row, platform.slug) ? await toCandidate(row, isFirst(row.key), platform, ports) : null;
    } catch (error) {
      onFailure(row.key, error);
      return null;
    }
  });
  return candidates.filter((candidate) => candidate !== null);
}

const isFor = (row: EventRow, slug: string): row is NormalizedRow =>
  row.state === 'normalized' && targetsOf(row).includes(slug);

async function toCandidate(
  row: NormalizedRow,
  isFirst: boolean,
  platform: Platform,
  ports: DeliverPorts,
): Promise<Candidate | null> {
  const { slug } = platform;
  const delivery = row.deliveries[slug];
  if (!isSendable(delivery, ports.clock.now())) return null;
  // Before the lease: a row whose plain values cannot be had costs no write.
  const { event, windowEndsAtMs } = await openEvent(row, platform, ports);
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

/** Without its plain values an event can still end: when its window is over, nobody needs them any more. */
async function openEvent(
  row: NormalizedRow,
  platform: Platform,
  ports: DeliverPorts,
): Promise<Pick<Candidate, 'event' | 'windowEndsAtMs'>> {
  const { sealed: ciphertext, ...stored } = row.event;
  const closed: NormalizedEvent = { ...stored, sealed: {} };
  const windowEndsAtMs = deliveryWindowEndMs(
    stored.eventTimeSec,
    stored.receivedAtMs,
    ageMaxSecOf(platform, closed, ports),
  );
  if (ciphertext === undefined || platform.sealedFields.length === 0)
    return { event: closed, windowEndsAtMs };
  try {
    const text = await ports.vault.open(row.key.merchantId, row.ingestId, ciphertext);
    return { event: { ...stored, sealed: JSON.parse(text) as SealedIdentity }, windowEndsAtMs };
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
