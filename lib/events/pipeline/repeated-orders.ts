// Two purchases of one order_id: a shop that reports an order twice under different event ids doubles its revenue, and no
// platform can tell. Nothing is stored for this: rows that are read anyway are looked at for it. Counters see repetitions
// within one minute; a single event is compared with its nearest neighbours (services/events/api).
import { canonicalEventName } from '../domain/event-names.ts';
import type { EventRow } from '../domain/event-row.ts';
import type { IdentityIssue } from '../domain/identity/identity.ts';
import { minuteOf } from '../domain/time-slot.ts';

export const REPEATED_ORDER: IdentityIssue = { field: 'order_id', code: 'repeated_order' };

/** The order a row is the purchase of; undefined for other events, and for what is no purchase of its own. */
export function orderOf(row: EventRow): string | undefined {
  if (row.state === 'normalized') {
    const { name, bot, replay, orderId } = row.event;
    return name === 'Purchase' && bot !== true && replay !== true ? orderId : undefined;
  }
  const { event_name: name, internal, order_id: orderId } = row.body;
  const isPurchase = canonicalEventName(name) === 'Purchase' && !internal?.bot && !internal?.replay;
  return isPurchase ? orderId?.trim() || undefined : undefined;
}

/** Tells of each row, over many pages of them, whether another one of its minute was the purchase of its order. */
export function createOrderMemory(): (row: EventRow) => boolean {
  const seen = new Set<string>();
  return (row) => {
    const orderId = orderOf(row);
    if (orderId === undefined) return false;
    const order = `${minuteOf(row.receivedAtMs)} ${orderId}`;
    const isRepeated = seen.has(order);
    seen.add(order);
    return isRepeated;
  };
}
