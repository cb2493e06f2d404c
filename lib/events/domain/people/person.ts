// What is known of a person under one identifier: which orders and other conversions are theirs. Pure. Guarantees: a person has at
// most `PERSON_ORDERS_MAX` orders and `CONVERSIONS_MAX` others, the newest; each is there once, however often it is reported; none
// is kept longer than the merchant keeps personal data, or than orders are known.
import { DAY_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { ATTRIBUTION_WINDOW_MS } from '../analytics/attribution.ts';
import type { EventName } from '../event/names.ts';

export interface PersonOrder {
  readonly orderId: string;
  /** When the event was received that names the person. */
  readonly receivedAtMs: number;
  /** Of a page's event, which may name an order of another person: its digest. Absent: a server's. */
  readonly page?: string;
}

/** An event that says what a person did, and is no order: a purchase without order id is one. */
export interface PersonConversion {
  readonly eventId: string;
  readonly name: string;
  readonly receivedAtMs: number;
  /** Of a page alone: a server's of the same id takes its place. */
  readonly isOfPage?: true;
}

export interface PersonOrders {
  /** Newest first. */
  readonly orders: readonly PersonOrder[];
  /** Newest first. */
  readonly conversions: readonly PersonConversion[];
  /** For how long personal data was kept when they were written. */
  readonly keptDays: number;
  /** True where older orders made room. */
  readonly isCut: boolean;
}

export const NO_ORDERS: PersonOrders = { orders: [], conversions: [], keptDays: 0, isCut: false };

/** What few visitors do, and each seldom: every one is a write for each name of its person. */
const CONVERSIONS: readonly EventName[] = [
  ...(['Purchase', 'Subscribe', 'StartTrial', 'Donate', 'CompleteRegistration'] as const),
  ...(['Lead', 'QualifiedLead', 'SubmitApplication', 'Contact', 'Schedule'] as const),
];
export const isConversion = (name: EventName): boolean => CONVERSIONS.includes(name);

export const PERSON_ORDERS_MAX = 20;
export const CONVERSIONS_MAX = 10;
/** Of the ids of conversions together, so that they are a write unit with some orders: the newest is kept in any case. */
const IDS_MAX_CHARS = 500;
/** So many within it are no person's: a shop sends one address for all of its buyers. More of them would be one hot item. */
const CROWD_MS = 10 * MINUTE_MS;

/** The same object where nothing has to be written. */
export function withOrder(known: PersonOrders, own: PersonOrder, keptDays: number): PersonOrders {
  const { orders, conversions } = keptAt(known, own.receivedAtMs);
  const before = orders.find(({ orderId }) => orderId === own.orderId);
  // The first report of a server stays, without one the first of a page: as it is decided which report of an order is counted.
  if (before !== undefined && (before.page === undefined || own.page !== undefined)) return known;
  if (before === undefined && isCrowd(orders, own, PERSON_ORDERS_MAX)) return known;
  const all = newestFirst([...orders.filter((each) => each !== before), own]);
  const newest = all.slice(0, PERSON_ORDERS_MAX);
  if (!newest.includes(own)) return known;
  return { orders: newest, conversions, keptDays, isCut: known.isCut || newest.length < all.length };
}

/** Likewise. */
export function withConversion(known: PersonOrders, own: PersonConversion, keptDays: number): PersonOrders {
  const { orders, conversions } = keptAt(known, own.receivedAtMs);
  const before = conversions.find(({ eventId }) => eventId === own.eventId);
  if (before !== undefined && (before.isOfPage === undefined || own.isOfPage === true)) return known;
  if (before === undefined && isCrowd(conversions, own, CONVERSIONS_MAX)) return known;
  const newest = fitting(newestFirst([...conversions.filter((each) => each !== before), own]));
  return newest.includes(own) ? { ...known, orders, conversions: newest, keptDays } : known;
}

/** Those that may still be shown. */
export function keptAt(
  { orders, conversions, keptDays }: PersonOrders,
  nowMs: number,
): Pick<PersonOrders, 'orders' | 'conversions'> {
  const isKept = ({ receivedAtMs }: Received): boolean =>
    nowMs - receivedAtMs <= Math.min(keptDays * DAY_MS, ATTRIBUTION_WINDOW_MS);
  return { orders: orders.filter(isKept), conversions: conversions.filter(isKept) };
}

type Received = Pick<PersonOrder, 'receivedAtMs'>;

const newestFirst = <R extends Received>(all: readonly R[]): readonly R[] =>
  all.toSorted((one, other) => other.receivedAtMs - one.receivedAtMs);

function fitting(newest: readonly PersonConversion[]): readonly PersonConversion[] {
  let left = IDS_MAX_CHARS;
  return newest.slice(0, CONVERSIONS_MAX).filter(({ eventId }, index) => {
    left -= eventId.length;
    return index === 0 || left >= 0;
  });
}

const isCrowd = (known: readonly Received[], { receivedAtMs }: Received, max: number): boolean =>
  known.length >= max && known.every((each) => Math.abs(receivedAtMs - each.receivedAtMs) < CROWD_MS);
