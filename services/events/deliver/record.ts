// Writes what became of one delivery, whatever others write to the same row meanwhile.
// Guarantees: a success is never lost and never overwritten; the row's due time is never later than the earliest
// delivery that was begun asks for; plain values go with the last delivery that may need them.
import type { Delivery } from '../../../lib/events/domain/delivery.ts';
import { nextDueMs, openTargets } from '../../../lib/events/domain/delivery-progress.ts';
import type { Platform } from '../../../lib/events/platforms/platform.ts';
import type { EventStore, NormalizedRow } from '../../../lib/events/ports/event-store.ts';

const TRIES = 8;

/** From the delivery as stored to the one to store; null = leave it as it is. */
export type Transition = (previous: Delivery | undefined) => Delivery | null;

export interface RecordPorts {
  readonly events: Pick<EventStore, 'read' | 'putDelivery' | 'forget'>;
  readonly platforms: readonly Platform[];
}

/** Returns the row after the write, or null when there was nothing to write any more. */
export async function recordDelivery(
  row: NormalizedRow,
  platform: string,
  transition: Transition,
  { events, platforms }: RecordPorts,
): Promise<NormalizedRow | null> {
  let current = row;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const delivery = transition(current.deliveries[platform]);
    if (delivery === null) return null;
    const after = { ...current, deliveries: { ...current.deliveries, [platform]: delivery } };
    const written = await events.putDelivery(current, {
      platform,
      delivery,
      dueAtMs: nextDueMs(after),
      forget: after.event.sealed !== undefined && !needsPlain(after, platforms),
    });
    if (written !== null) {
      // Others ended theirs meanwhile, and none of us knew to be the last.
      if (written.event.sealed !== undefined && !needsPlain(written, platforms)) await events.forget(written);
      return written;
    }
    const reread = await events.read(row.key);
    if (reread === null || reread.state !== 'normalized' || reread.ingestId !== row.ingestId) return null;
    current = reread;
  }
  throw new Error('a delivery could not be recorded: the row kept changing');
}

/** True while a platform that takes plain values has still to be sent to. */
function needsPlain(row: NormalizedRow, platforms: readonly Platform[]): boolean {
  const open = openTargets(row);
  return platforms.some(({ slug, sealedFields }) => sealedFields.length > 0 && open.includes(slug));
}
