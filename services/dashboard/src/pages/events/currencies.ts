// Currencies in the order of the orders made in them, the shop's own first: amounts of two cannot be compared or added.
import { money } from '#dashboard/parts/written.tsx';

type Orders = Readonly<Record<string, { readonly orders: number }>>;
type Revenue = Readonly<Record<string, { readonly orders: number; readonly net: number }>>;

export const largestFirst = (revenue: Orders): readonly string[] =>
  Object.keys(revenue).sort(
    (one, other) => (revenue[other]?.orders ?? 0) - (revenue[one]?.orders ?? 0) || (one < other ? -1 : 1),
  );

/** What came in currencies that the sum shown leaves out; undefined where nothing did. */
export function otherMoney(revenue: Revenue, leftOut: readonly string[]): string | undefined {
  const others = largestFirst(revenue).filter((currency) => leftOut.includes(currency));
  if (others.length === 0) return undefined;
  return `and ${others.map((one) => money(revenue[one]?.net ?? 0, one)).join(', ')}`;
}

export const withoutRateText = (currencies: readonly string[]): string =>
  `${currencies.join(', ')}: no exchange rate is known, so it is not in the sum.`;
