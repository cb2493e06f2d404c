// Currencies in the order of the orders made in them, the shop's own first: amounts of two cannot be compared.

type Revenue = Readonly<Record<string, { readonly orders: number }>>;

export const largestFirst = (revenue: Revenue): readonly string[] =>
  Object.keys(revenue).sort(
    (one, other) => (revenue[other]?.orders ?? 0) - (revenue[one]?.orders ?? 0) || (one < other ? -1 : 1),
  );
