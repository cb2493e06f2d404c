// Ends deliveries whose connection was removed, instead of letting them wait for a retry that may be hours away.
import { isWithdrawn } from '../../domain/connections/connection.ts';
import { type BatchKey, type BatchPlace, batchId } from '../../domain/deliveries/batch.ts';
import { deliveryAt, emptyOutcomes, nextOutcomes } from '../../domain/deliveries/batch-outcomes.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { isTargeted, nextDueMs } from '../../domain/deliveries/progress.ts';
import { withdrawn } from '../../domain/deliveries/transition.ts';
import type { NormalizedRow } from '../../domain/event/row.ts';
import type { EventStore } from '../../ports/event-store.ts';
import { knownConnection } from '../connections/known-connection.ts';
import type { WaitingDelivery } from '../counting/count-rows.ts';
import type { RecoveryPorts } from './ports.ts';

/** Rows read, and then written, concurrently. */
const ROWS_AT_ONCE = 16;

export type WithdrawPorts = Pick<RecoveryPorts, 'events' | 'batches' | 'config' | 'clock' | 'report'>;

/** `waiting`: of one merchant. Costs one read per platform, and more only if a connection is gone. */
export async function withdrawRemoved(
  merchantId: string,
  waiting: readonly WaitingDelivery[],
  ports: WithdrawPorts,
): Promise<number> {
  let ended = 0;
  for (const [platform, deliveries] of Map.groupBy(waiting, (delivery) => delivery.platform)) {
    const connection = await knownConnection(ports.config.connection, merchantId, platform, ports.report);
    if (connection === undefined) continue;
    const all = deliveries.filter(({ routingVersion }) => isWithdrawn(connection, routingVersion));
    const gone = all.filter(({ place }) => place === undefined);
    ended += await withdrawPlaced(
      all.flatMap(({ place }) => place ?? []),
      platform,
      ports,
    );
    for (let at = 0; at < gone.length; at += ROWS_AT_ONCE) {
      const { rows } = await ports.events.readMany(gone.slice(at, at + ROWS_AT_ONCE).map(({ key }) => key));
      const withdrawn = await Promise.all(
        rows.map(
          async (row) =>
            row.state === 'normalized' &&
            isWithdrawn(connection, row.routingVersion) &&
            (await withdraw(row, platform, ports)),
        ),
      );
      ended += withdrawn.filter(Boolean).length;
    }
  }
  return ended;
}

async function withdrawPlaced(
  places: readonly BatchPlace[],
  platform: string,
  ports: WithdrawPorts,
): Promise<number> {
  let ended = 0;
  for (const group of Map.groupBy(places, ({ batch }) => batchId(batch)).values()) {
    const [{ batch }] = group as [BatchPlace, ...BatchPlace[]];
    const positions = group.map(({ position }) => position);
    ended += await withdrawFromBatch(batch, platform, positions, ports);
  }
  return ended;
}

/**
 * False if there is nothing to end, an attempt is in progress, or another process wrote the row: its due time or its
 * slot finds it again.
 */
export async function withdraw(
  row: NormalizedRow,
  platform: string,
  { events, clock }: Pick<WithdrawPorts, 'clock'> & { readonly events: Pick<EventStore, 'putDelivery'> },
): Promise<boolean> {
  if (!isTargeted(row, platform)) return false;
  const delivery = withdrawn(row.deliveries[platform], clock.now());
  if (delivery === null) return false;
  const after = { ...row, deliveries: { ...row.deliveries, [platform]: delivery } };
  const patch = { platform, delivery, dueAtMs: nextDueMs(after) };
  return (await events.putDelivery(row, patch)) !== null;
}

/** Rows known to belong to the batch: their outcomes may be written. Returns how many deliveries ended. */
export async function withdrawFromBatch(
  batch: BatchKey,
  platform: string,
  positions: readonly number[],
  { batches, clock }: Pick<WithdrawPorts, 'batches' | 'clock'>,
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
