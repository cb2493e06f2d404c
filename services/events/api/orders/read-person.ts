// GET /v1/people: what the index holds of a person, in one read of theirs and one of the orders shown. Guarantees: an order that a
// page alone says to be theirs is not shown once a server has said whose it is.
import * as z from 'zod';
import type { Failure, Success } from '#lib/core/http/handler.ts';
import { createListCursor, FOREIGN_CURSOR } from '#lib/core/http/list-cursor.ts';
import { isWithinWindow, type Touch } from '#lib/events/domain/analytics/attribution.ts';
import { currencyExponent } from '#lib/events/domain/event/decimal.ts';
import type { Order } from '#lib/events/domain/orders/order.ts';
import { leftOf } from '#lib/events/domain/orders/refund.ts';
import {
  keptAt,
  NO_ORDERS,
  type PersonConversion,
  type PersonOrder,
  type PersonOrders,
} from '#lib/events/domain/people/person.ts';
import { orderDigest } from '#lib/events/pipeline/orders/order-reports.ts';
import { reportDigest } from '#lib/events/pipeline/people/note-order.ts';
import { personKey } from '#lib/events/pipeline/people/person-key.ts';
import { openedOr, openOrders } from '#lib/events/pipeline/people/sealed-person.ts';
import type { StoredPerson } from '#lib/events/ports/attribution-store.ts';
import type { readPerson as route } from '#lib/events/routes/orders/people.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';
import { worthOf } from './worth.ts';

type Query = z.output<(typeof route)['query']>;
type Page = Success<typeof route>['body'];

/** The last order seen. */
const cursors = createListCursor(
  z.strictObject({ t: z.int().nonnegative().max(8.64e15), o: z.string().max(16) }),
);

export async function readPerson(
  merchantId: string,
  query: Query,
  ports: ApiPorts,
): Promise<Page | Failure<'invalid_request'>> {
  const asked = personKey(merchantId, query, await ports.lookups());
  if ('problems' in asked) return { failure: 'invalid_request', details: asked.problems };
  const cursor = cursors.read(query);
  if (cursor === null) return FOREIGN_CURSOR;
  const { key } = asked;
  const nowMs = ports.clock.now();
  const person = (await ports.people.people(merchantId, [key], 'eventual')).get(key);
  const known = await openedOrders(merchantId, key, person, ports);
  const { orders, conversions } = keptAt(known, nowMs);
  const kept = orders.toSorted(byPlace);
  const rest = cursor === undefined ? kept : kept.filter((order) => isBehind(order, cursor));
  const page = rest.slice(0, query.limit);
  const last = page.at(-1);
  const more = rest.length > page.length && last !== undefined ? placeOf(last) : null;
  const found = await ordersOf(merchantId, page, nowMs, ports);
  return {
    success: true,
    ...seen([...kept, ...conversions], firstClick(person, nowMs)),
    orders: found.map(viewOf),
    conversions: conversions.map(conversionView),
    amounts: amountsOf(found),
    is_complete: !known.isCut,
    limit: query.limit,
    next_cursor: cursors.write(query, more),
  };
}

/** What cannot be read may have held more. */
export async function openedOrders(
  merchantId: string,
  key: string,
  person: StoredPerson | undefined,
  ports: Pick<ApiPorts, 'eventVault' | 'report'>,
): Promise<PersonOrders> {
  const opening = openOrders(merchantId, key, person ?? {}, ports.eventVault);
  return await openedOr(opening, { ...NO_ORDERS, isCut: true }, (error) =>
    ports.report('orders of a person could not be read', error),
  );
}

/** Undefined where there is none, or its window is over. */
export function firstClick(person: StoredPerson | undefined, nowMs: number): Touch | undefined {
  const click = person?.touch;
  return click !== undefined && isWithinWindow(click, nowMs) ? click : undefined;
}

export const conversionView = ({
  eventId,
  name,
  receivedAtMs,
  isOfPage,
}: PersonConversion): Page['conversions'][number] => ({
  ...{ event_id: eventId, event_name: name, trust: isOfPage === true ? 'browser' : 'server' },
  received_at: iso(receivedAtMs),
});

export const clickView = (click: Touch | undefined): Page['first_click'] =>
  click === undefined ? null : { platform: click.platform, at: iso(click.atMs) };

type Place = { readonly t: number; readonly o: string };

const placeOf = ({ receivedAtMs, orderId }: PersonOrder): Place => ({
  ...{ t: receivedAtMs, o: orderDigest(orderId) },
});

function byPlace(one: PersonOrder, other: PersonOrder): number {
  const { t, o } = placeOf(one);
  return isBehind(other, { t, o }) ? -1 : 1;
}

/** Of orders received at one time, in the order of their digests. */
function isBehind(order: PersonOrder, cursor: Place): boolean {
  const { t, o } = placeOf(order);
  return t < cursor.t || (t === cursor.t && o > cursor.o);
}

interface Found {
  readonly orderId: string;
  readonly order: Order;
}

/** Those that are known, without what a page said of an order of another person. */
async function ordersOf(
  merchantId: string,
  page: readonly PersonOrder[],
  nowMs: number,
  { orders }: Pick<ApiPorts, 'orders'>,
): Promise<readonly Found[]> {
  const digests = page.map(({ orderId }) => orderDigest(orderId));
  const found = digests.length === 0 ? new Map() : await orders.readMany(merchantId, digests, nowMs);
  return page.flatMap(({ orderId, page: report }, index) => {
    const order: Order | undefined = found.get(digests[index] ?? '');
    if (order === undefined) return [];
    const { channel, eventId } = order.counted;
    const isTheirs = report === undefined || channel === 'browser' || report === reportDigest(eventId);
    return isTheirs ? [{ orderId, order }] : [];
  });
}

function seen(acts: readonly Pick<PersonOrder, 'receivedAtMs'>[], click: Touch | undefined) {
  const times = acts.map(({ receivedAtMs }) => receivedAtMs);
  const all = [...times, ...(click === undefined ? [] : [click.atMs])];
  return {
    first_seen: all.length === 0 ? null : iso(Math.min(...all)),
    last_seen: times.length === 0 ? null : iso(Math.max(...times)),
    first_click: clickView(click),
  };
}

const viewOf = ({ orderId, order }: Found): Page['orders'][number] => ({
  ...{ order_id: orderId, event_id: order.counted.eventId, trust: order.counted.channel },
  received_at: iso(order.counted.receivedAtMs),
  ...worthOf(order),
  reports: 1 + order.others.length,
});

function amountsOf(found: readonly Found[]): Page['amounts'] {
  const known = found.flatMap(({ order }) => leftOf(order) ?? []);
  return [...Map.groupBy(known, ({ currency }) => currency)].map(([currency, all]) => {
    const unit = 10 ** currencyExponent(currency);
    const left = all.reduce((sum, { minor }) => sum + minor, 0n);
    const gone = all.reduce((sum, each) => sum + each.gone, 0n);
    return {
      ...{ currency, orders: all.length, value: Number(left + gone) / unit },
      ...{ refunded: Number(gone) / unit, net: Number(left) / unit },
    };
  });
}
