// Like withdraw.ts, for rows of a batch: one write ends as many deliveries as its item holds.
import type { Clock } from '#lib/core/ports/clock.ts';
import type { BatchKey } from '../../domain/deliveries/batch.ts';
import { deliveryAt, emptyOutcomes, nextOutcomes } from '../../domain/deliveries/batch-outcomes.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { withdrawn } from '../../domain/deliveries/transition.ts';
import type { BatchStore } from '../../ports/batch-store.ts';

export interface WithdrawBatchPorts {
  readonly batches: Pick<BatchStore, 'readMany' | 'writeOutcomes'>;
  readonly clock: Clock;
}

/** Rows known to belong to the batch: their outcomes may be written. Returns how many deliveries ended. */
export async function withdrawFromBatch(
  batch: BatchKey,
  platform: string,
  positions: readonly number[],
  { batches, clock }: WithdrawBatchPorts,
): Promise<number> {
  const { outcomes, unreadable } = await batches.readMany({ outcomes: [{ batch, platform }] }, 'strong');
  if (unreadable.length > 0) return 0;
  const seen = outcomes[0] ?? emptyOutcomes(batch, platform);
  const changes = new Map<number, Delivery>();
  for (const position of positions) {
    const ended = withdrawn(deliveryAt(seen, position), clock.now());
    if (ended !== null) changes.set(position, ended);
  }
  if (changes.size === 0) return 0;
  // On a conflict another process wrote the item: its due time or its slot finds it again.
  return (await batches.writeOutcomes(nextOutcomes(seen, changes), seen.version)) ? changes.size : 0;
}
