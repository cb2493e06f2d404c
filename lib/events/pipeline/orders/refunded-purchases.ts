// What became of the purchase that a refund takes back, at each place: who did not get it cannot take it back, and who has it under
// another value, or through another connection, might take the refund for a new purchase.
import { targetOf } from '../../domain/connections/target.ts';
import { isTargeted, openTargets } from '../../domain/deliveries/progress.ts';
import type { RefundedPurchase } from '../../domain/event/normalized-event.ts';
import type { NormalizedRow } from '../../domain/event/row.ts';
import type { Order } from '../../domain/orders/order.ts';
import { leftOf, type NotTakenBack } from '../../domain/orders/refund.ts';
import type { BatchStore } from '../../ports/batch-store.ts';
import type { EventStore } from '../../ports/event-store.ts';
import { joinOutcomes } from '../outcomes-of-batches.ts';
import { readBeside } from '../pages/read-beside.ts';
import { seenBy } from '../rules/rewrite.ts';
import { closedEvent } from '../sealed-event.ts';

export interface PurchasePorts {
  readonly events: Pick<EventStore, 'readMany'>;
  readonly batches: Pick<BatchStore, 'readMany'>;
}

/** The events that reported the order, as far as they are kept, with what became of them. Read consistently. */
export async function readPurchases(
  merchantId: string,
  { counted, others }: Order,
  { events, batches }: PurchasePorts,
): Promise<readonly NormalizedRow[]> {
  const reports = [counted, ...others];
  const rows = await readBeside(
    reports.map(({ channel, eventId, receivedAtMs }) => ({
      key: { merchantId, channel, eventId },
      atMs: receivedAtMs,
    })),
    events,
  );
  const ingestIds = new Set(reports.map(({ ingestId }) => ingestId));
  const own = rows.filter((row) => ingestIds.has(row.ingestId));
  const joined = await joinOutcomes(own, batches, 'strong');
  return joined.rows.filter((row) => row.state === 'normalized');
}

/** `of`: the row whose event the place took. `open`: it may yet get one. */
export type PurchaseAt =
  | { readonly of: NormalizedRow; readonly purchase: RefundedPurchase }
  | { readonly why: NotTakenBack | 'open' };

export function purchaseAt(target: string, order: Order, rows: readonly NormalizedRow[]): PurchaseAt {
  if (rows.length === 0) return { why: 'order_unknown' };
  const sent = rows.filter((row) => isTargeted(row, target));
  const taken = sent.filter(({ deliveries }) => deliveries[target]?.state === 'DELIVERED');
  // Of several conversions the one that later reports of the order go out as.
  const of = taken.find(({ event }) => event.dedupId === order.sent.conversionId) ?? taken[0];
  if (of === undefined) {
    const isOpen = sent.some((row) => openTargets(row).includes(targetOf(target)));
    return { why: isOpen ? 'open' : 'not_delivered' };
  }
  const left = leftOf(order);
  if (left === undefined) return { why: 'order_unknown' };
  const { event } = of;
  const { value, currency } = left;
  const seen = seenBy(target, closedEvent(of));
  if (seen.name !== 'Purchase' || seen.value !== event.value || seen.currency !== currency)
    return { why: 'purchase_changed' };
  const { dedupId, noOrderDedup, eventTimeSec, actionSource } = event;
  const byEventId = noOrderDedup === true ? { noOrderDedup } : {};
  return { of, purchase: { value, dedupId, ...byEventId, eventTimeSec, actionSource } };
}
