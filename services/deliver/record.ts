// Writes what became of one delivery, whatever others write to the same row meanwhile.
// Guarantees: a success is never lost and never overwritten; the row's due time ends up covering what is still open.
import type { RoutingSnapshot } from '../../lib/domain/connection.ts';
import { type Delivery, TERMINAL_STATES } from '../../lib/domain/delivery.ts';
import type { Platform } from '../../lib/platforms/platform.ts';
import {
  dueAtMs,
  freezeVerdicts,
  pendingPlatforms,
  type Verdicts,
  verdictsOf,
} from '../../lib/platforms/verdicts.ts';
import type { EventStore, NormalizedRow } from '../../lib/ports/event-store.ts';

const TRIES = 8;

export interface RecordPorts {
  readonly events: Pick<EventStore, 'read' | 'putDelivery' | 'reschedule'>;
  readonly platforms: readonly Platform[];
  readonly nowMs: () => number;
}

/** From the delivery as stored to the one to store; null = leave it as it is. */
export type Transition = (previous: Delivery | undefined) => Delivery | null;

/** Returns the row after the write, or null when there was nothing to write any more. */
export async function recordDelivery(
  row: NormalizedRow,
  platform: string,
  routing: RoutingSnapshot,
  transition: Transition,
  ports: RecordPorts,
): Promise<NormalizedRow | null> {
  let current = row;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const next = transition(current.deliveries[platform]);
    if (next === null) return null;
    const verdicts = verdictsOf(current, routing, ports.platforms);
    const due = dueOf(
      { ...current, deliveries: { ...current.deliveries, [platform]: next } },
      verdicts,
      ports.nowMs(),
    );
    const written = await ports.events.putDelivery(current, {
      platform,
      delivery: next,
      dueAtMs: due,
      ...(due === null ? { closedVerdicts: freezeVerdicts(verdicts) } : {}),
    });
    if (written !== null) {
      await settle(written, verdicts, ports);
      return written;
    }
    const reread = await ports.events.read(row.key);
    if (reread === null || reread.state !== 'normalized' || reread.ingestId !== row.ingestId) return null;
    current = reread;
  }
  throw new Error('a delivery could not be recorded: the row kept changing');
}

/** The write's due time was computed from what was read before it; the row as written may ask for another one. */
async function settle(written: NormalizedRow, verdicts: Verdicts, ports: RecordPorts): Promise<void> {
  const due = dueOf(written, verdicts, ports.nowMs());
  if (due === (written.dueAtMs ?? null)) return;
  if (due !== null && written.dueAtMs !== undefined && due > written.dueAtMs) return;
  await ports.events.reschedule(
    written,
    due,
    due === null ? { closedVerdicts: freezeVerdicts(verdicts) } : {},
  );
}

function dueOf(row: NormalizedRow, verdicts: Verdicts, nowMs: number): number | null {
  return dueAtMs(row, pendingPlatforms(verdicts), nowMs);
}

/** True when no other platform's delivery of this row is still open, so that ending this one ends the row. */
export function isLastOpen(row: NormalizedRow, platform: string, verdicts: Verdicts): boolean {
  return pendingPlatforms(verdicts).every((slug) => {
    const delivery = row.deliveries[slug];
    return slug === platform || (delivery !== undefined && TERMINAL_STATES.has(delivery.state));
  });
}
