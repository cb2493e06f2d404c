// The orders of a person as a text, before they are sealed.
import * as z from 'zod';
import { readTextBy } from '#lib/core/record/read-by-schema.ts';
import type { PersonOrder, PersonOrders } from './person.ts';

/** `k`: days kept. `c`: cut. `o`: orders: id, received, and of a page its event's digest. */
const WRITTEN = z.looseObject({
  k: z.number(),
  c: z.literal(1).optional(),
  o: z.array(z.tuple([z.string(), z.number(), z.string().optional()])),
});
type Written = z.infer<typeof WRITTEN>;

export function writeOrders({ orders, keptDays, isCut }: PersonOrders): string {
  const written: Written = {
    k: keptDays,
    ...(isCut ? { c: 1 } : {}),
    o: orders.map(({ orderId, receivedAtMs, page }) =>
      page === undefined ? [orderId, receivedAtMs] : [orderId, receivedAtMs, page],
    ),
  };
  return JSON.stringify(written);
}

/** Null where it is no such text. */
export function readOrders(text: string): PersonOrders | null {
  const read = readTextBy(WRITTEN, text);
  if (read === null) return null;
  const { k, c, o } = read;
  return { orders: o.map(orderOf), keptDays: k, isCut: c === 1 };
}

const orderOf = ([orderId, receivedAtMs, page]: Written['o'][number]): PersonOrder => ({
  ...{ orderId, receivedAtMs },
  ...(page === undefined ? {} : { page }),
});
