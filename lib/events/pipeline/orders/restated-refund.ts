// A refund that goes out as its purchase once more has the value that is left at that moment, as far as the order says just before
// it is sent: refunds are tried again and overtake each other, and whichever is sent last must not bring an earlier value back.
import { type Connection, isWithdrawn } from '../../domain/connections/connection.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { NotTakenBack } from '../../domain/orders/refund.ts';
import type { OrderStore } from '../../ports/order-store.ts';
import { orderDigest } from './order-reports.ts';
import { type PurchasePorts, purchaseAt, readPurchases } from './refunded-purchases.ts';

export interface RestatingPorts extends PurchasePorts {
  readonly orders: Pick<OrderStore, 'read'>;
}

/** `why`: nothing is sent: for now (`open`: the purchase is on its way) or at all. */
export type Restated<Event> = { readonly event: Event } | { readonly why: NotTakenBack | 'open' };

export async function restatedRefund<Event extends NormalizedEvent>(
  event: Event,
  target: string,
  connection: Pick<Connection, 'sinceVersion' | 'updatedAtMs'>,
  ports: RestatingPorts,
): Promise<Restated<Event>> {
  const { merchantId, refund, orderId, receivedAtMs } = event;
  if (refund === undefined || orderId === undefined) return { why: 'order_unknown' };
  const found = await ports.orders.read(merchantId, orderDigest(orderId), receivedAtMs);
  if (found === 'unreadable' || found.order === undefined) return { why: 'order_unknown' };
  const rows = await readPurchases(merchantId, found.order, ports);
  const at = purchaseAt(target, found.order, rows);
  if ('why' in at) return at;
  // It may lead to another account or conversion action now, which would take the refund for a purchase.
  const deliveredAtMs = at.of.deliveries[target]?.deliveredAtMs ?? 0;
  if (isWithdrawn(connection, at.of.routingVersion) || deliveredAtMs < connection.updatedAtMs)
    return { why: 'connection_changed' };
  return { event: { ...event, refund: { ...refund, purchase: at.purchase } } };
}
