// What is known of a person under one identifier: the first click, and which orders are theirs. Pure. Guarantees: a person has at
// most `PERSON_ORDERS_MAX` orders, the newest; an order is there once, however often it is reported; none is kept longer than the
// merchant keeps personal data, or than orders are known.
import { DAY_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { ATTRIBUTION_WINDOW_MS } from '../analytics/attribution.ts';

export interface PersonOrder {
  readonly orderId: string;
  /** When the event was received that names the person. */
  readonly receivedAtMs: number;
  /** Of a page's event, which may name an order of another person: its digest. Absent: a server's. */
  readonly page?: string;
}

export interface PersonOrders {
  /** Newest first. */
  readonly orders: readonly PersonOrder[];
  /** For how long personal data was kept when they were written. */
  readonly keptDays: number;
  /** True where older orders made room. */
  readonly isCut: boolean;
}

export const NO_ORDERS: PersonOrders = { orders: [], keptDays: 0, isCut: false };

export const PERSON_ORDERS_MAX = 20;
/** So many orders within it are no person's: a shop sends one address for all of its buyers. More of them would be one hot item. */
const CROWD_MS = 10 * MINUTE_MS;

/** The same object where nothing has to be written. */
export function withOrder(known: PersonOrders, own: PersonOrder, keptDays: number): PersonOrders {
  if (known.orders.length === 0) return { orders: [own], keptDays, isCut: known.isCut };
  const orders = keptAt(known, own.receivedAtMs);
  const before = orders.find(({ orderId }) => orderId === own.orderId);
  // The first report of a server stays, without one the first of a page: as it is decided which report of an order is counted.
  if (before !== undefined && (before.page === undefined || own.page !== undefined)) return known;
  if (before === undefined && isCrowd(orders, own)) return known;
  const all = [...orders.filter((each) => each !== before), own].sort(
    (one, other) => other.receivedAtMs - one.receivedAtMs,
  );
  const newest = all.slice(0, PERSON_ORDERS_MAX);
  if (!newest.includes(own)) return known;
  return { orders: newest, keptDays, isCut: known.isCut || newest.length < all.length };
}

/** Those that may still be shown. */
export const keptAt = ({ orders, keptDays }: PersonOrders, nowMs: number): readonly PersonOrder[] =>
  orders.filter(
    ({ receivedAtMs }) => nowMs - receivedAtMs <= Math.min(keptDays * DAY_MS, ATTRIBUTION_WINDOW_MS),
  );

const isCrowd = (orders: readonly PersonOrder[], { receivedAtMs }: PersonOrder): boolean =>
  orders.length >= PERSON_ORDERS_MAX &&
  orders.every((each) => Math.abs(receivedAtMs - each.receivedAtMs) < CROWD_MS);
