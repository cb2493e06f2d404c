// The events of one order, found by what is known of it.
import { ingestTimeMs } from '#lib/events/domain/event/ingest-id.ts';
import type { EventKey, EventRow } from '#lib/events/domain/event/row.ts';
import { type KnownReport, REPORTS_MAX } from '#lib/events/domain/orders/order.ts';
import { REFUNDS_MAX } from '#lib/events/domain/orders/refund.ts';
import { orderDigest } from '#lib/events/pipeline/orders/order-reports.ts';
import { readBeside } from '#lib/events/pipeline/pages/read-beside.ts';
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
  const rows = await readBeside(
    [counted, ...others, ...refunds].flatMap((each) => copiesOf(merchantId, each)),
    events,
  );
  // An id may have been taken again since, by another order's event.
  const own = rows.filter((row) => factsOf(row).orderId === orderId);
  return { rows: own, isComplete: others.length < REPORTS_MAX && refunds.length < REFUNDS_MAX };
}

/** What was accepted, and what came over the other channel under its event id. */
export const copiesOf = (
  merchantId: string,
  { eventId, ingestId }: Pick<KnownReport, 'eventId' | 'ingestId'>,
): readonly { readonly key: EventKey; readonly atMs: number }[] =>
  (['server', 'browser'] as const).map((channel) => ({
    key: { merchantId, channel, eventId },
    atMs: ingestTimeMs(ingestId),
  }));
