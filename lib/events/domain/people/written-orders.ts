// The orders and other conversions of a person as a text, before they are sealed.
import * as z from 'zod';
import { readTextBy } from '#lib/core/record/read-by-schema.ts';
import type { PersonConversion, PersonOrder, PersonOrders } from './person.ts';

/**
 * `k`: days kept. `c`: cut. `o`: orders: id, received, and of a page its event's digest. `e`: other conversions: event id, name,
 * received, and 1 of a page; absent: none.
 */
const WRITTEN = z.looseObject({
  k: z.number(),
  c: z.literal(1).optional(),
  o: z.array(z.tuple([z.string(), z.number(), z.string().optional()])),
  e: z.array(z.tuple([z.string(), z.string(), z.number(), z.literal(1).optional()])).optional(),
});
type Written = z.infer<typeof WRITTEN>;

export function writeOrders({ orders, conversions, keptDays, isCut }: PersonOrders): string {
  const written: Written = {
    k: keptDays,
    ...(isCut ? { c: 1 } : {}),
    o: orders.map(({ orderId, receivedAtMs, page }) =>
      page === undefined ? [orderId, receivedAtMs] : [orderId, receivedAtMs, page],
    ),
    ...(conversions.length === 0
      ? {}
      : {
          e: conversions.map(({ eventId, name, receivedAtMs, isOfPage }) =>
            isOfPage === undefined ? [eventId, name, receivedAtMs] : [eventId, name, receivedAtMs, 1],
          ),
        }),
  };
  return JSON.stringify(written);
}

/** Null where it is no such text. */
export function readOrders(text: string): PersonOrders | null {
  const read = readTextBy(WRITTEN, text);
  if (read === null) return null;
  const { k, c, o, e = [] } = read;
  return { orders: o.map(orderOf), conversions: e.map(conversionOf), keptDays: k, isCut: c === 1 };
}

const conversionOf = ([eventId, name, receivedAtMs, page]: NonNullable<
  Written['e']
>[number]): PersonConversion => ({
  ...{ eventId, name, receivedAtMs },
  ...(page === undefined ? {} : { isOfPage: true }),
});

const orderOf = ([orderId, receivedAtMs, page]: Written['o'][number]): PersonOrder => ({
  ...{ orderId, receivedAtMs },
  ...(page === undefined ? {} : { page }),
});
