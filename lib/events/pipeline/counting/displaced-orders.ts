// Pages' orders in whose place a server's event is counted. The row says that it was counted when it came, and stays as it is; its
// order knows better. Read with each count of such rows: few purchases come from pages alone.
import type { EventRow, NormalizedRow } from '../../domain/event/row.ts';
import type { OrderStore } from '../../ports/order-store.ts';
import { orderDigest, purchasedOrder } from '../orders/order-reports.ts';

/** The rows, those of them marked that count for nothing beside a server's event. `merged`: ids of rows that are not counted. */
export async function withoutDisplaced(
  rows: readonly EventRow[],
  merged: ReadonlySet<string>,
  { orders }: { readonly orders: Pick<OrderStore, 'read'> },
): Promise<readonly EventRow[]> {
  const mayBe = rows.filter((row): row is NormalizedRow => isPagesOrder(row) && !merged.has(row.ingestId));
  if (mayBe.length === 0) return rows;
  const displaced = new Set<EventRow>();
  // A page of rows at most, and most of them no purchases.
  await Promise.all(
    mayBe.map(async (row) => {
      const digest = orderDigest(purchasedOrder(row.event) ?? '');
      const stored = await orders.read(row.key.merchantId, digest, row.receivedAtMs);
      const counted = stored === 'unreadable' ? undefined : stored.order?.counted;
      if (counted?.channel === 'server' && counted.eventId !== row.key.eventId) displaced.add(row);
    }),
  );
  return displaced.size === 0 ? rows : rows.map((row) => (displaced.has(row) ? asRepeated(row) : row));
}

const isPagesOrder = (row: EventRow): row is NormalizedRow =>
  row.state === 'normalized' &&
  row.key.channel === 'browser' &&
  row.event.credit !== undefined &&
  row.event.credit.again !== true &&
  purchasedOrder(row.event) !== undefined;

const asRepeated = (row: EventRow): EventRow =>
  row.state === 'normalized' && row.event.credit !== undefined
    ? { ...row, event: { ...row.event, credit: { ...row.event.credit, again: true } } }
    : row;
