// Goal: counters add up to the same in any grouping and order; examples are the newest of all.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EVENT_NAMES } from '../event/names.ts';
import type { BucketCounters } from './analytics.ts';
import { connectionCounts } from './connection-counts.ts';
import { sumCounters } from './sum.ts';

const name = fc.constantFrom('meta', 'direct', 'constructor', '__proto__', 'Ünï ☃', 'EUR', 'JPY');
const few = fc.integer({ min: 0, max: 9 });
const record = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.array(fc.tuple(name, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
const money = fc.record({
  orders: few,
  minor: fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String),
});
const example = fc.tuple(few, fc.constantFrom('a', 'b', 'c', 'd', 'e'));
/** As a slot of one routing version is counted: of one with places, of one without, and of one from before versions were counted. */
const placed = fc
  .record({
    version: fc.constantFrom('3', '4', '5'),
    further: fc.boolean(),
    isOld: fc.boolean(),
    words: fc.array(
      fc.tuple(fc.constantFrom('DELIVERED', 'FAILED', 'not_connected'), fc.integer({ min: 1, max: 9 })),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ version, further, isOld, words }) => {
    const counts = Object.fromEntries(words);
    const deliveries = { meta: { Lead: counts } };
    const later = { meta: { 'never:': 1 } };
    if (isOld) return { deliveries, later };
    const { not_connected: _, ...own } = counts;
    const versions = { [version]: Object.values(counts).reduce((sum, one) => sum + one, 0) };
    if (!further) return { deliveries, later, versions };
    const connections = {
      [`meta@${version}`]: { deliveries: { Lead: { FAILED: 1 } } },
      [`meta#2@${version}`]: { deliveries: { Lead: own } },
    };
    return { deliveries, later, versions, connections };
  });
const parts: fc.Arbitrary<BucketCounters[]> = fc.array(
  fc
    .record({
      events: few,
      repeatedOrders: few,
      replays: few,
      credits: record(fc.record({ orders: few, unlinked: few, revenue: record(money) })),
      revenue: record(money),
      // What one part holds is what a sum holds.
      examples: record(fc.array(example, { maxLength: 3 })),
      placed,
    })
    .map(({ placed: own, ...part }) => ({ ...sumCounters([]), ...part, ...own })),
  { maxLength: 8 },
);

const plain = (value: unknown) => JSON.parse(JSON.stringify(value, sorted));
const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    : value;

it('does not depend on order or grouping', () => {
  fc.assert(
    fc.property(parts, fc.integer({ min: 0, max: 8 }), fc.boolean(), (all, cut, turned) => {
      const whole = sumCounters(all);
      const halves = [sumCounters(all.slice(0, cut)), sumCounters(all.slice(cut))];
      expect(plain(sumCounters(turned ? halves.reverse() : halves))).toEqual(plain(whole));
      expect(plain(sumCounters([...all].reverse()))).toEqual(plain(whole));
      expect(plain(sumCounters([whole, sumCounters([])]))).toEqual(plain(whole));
    }),
    { numRuns: 500 },
  );
});

it('adds up what a naive tally adds up, and keeps the three newest examples', () => {
  fc.assert(
    fc.property(parts, (all) => {
      const sum = sumCounters(all);
      for (const touch of ['meta', 'direct', 'constructor', '__proto__', 'Ünï ☃']) {
        const own = all.flatMap(({ credits = {} }) =>
          Object.hasOwn(credits, touch) ? [credits[touch]] : [],
        );
        const found = Object.hasOwn(sum.credits ?? {}, touch) ? sum.credits?.[touch] : undefined;
        expect(found?.orders ?? 0).toBe(own.reduce((n, credit) => n + (credit?.orders ?? 0), 0));
        const minor = own.reduce((n, credit) => n + BigInt(credit?.revenue.EUR?.minor ?? 0), 0n);
        expect(found?.revenue.EUR?.minor ?? '0').toBe(String(minor));
        const examples = all.flatMap(({ examples: of = {} }) =>
          Object.hasOwn(of, touch) ? (of[touch] ?? []) : [],
        );
        const distinct = [...new Map(examples.map((each) => [each.join('/'), each])).values()];
        const newest = distinct.sort(([a, x], [b, y]) => b - a || (x < y ? 1 : -1)).slice(0, 3);
        const kept = Object.hasOwn(sum.examples ?? {}, touch) ? sum.examples?.[touch] : [];
        expect(kept).toEqual(newest);
      }
      expect(sum.repeatedOrders ?? 0).toBe(all.reduce((n, part) => n + (part.repeatedOrders ?? 0), 0));
    }),
    { numRuns: 500 },
  );
});

it('keeps what each connection has, whatever is summed with what, as far as it fits', () => {
  const names = EVENT_NAMES.slice(0, 10);
  const part = (version: number, words: number): BucketCounters => {
    const counts = Object.fromEntries(Array.from({ length: words }, (_, i) => [`w${i}`, 1]));
    const deliveries = Object.fromEntries(names.map((one) => [one, counts]));
    const versions = { [version]: names.length * words };
    return { ...sumCounters([]), deliveries: { meta: deliveries }, versions };
  };
  const all = [part(1, 300), part(2, 300), part(3, 300), part(4, 300)];
  const whole = sumCounters(all);
  expect(Object.keys(whole.versions ?? {})).toEqual(['2', '3', '4']);
  expect(Object.keys(connectionCounts(whole)).sort()).toEqual(['@1', 'meta@2', 'meta@3', 'meta@4']);
  for (const cut of [1, 2, 3]) {
    const halves = [sumCounters(all.slice(0, cut)), sumCounters(all.slice(cut))];
    expect(plain(sumCounters(halves))).toEqual(plain(whole));
  }
  // Too much by itself: nothing is said of connections.
  const wide = {
    ...part(9, 1_200),
    connections: { 'meta#2@9': { deliveries: part(9, 1_200).deliveries.meta ?? {} } },
  };
  expect(sumCounters([wide])).toMatchObject({ connections: { '@9': { deliveries: {} } } });
  expect(plain(sumCounters([wide, part(8, 1)]))).toEqual(
    plain(sumCounters([sumCounters([wide]), part(8, 1)])),
  );
});
