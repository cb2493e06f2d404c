// Orders at a platform that takes a purchase once more as its new value. Refunds, later reports and replays are tried again and
// overtake each other: whatever goes out has what is left of the order just before it is sent, so that none brings back more.
import { type Connection, isWithdrawn } from '../../domain/connections/connection.ts';
import type { EventName } from '../../domain/event/names.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { NormalizedRow } from '../../domain/event/row.ts';
import type { Order } from '../../domain/orders/order.ts';
import { leftOf, type NotTakenBack } from '../../domain/orders/refund.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { OrderStore } from '../../ports/order-store.ts';
import { orderDigest } from './order-reports.ts';
import { type PurchasePorts, purchaseAt, readPurchases } from './refunded-purchases.ts';

export interface RestatingPorts extends PurchasePorts {
  readonly orders: Pick<OrderStore, 'read'>;
}

/** `why`: nothing is sent: for now (`open`: the purchase is on its way) or at all. */
export type Restated<Event> = { readonly event: Event } | { readonly why: NotTakenBack | 'open' };

/** True for a refund, and for a purchase whose refunds came before it, or that the platform may have had under its id: tried before, replayed, or reported again. */
export function mayRestate({ event }: NormalizedRow, name: EventName, wasTried: boolean): boolean {
  if (name === 'Refund') return true;
  return (
    name === 'Purchase' && (wasTried || event.dedupId !== event.eventId || event.credit?.early !== undefined)
  );
}

/** `event`: as the platform sees it, of this row. */
export async function restated<Event extends NormalizedEvent>(
  event: Event,
  row: NormalizedRow,
  { target, platform }: { readonly target: string; readonly platform: Pick<Platform, 'restatesPurchases'> },
  connection: Pick<Connection, 'sinceVersion' | 'updatedAtMs'>,
  ports: RestatingPorts,
): Promise<Restated<Event>> {
  const { orderId, merchantId, receivedAtMs } = row.event;
  const digest = orderId === undefined ? undefined : orderDigest(orderId);
  const found = digest === undefined ? undefined : await ports.orders.read(merchantId, digest, receivedAtMs);
  const order = found === undefined || found === 'unreadable' ? undefined : found.order;
  if (event.name !== 'Refund') return { event: order === undefined ? event : withRest(event, row, order) };
  const { refund } = event;
  if (refund === undefined || order === undefined) return { why: 'order_unknown' };
  const at = purchaseAt(target, order, await readPurchases(merchantId, order, ports));
  if ('why' in at) return at;
  // It may lead to another account or conversion action now, which would take the refund for a purchase.
  const deliveredAtMs = at.of.deliveries[target]?.deliveredAtMs ?? 0;
  const isChanged = platform.restatesPurchases === true && deliveredAtMs < connection.updatedAtMs;
  if (isChanged || isWithdrawn(connection, at.of.routingVersion)) return { why: 'connection_changed' };
  return { event: { ...event, refund: { ...refund, purchase: at.purchase } } };
}

/** As it is where nothing was taken back, and where rules give it a value of their own: of that nothing is taken back. */
function withRest<Event extends NormalizedEvent>(event: Event, row: NormalizedRow, order: Order): Event {
  const left = leftOf(order);
  const isOwn = event.value === row.event.value && event.currency === left?.currency;
  return left === undefined || left.gone === 0n || !isOwn ? event : { ...event, value: left.value };
}
