// Goal: whatever a person's orders are and however their reports come, the index holds the newest, each once.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import {
  CONVERSIONS_MAX,
  keptAt,
  NO_ORDERS,
  PERSON_ORDERS_MAX,
  type PersonConversion,
  type PersonOrder,
  withConversion,
  withOrder,
} from './person.ts';
import { readOrders, writeOrders } from './written-orders.ts';

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

/** At most one an hour: no crowd. */
const conversions = fc
  .uniqueArray(fc.nat({ max: 24 * 30 }), { maxLength: 40 })
  .chain((hours) =>
    fc.tuple(
      ...hours.map((hour) =>
        fc.record({
          eventId: fc.oneof(fc.nat({ max: 20 }).map(String), fc.string({ minLength: 1, maxLength: 512 })),
          name: fc.constantFrom('Lead', 'Subscribe'),
          receivedAtMs: fc.constant(T0 + hour * 3_600_000),
          isOfPage: fc.constantFrom(true as const, undefined),
        }),
      ),
    ),
  )
  .map((all) =>
    all.map(
      ({ isOfPage, ...one }): PersonConversion => (isOfPage === undefined ? one : { ...one, isOfPage }),
    ),
  );

it('has each other conversion once, the newest that fit, and orders as they were; read as written', () => {
  fc.assert(
    fc.property(conversions, reports, (all, orders) => {
      const before = after(orders);
      const known = all.reduce((person, own) => withConversion(person, own, 90), before);
      const ids = known.conversions.map(({ eventId }) => eventId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeLessThanOrEqual(CONVERSIONS_MAX);
      expect(ids.length <= 1 || ids.join('').length <= 500).toBe(true);
      expect(known.orders).toEqual(before.orders);
      const newest = all.toSorted((a, b) => b.receivedAtMs - a.receivedAtMs)[0];
      if (newest !== undefined) expect(ids).toContain(newest.eventId);
      for (const each of known.conversions) expect(all).toContain(each);
      for (const each of known.conversions.filter(({ isOfPage }) => isOfPage))
        expect(all.filter(({ eventId, isOfPage }) => eventId === each.eventId && !isOfPage)).toEqual([]);
      for (const each of known.conversions) expect(withConversion(known, each, 90)).toBe(known);
      expect(readOrders(writeOrders(known))).toEqual(known);
    }),
  );
});

it('takes no more conversions of an address that thousands share, and ends them as it ends orders', () => {
  const lead = (i: number, receivedAtMs: number): PersonConversion => ({
    ...{ eventId: `${i}`, name: 'Lead', receivedAtMs },
  });
  const all = Array.from({ length: 1_000 }, (_, i) => lead(i, T0 + i));
  const known = all.reduce((person, own) => withConversion(person, own, 30), NO_ORDERS);
  expect(known.conversions).toHaveLength(CONVERSIONS_MAX);
  expect(keptAt(known, T0 + 30 * DAY_MS).conversions).toHaveLength(CONVERSIONS_MAX);
  expect(keptAt(known, T0 + 31 * DAY_MS).conversions).toEqual([]);
  expect(withOrder(known, order('1', T0 + 31 * DAY_MS), 30).conversions).toEqual([]);
});

it('reads what was written before there were other conversions', () => {
  expect(readOrders('{"k":90,"o":[["1",5]]}')).toEqual({ ...after([order('1', 5)]), keptDays: 90 });
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
  expect(withOrder({ ...NO_ORDERS, orders, keptDays: 90, isCut }, order('old', T0), 90).orders).toBe(orders);
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
    expect(keptAt(known, T0 + days * DAY_MS).orders).toHaveLength(1);
    expect(keptAt(known, T0 + days * DAY_MS + 1).orders).toEqual([]);
    const next = withOrder(known, order('2', T0 + days * DAY_MS + 1), kept);
    expect(next.orders.map(({ orderId }) => orderId)).toEqual(['2']);
  },
);
