// Events that come after the order whose credit they change: a page's report of an order that a server reported before it, and a click
// of before an order whose hour was audited without it.
// Guarantees: nothing is read for an event that brings no click; a process that dies before the row is written settles it again.
import { floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { AcceptedRow, EventRow, NormalizedRow, UnreadableRow } from '#lib/events/domain/event/row.ts';
import { keptAt, NO_ORDERS } from '#lib/events/domain/people/person.ts';
import { POINTERS_MAX } from '#lib/events/domain/pointer.ts';
import { clickOf, everyKey, happenedAtMs, isDenied } from '#lib/events/pipeline/attribution/clicks.ts';
import { settleCredit } from '#lib/events/pipeline/attribution/settle-credit.ts';
import { isRepeatedOrder } from '#lib/events/pipeline/counting/count-events.ts';
import { orderDigest, purchasedOrder } from '#lib/events/pipeline/orders/order-reports.ts';
import { openedOr, openOrders } from '#lib/events/pipeline/people/sealed-person.ts';
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

/** The audit of an order's hour, two hours after it ends or earlier, settles what is normalized before it. */
const AUDITED_AFTER_MS = 2 * HOUR_MS;

/** `event`: its clicks are stored. Of its person's orders those that each identifier lists. */
export async function settleEarlierOrders(event: NormalizedEvent, ports: NormalizePorts): Promise<void> {
  const { attribution: people, clock, eventVault, platforms, report } = ports;
  const nowMs = clock.now();
  const clickedMs = happenedAtMs(event);
  if (nowMs - clickedMs < AUDITED_AFTER_MS || event.bot === true || event.replay === true) return;
  if (isDenied(event) || clickOf(event, platforms) === null) return;
  const { merchantId } = event;
  const known = await people.people(merchantId, everyKey(event), 'eventual');
  const late = [...known].filter(([, { orders }]) => orders !== undefined && orders.newestAtMs >= clickedMs);
  const found = await Promise.all(
    late.map(([key, person]) =>
      openedOr(openOrders(merchantId, key, person, eventVault), NO_ORDERS, (error) =>
        report('conversions of a person could not be read, and are not settled', error),
      ),
    ),
  );
  const ids = found.flatMap((person) =>
    keptAt(person, nowMs)
      .orders.filter(({ receivedAtMs }) => receivedAtMs >= clickedMs && isAudited(receivedAtMs, nowMs))
      .map(({ orderId }) => orderId),
  );
  const rows = await countedRows(merchantId, [...new Set(ids)].slice(0, POINTERS_MAX), nowMs, ports);
  const { slots } = await settleCredit(rows, { ...ports, people });
  await requestRefreshOf(slots, ports);
}

/** Or about to be. */
const isAudited = (receivedAtMs: number, nowMs: number): boolean =>
  floorTo(receivedAtMs, HOUR_MS) + AUDITED_AFTER_MS <= nowMs;

/** The events that are counted as these orders. */
async function countedRows(
  merchantId: string,
  orderIds: readonly string[],
  nowMs: number,
  { orders, events }: NormalizePorts,
): Promise<readonly NormalizedRow[]> {
  if (orderIds.length === 0) return [];
  const found = await orders.readMany(merchantId, orderIds.map(orderDigest), nowMs);
  const counted = [...found.values()].map((order) => order.counted);
  if (counted.length === 0) return [];
  const { rows } = await events.readMany(
    counted.map(({ channel, eventId }) => ({ merchantId, channel, eventId })),
  );
  const ids = new Set(counted.map(({ ingestId }) => ingestId));
  return rows.filter(isCounted).filter(({ ingestId }) => ids.has(ingestId));
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
