// The page's event that reported an order before its server did, under an event id of its own: found by the order's id, and then taken
// as a copy of the same id is. Guarantees: only a page that knows the order's amount is taken; what cannot be read completes nothing.
import { canonicalEventName } from '#lib/events/domain/event/names.ts';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { AcceptedRow, EventRow, UnreadableRow } from '#lib/events/domain/event/row.ts';
import { carriesClick } from '#lib/events/domain/identity/click-ids.ts';
import type { Merchant } from '#lib/events/domain/merchant.ts';
import { NO_ORDERS } from '#lib/events/domain/people/person.ts';
import { identityKey, isDenied } from '#lib/events/pipeline/attribution/clicks.ts';
import { isOneVisit } from '#lib/events/pipeline/completed-from-copy.ts';
import { readEvent } from '#lib/events/pipeline/normalize-event.ts';
import { purchasedOrder } from '#lib/events/pipeline/orders/order-reports.ts';
import { conversionOf, createOrderNotes } from '#lib/events/pipeline/people/note-order.ts';
import { openedOr, openOrders } from '#lib/events/pipeline/people/sealed-person.ts';
import { pageEventOf } from './page-copy.ts';
import type { NormalizePorts } from './ports.ts';

type Copy = EventRow | UnreadableRow | undefined;

/** What a person is by an address, an order is by its id. */
const keyOf = (merchantId: string, orderId: string): string => identityKey(merchantId, 'order', orderId);

/** One write, for a merchant whose servers send purchases; none for a copy of one. */
export async function notePageOfOrder(
  event: NormalizedEvent,
  copy: Copy,
  { merchant, keptDays }: { readonly merchant: Merchant | null; readonly keptDays: number },
  ports: NormalizePorts,
): Promise<void> {
  if (event.channel !== 'browser' || copy !== undefined) return;
  if (merchant?.serverEventNames?.Purchase === undefined) return;
  const orderId = purchasedOrder(event);
  const own = conversionOf(event, undefined);
  if (orderId === undefined || own === undefined || isDenied(event)) return;
  const keys = [keyOf(event.merchantId, orderId)];
  const unread = { people: new Map(), click: null, recent: [], noteClicks: async () => undefined };
  await createOrderNotes(ports)(event, own, { keys, ...unread, keptDays });
}

/** `copy`, or else that page's row. One read for a server's purchase that has no copy and lacks what a page knows. */
export async function pageOfOrder(
  row: AcceptedRow,
  copy: Copy,
  merchant: Merchant | null,
  ports: NormalizePorts,
): Promise<Copy> {
  const { key, body } = row;
  if (copy !== undefined || merchant === null || key.channel !== 'server') return copy;
  if (carriesClick(body) && body.user_data.browser_ids?.fbp !== undefined) return undefined;
  const name = canonicalEventName(body.event_name);
  const orderId = name === 'Purchase' ? orderOf(row, ports) : undefined;
  if (orderId === undefined) return undefined;
  const { merchantId } = key;
  const found = keyOf(merchantId, orderId);
  const person = (await ports.attribution.people(merchantId, [found], 'strong')).get(found);
  if (person === undefined) return undefined;
  const { conversions } = await openedOr(
    openOrders(merchantId, found, person, ports.eventVault),
    NO_ORDERS,
    (error) => ports.report('the page of an order could not be found', error),
  );
  const keys = conversions.map(({ eventId }) => ({ merchantId, channel: 'browser', eventId }) as const);
  const { rows } = await ports.events.readMany(keys);
  const server = readEvent(row, ports.lookups).unopened;
  for (const page of rows) {
    const said = await pageEventOf(row, page, ports);
    if (said?.orderId === orderId && said.value !== undefined && isOneVisit(server, said)) return page;
  }
  return undefined;
}

const orderOf = (row: AcceptedRow, { lookups }: NormalizePorts): string | undefined =>
  row.replayOf === undefined ? purchasedOrder(readEvent(row, lookups).unopened) : undefined;
