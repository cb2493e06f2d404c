// Which rows of a job still wait for the platform, with everything a request needs of them. Leases are taken here.
import { inParallel } from '../../lib/adapters/concurrency/in-parallel.ts';
import type { RoutingSnapshot } from '../../lib/domain/connection.ts';
import type { Delivery } from '../../lib/domain/delivery.ts';
import { deliveryWindowEndMs, lease } from '../../lib/domain/delivery-transition.ts';
import type { SealedIdentity } from '../../lib/domain/identity.ts';
import type { NormalizedEvent } from '../../lib/domain/normalized-event.ts';
import type { Platform } from '../../lib/platforms/platform.ts';
import { isSendable, verdictsOf } from '../../lib/platforms/verdicts.ts';
import type { NormalizedRow } from '../../lib/ports/event-store.ts';
import type { DeliverPorts } from './ports.ts';
import { recordDelivery } from './record.ts';
import type { Job } from './stage.ts';

const READ_MAX = 100;
const LEASES_AT_ONCE = 16;

/** A row to send, as it was last read. `leasedAtMs` when a lease was written for it. */
export interface Candidate {
  readonly row: NormalizedRow;
  readonly routing: RoutingSnapshot;
  readonly event: NormalizedEvent;
  readonly windowEndsAtMs: number;
  readonly leasedAtMs?: number;
}

/** Reads the rows, keeps those this platform still waits for, and takes leases where somebody may have sent before. */
export async function collectCandidates(job: Job, ports: DeliverPorts): Promise<Candidate[]> {
  const first = new Map(job.rows.map((row) => [`${row.key.trust}/${row.key.eventId}`, row.first]));
  const candidates: (Candidate | null)[] = [];
  for (let at = 0; at < job.rows.length; at += READ_MAX) {
    const rows = await ports.events.readMany(job.rows.slice(at, at + READ_MAX).map((row) => row.key));
    const found = await inParallel(rows, LEASES_AT_ONCE, async (row) => {
      if (row.state !== 'normalized' || row.dueAtMs === undefined) return null;
      const routing = await ports.config.routing(job.merchantId, row.routingVersion);
      if (verdictsOf(row, routing, [job.platform])[job.platform.slug]?.word !== 'pending') return null;
      const delivery = row.deliveries[job.platform.slug];
      if (!isSendable(delivery, ports.clock.now())) return null;
      const isFirst = delivery === undefined && first.get(`${row.key.trust}/${row.key.eventId}`) === true;
      const held = isFirst ? row : await takeLease(row, job.platform, routing, ports);
      return held === null ? null : await toCandidate(held, routing, job.platform, !isFirst, ports);
    });
    candidates.push(...found);
  }
  return candidates.filter((candidate) => candidate !== null);
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

function sameDelivery(a: Delivery | undefined, b: Delivery | undefined): boolean {
  return a?.updatedAtMs === b?.updatedAtMs && a?.state === b?.state;
}
