// A page's report of an order that a server reported before it: what the page knows of clicks settles the credit of the server's.
// Guarantees: nothing is read for an event that brings no click; a process that dies before the row is written settles it again.
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { AcceptedRow, EventRow, NormalizedRow, UnreadableRow } from '#lib/events/domain/event/row.ts';
import { clickOf } from '#lib/events/pipeline/attribution/clicks.ts';
import { settleCredit } from '#lib/events/pipeline/attribution/settle-credit.ts';
import { isRepeatedOrder } from '#lib/events/pipeline/counting/count-events.ts';
import { orderDigest, purchasedOrder } from '#lib/events/pipeline/orders/order-reports.ts';
import { isServerCopy } from '#lib/events/pipeline/server-copies.ts';
import { requestRefreshOf } from '../aggregate/message.ts';
import type { NormalizePorts } from './ports.ts';

/** `event`: of a page. `copy`: the row of the server's event of the same id. */
export async function settleServersOrder(
  row: AcceptedRow,
  event: NormalizedEvent,
  copy: EventRow | UnreadableRow | undefined,
  ports: NormalizePorts,
): Promise<void> {
  if (row.key.channel !== 'browser' || event.name !== 'Purchase' || event.bot === true) return;
  if (clickOf(event, ports.platforms) === null) return;
  const order = copyOf(row, copy) ?? (await orderOf(row, event, ports));
  if (order === undefined) return;
  const people = ports.attribution;
  const { slots } = await settleCredit([order], { ...ports, people }, [event]);
  await requestRefreshOf(slots, ports);
}

function copyOf(row: AcceptedRow, copy: EventRow | UnreadableRow | undefined): NormalizedRow | undefined {
  if (copy === undefined || 'problem' in copy || !isServerCopy(copy, row)) return undefined;
  return isCounted(copy) ? copy : undefined;
}

/** The server's event that is counted as the order that the page names. */
async function orderOf(
  { key, receivedAtMs }: AcceptedRow,
  event: NormalizedEvent,
  { orders, events }: NormalizePorts,
): Promise<NormalizedRow | undefined> {
  const id = purchasedOrder(event);
  if (id === undefined) return undefined;
  const stored = await orders.read(key.merchantId, orderDigest(id), receivedAtMs);
  const counted = stored === 'unreadable' ? undefined : stored.order?.counted;
  if (counted?.channel !== 'server') return undefined;
  const { merchantId } = key;
  const { rows } = await events.readMany([{ merchantId, channel: 'server', eventId: counted.eventId }]);
  return rows.filter(isCounted).find(({ ingestId }) => ingestId === counted.ingestId);
}

const isCounted = (row: EventRow): row is NormalizedRow =>
  row.state === 'normalized' &&
  row.event.credit !== undefined &&
  row.event.credit.repeat !== true &&
  !isRepeatedOrder(row);
