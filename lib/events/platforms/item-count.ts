// Quantities where a vendor wants whole numbers. A weight or a length is not rounded: it is left out.
import type { Decimal, Item } from '../domain/event/normalized-event.ts';
import { jsonNumber } from './json-body.ts';

const WHOLE = /^\d{1,15}$/;

/** The quantity as an integer; undefined where it is not whole. */
export function wholeQuantity(quantity: Decimal): object | undefined {
  return WHOLE.test(quantity) ? jsonNumber(quantity) : undefined;
}

/** How many pieces the items are together; undefined without items, or where one of them is not counted in pieces. */
export function itemCount(items: readonly Item[]): object | undefined {
  if (items.length === 0 || !items.every(({ quantity }) => WHOLE.test(quantity))) return undefined;
  return jsonNumber(items.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n).toString());
}
