// Goal: whatever a person's orders are and however their reports come, the index holds the newest, each once.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { keptAt, NO_ORDERS, PERSON_ORDERS_MAX, type PersonOrder, withOrder } from './person.ts';

const T0 = Date.UTC(2026, 10, 21, 12);
const order = (orderId: string, receivedAtMs = T0, page?: string): PersonOrder => ({
  ...{ orderId, receivedAtMs },
  ...(page === undefined ? {} : { page }),
});
const after = (reports: readonly PersonOrder[], keptDays = 90) =>
  reports.reduce((known, own) => withOrder(known, own, keptDays), NO_ORDERS);

/** At most one an hour: no crowd. */
const reports = fc
  .uniqueArray(fc.nat({ max: 24 * 30 }), { maxLength: 60 })
  .chain((hours) =>
    fc.tuple(
      ...hours.map((hour) =>
        fc.record({
          orderId: fc.nat({ max: 40 }).map(String),
          receivedAtMs: fc.constant(T0 + hour * 3_600_000),
          page: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
        }),
      ),
    ),
  )
  .map((all) => all.map(({ orderId, receivedAtMs, page }) => order(orderId, receivedAtMs, page)));

it('has each order once, by the first report of a server or else of a page, and no more than the newest', () => {
  fc.assert(
    fc.property(reports, (all) => {
      const { orders, isCut } = after(all);
      const ids = orders.map(({ orderId }) => orderId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeLessThanOrEqual(PERSON_ORDERS_MAX);
      expect(orders.toSorted((a, b) => b.receivedAtMs - a.receivedAtMs)).toEqual(orders);
      for (const each of orders) expect(all).toContain(each);
      if (!isCut) {
        const firsts = Map.groupBy(all, ({ orderId }) => orderId);
        const counted = [...firsts.values()].map(
          (same) => same.find(({ page }) => page === undefined) ?? same[0],
        );
        expect(new Set(orders)).toEqual(new Set(counted));
      }
    }),
    { numRuns: 500 },
  );
});

it('changes nothing by a report that it knows, whichever came between', () => {
  fc.assert(
    fc.property(reports, fc.nat(), (all, pick) => {
      fc.pre(all.length > 0);
      const known = after(all);
      const again = all[pick % all.length];
      const isHeld = known.orders.some(({ orderId }) => orderId === again?.orderId);
      if (again !== undefined && isHeld) expect(withOrder(known, again, 90)).toBe(known);
    }),
  );
});

it('holds the newest of ten thousand orders, and says that there were others', () => {
  const all = Array.from({ length: 10_000 }, (_, i) => order(`${i}`, T0 + i * 5 * MINUTE_MS));
  const { orders, isCut } = after(all);
  expect(orders.map(({ orderId }) => orderId)).toEqual(
    Array.from({ length: PERSON_ORDERS_MAX }, (_, i) => `${9_999 - i}`),
  );
  expect(isCut).toBe(true);
  expect(withOrder({ orders, keptDays: 90, isCut }, order('old', T0), 90).orders).toBe(orders);
});

it('takes no more orders of an address that a shop gives all its buyers, until it is quiet', () => {
  const all = Array.from({ length: 1_000 }, (_, i) => order(`${i}`, T0 + i));
  const known = after(all);
  expect(known.orders.map(({ orderId }) => Number(orderId)).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: PERSON_ORDERS_MAX }, (_, i) => i),
  );
  const later = withOrder(known, order('later', T0 + 11 * MINUTE_MS), 90);
  expect(later.orders[0]?.orderId).toBe('later');
});

it.each([
  [30, 30],
  [400, 90],
])(
  'keeps an order as long as personal data of %s days, and at most as orders are known: %s',
  (kept, days) => {
    const known = after([order('1')], kept);
    expect(keptAt(known, T0 + days * DAY_MS)).toHaveLength(1);
    expect(keptAt(known, T0 + days * DAY_MS + 1)).toEqual([]);
    const next = withOrder(known, order('2', T0 + days * DAY_MS + 1), kept);
    expect(next.orders.map(({ orderId }) => orderId)).toEqual(['2']);
  },
);
