// Writes the outcome of one delivery, with retries on concurrent writes to the same row.
// Guarantees: a success is never lost and never overwritten; the row's due time is never later than its earliest open
// delivery needs.
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { nextDueMs } from '#lib/events/domain/deliveries/progress.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';

/** From the stored delivery to the one to store; null = leave it as it is. */
export type Transition = (previous: Delivery | undefined) => Delivery | null;

export interface RecordPorts {
  readonly events: Pick<EventStore, 'read' | 'putDelivery'>;
}

/** Returns the row after the write, or null if no write was needed. */
export async function recordDelivery(
  row: NormalizedRow,
  platform: string,
  transition: Transition,
  { events }: RecordPorts,
): Promise<NormalizedRow | null> {
  let current = row;
  return await retryConflicts({ what: 'a delivery' }, async () => {
    const delivery = transition(current.deliveries[platform]);
    if (delivery === null) return null;
    const after = { ...current, deliveries: { ...current.deliveries, [platform]: delivery } };
    const written = await events.putDelivery(current, { platform, delivery, dueAtMs: nextDueMs(after) });
    if (written !== null) return written;
    const reread = await events.read(row.key);
    if (reread === null || reread.state !== 'normalized' || reread.ingestId !== row.ingestId) return null;
    current = reread;
    return CONFLICT;
  });
}
