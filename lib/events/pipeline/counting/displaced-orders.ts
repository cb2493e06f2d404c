// Pages' orders in whose place a server's event is counted. The row says that it was counted when it came, and stays as it is; its
// order knows better. Read with each count of such rows: few purchases come from pages alone.
import type { EventRow } from '../../domain/event/row.ts';
import type { OrderStore } from '../../ports/order-store.ts';
import { orderDigest, purchasedOrder } from '../orders/order-reports.ts';

/** The rows, those of them marked that count for nothing beside a server's event. `merged`: ids of rows that are not counted. */
export async function withoutDisplaced(
  rows: readonly EventRow[],
  merged: ReadonlySet<string>,
  { orders }: { readonly orders: Pick<OrderStore, 'read'> },
): Promise<readonly EventRow[]> {
  const mayBe = rows.flatMap((row) => (merged.has(row.ingestId) ? [] : pagesOrderOf(row)));
  if (mayBe.length === 0) return rows;
  const displaced = new Set<string>();
  // A page of rows at most, and most of them no purchases.
  await Promise.all(
    mayBe.map(async ({ row: { key, ingestId, receivedAtMs }, orderId }) => {
      const stored = await orders.read(key.merchantId, orderDigest(orderId), receivedAtMs);
      const counted = stored === 'unreadable' ? undefined : stored.order?.counted;
      if (counted?.channel === 'server' && counted.eventId !== key.eventId) displaced.add(ingestId);
    }),
  );
  return rows.map((row) => (displaced.has(row.ingestId) ? asRepeated(row) : row));
}

function pagesOrderOf(row: EventRow): readonly { readonly row: EventRow; readonly orderId: string }[] {
  if (row.state !== 'normalized' || row.key.channel !== 'browser') return [];
  const { credit } = row.event;
  const orderId = credit === undefined || credit.again === true ? undefined : purchasedOrder(row.event);
  return orderId === undefined ? [] : [{ row, orderId }];
}

const asRepeated = (row: EventRow): EventRow =>
  row.state === 'normalized' && row.event.credit !== undefined
    ? { ...row, event: { ...row.event, credit: { ...row.event.credit, again: true } } }
    : row;
