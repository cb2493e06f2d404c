// Which rows of a job still wait for the platform, with everything a request needs of them. Leases are taken here.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import type { Delivery } from '../../../lib/events/domain/delivery.ts';
import { isSendable, targetsOf } from '../../../lib/events/domain/delivery-progress.ts';
import { deliveryWindowEndMs, lease } from '../../../lib/events/domain/delivery-transition.ts';
import type { NormalizedEvent } from '../../../lib/events/domain/normalized-event.ts';
import { openEvent } from '../../../lib/events/pipeline/sealed-event.ts';
import type { Platform } from '../../../lib/events/platforms/platform.ts';
import type { EventKey, NormalizedRow } from '../../../lib/events/ports/event-store.ts';
import { UnreadablePart } from '../../../lib/events/ports/event-vault.ts';
import type { DeliverPorts } from './ports.ts';
import { recordDelivery } from './record.ts';
import type { Job } from './stage.ts';

const READ_MAX = 100;
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

/** Reads the rows, keeps those this platform still waits for, and takes leases where somebody may have sent before. */
export async function collectCandidates(job: Job, ports: DeliverPorts): Promise<Collected> {
  const { slug } = job.platform;
  const first = new Map(job.rows.map((row) => [idOf(row.key), row.first]));
  const candidates: (Candidate | null)[] = [];
  const erased: NormalizedRow[] = [];
  for (let at = 0; at < job.rows.length; at += READ_MAX) {
    const rows = await readRows(job.rows.slice(at, at + READ_MAX), slug, ports);
    const found = await inParallel(rows, LEASES_AT_ONCE, async (row) => {
      const delivery = row.deliveries[slug];
      if (!isSendable(delivery, ports.clock.now())) return null;
      // Before the lease: what cannot be opened must not look as if it had been sent.
      const event = await opened(row, ports);
      if (event === null) erased.push(row);
      if (event === null || event === undefined) return null;
      const isFirst = delivery === undefined && first.get(idOf(row.key)) === true;
      const held = isFirst ? row : await takeLease(row, slug, ports);
      return held === null ? null : toCandidate(held, event, job.platform, !isFirst);
    });
    candidates.push(...found);
  }
  return { candidates: candidates.filter((candidate) => candidate !== null), erased };
}

/**
 * Rows that are to go to the platform. Where nobody can have been before, a moment's delay is harmless: the outcome's
 * write sees what the read did not. A row that does not look ready is asked for again.
 */
async function readRows(rows: Job['rows'], slug: string, ports: DeliverPorts): Promise<NormalizedRow[]> {
  const found: NormalizedRow[] = [];
  const again: EventKey[] = rows.filter(({ first }) => !first).map(({ key }) => key);
  const firsts = rows.filter(({ first }) => first).map(({ key }) => key);
  if (firsts.length > 0) {
    const seen = new Set<string>();
    for (const row of await ports.events.readMany(firsts, 'eventual')) {
      if (row.state !== 'normalized' || !targetsOf(row).includes(slug)) continue;
      found.push(row);
      seen.add(idOf(row.key));
    }
    again.push(...firsts.filter((key) => !seen.has(idOf(key))));
  }
  if (again.length > 0)
    for (const row of await ports.events.readMany(again))
      if (row.state === 'normalized' && targetsOf(row).includes(slug)) found.push(row);
  return found;
}

const idOf = ({ channel, eventId }: EventKey): string => `${channel}/${eventId}`;

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

function toCandidate(
  row: NormalizedRow,
  event: NormalizedEvent,
  platform: Platform,
  leased: boolean,
): Candidate {
  const ageMaxSec = platform.ageMaxSec?.(event) ?? platform.limits.ageMaxSec;
  const leasedAtMs = row.deliveries[platform.slug]?.updatedAtMs;
  return {
    row,
    event,
    windowEndsAtMs: deliveryWindowEndMs(event.eventTimeSec, event.receivedAtMs, ageMaxSec),
    ...(leased && leasedAtMs !== undefined ? { leasedAtMs } : {}),
  };
}

/** Null: erased. Undefined: damaged, and left alone, so that it is found again when the code can read it. */
async function opened(row: NormalizedRow, ports: DeliverPorts): Promise<NormalizedEvent | null | undefined> {
  try {
    return await openEvent(row, ports.eventVault);
  } catch (error) {
    if (!(error instanceof UnreadablePart)) throw error;
    ports.report('an event could not be opened', error);
    return undefined;
  }
}

function sameDelivery(a: Delivery | undefined, b: Delivery | undefined): boolean {
  return a?.updatedAtMs === b?.updatedAtMs && a?.state === b?.state;
}
