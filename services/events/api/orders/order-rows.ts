// The events of one order, found by what is known of it.
import type { EventKey, EventRow } from '#lib/events/domain/event/row.ts';
import { REPORTS_MAX } from '#lib/events/domain/orders/order.ts';
import { REFUNDS_MAX } from '#lib/events/domain/orders/refund.ts';
import { orderDigest } from '#lib/events/pipeline/orders/order-reports.ts';
import { factsOf } from '../events/facts.ts';
import type { ApiPorts } from '../ports.ts';

export interface OrderRows {
  readonly rows: readonly EventRow[];
  /** False where more events than an order remembers may have reported it. */
  readonly isComplete: boolean;
}

/** What reported it and what takes it back, as far as it is kept; null where nothing of it is known. */
export async function readOrderRows(
  merchantId: string,
  orderId: string,
  { orders, events, clock }: Pick<ApiPorts, 'orders' | 'events' | 'clock'>,
): Promise<OrderRows | null> {
  const found = await orders.read(merchantId, orderDigest(orderId), clock.now());
  if (found === 'unreadable' || found.order === undefined) return null;
  const { counted, others, refunds = [] } = found.order;
  const ids = new Set([counted, ...others, ...refunds].map(({ eventId }) => eventId));
  const keys = [...ids].flatMap((eventId) =>
    (['server', 'browser'] as const).map((channel): EventKey => ({ merchantId, channel, eventId })),
  );
  const rows: EventRow[] = [];
  for (let at = 0; at < keys.length; at += KEYS_MAX)
    rows.push(...(await events.readMany(keys.slice(at, at + KEYS_MAX))).rows);
  // An id may have been taken again since, by another order's event.
  const own = rows.filter((row) => factsOf(row).orderId === orderId);
  return { rows: own, isComplete: others.length < REPORTS_MAX && refunds.length < REFUNDS_MAX };
}

/** Of one read. */
const KEYS_MAX = 100;
