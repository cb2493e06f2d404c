// Goal: two counts are the same when every figure is, for any names and any order of the keys.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BucketCounters } from './analytics.ts';
import { countersDifference, sameCounters } from './difference.ts';
import { sumCounters } from './sum.ts';

// Not 0: a figure that is 0 is a member, and no difference to none.
const figure = fc.integer({ min: 1, max: 3 });
const key = fc.constantFrom('meta', 'constructor', '__proto__', 'toString', 'Ünï ☃');
const record = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc
    .uniqueArray(fc.tuple(key, value), { maxLength: 4, selector: ([name]) => name })
    .map((entries) => Object.fromEntries(entries));
const counters: fc.Arbitrary<BucketCounters> = fc
  .record({
    events: figure,
    bySource: record(figure),
    byName: record(figure),
    revenue: record(fc.record({ orders: figure, minor: figure.map(String) })),
    examples: record(fc.array(fc.tuple(figure, fc.constantFrom('a', 'b')), { minLength: 1, maxLength: 2 })),
  })
  .map((part) => ({ ...sumCounters([]), ...part }));

/** The same with the keys of every object the other way round, and members that say nothing. */
function turned(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(turned);
  const members = Object.entries(value).map(([name, member]) => [name, turned(member)] as const);
  return Object.fromEntries([...members.reverse(), ['nothing', undefined]]);
}

describe('two counts', () => {
  it('are the same in any order of keys, and without a prototype', () => {
    fc.assert(
      fc.property(counters, (count) => {
        expect(sameCounters(count, turned(count) as BucketCounters)).toBe(true);
        expect(sameCounters(turned(count) as BucketCounters, count)).toBe(true);
        const sum = sumCounters([count]);
        expect(sameCounters(sum, JSON.parse(JSON.stringify(sum)))).toBe(true);
      }),
    );
  });

  it('are the same exactly when no figure differs', () => {
    fc.assert(
      fc.property(counters, counters, (left, right) => {
        expect(sameCounters(left, right)).toBe(countersDifference(left, right).length === 0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('differ by one figure, wherever it is', () => {
    const count: BucketCounters = { ...sumCounters([]), events: 1, bySource: { constructor: 1, meta: 2 } };
    expect(sameCounters(count, { ...count, events: 2 })).toBe(false);
    expect(sameCounters(count, { ...count, bySource: { constructor: 1, meta: 3 } })).toBe(false);
    expect(sameCounters(count, { ...count, bySource: { meta: 2 } })).toBe(false);
    expect(sameCounters(count, { ...count, bySource: { meta: 2, toString: 1 } })).toBe(false);
    expect(sameCounters(count, { ...count, replays: 1 })).toBe(false);
  });
});

describe('a count of a release that does not know a platform', () => {
  const sum = sumCounters([]);
  const meta = { Purchase: { DELIVERED: 5, RETRY: 1 }, constructor: { DELIVERED: 2 } };
  const earlier: BucketCounters = { ...sum, deliveries: { meta } };
  const ofAll = { Purchase: { not_connected: 6 }, constructor: { not_connected: 2 } };
  const later = (newer: BucketCounters['deliveries'][string]): BucketCounters => ({
    ...sum,
    deliveries: { meta, newer },
  });
  const figures = (left: BucketCounters, right: BucketCounters) =>
    countersDifference(left, right).map(({ figure: name }) => name);

  it('is no difference where the platform was not connected, also in a part of the slot', () => {
    expect(figures(earlier, later(ofAll))).toEqual([]);
    expect(figures(later(ofAll), earlier)).toEqual([]);
    expect(figures(later({ Purchase: { not_connected: 4 } }), later(ofAll))).toEqual([]);
  });

  it('differs where the platform got or withheld events, or more are counted than there are', () => {
    const got = { ...ofAll, Purchase: { not_connected: 5, DELIVERED: 1 } };
    expect(figures(earlier, later(got))).toEqual([
      'deliveries.newer.Purchase.DELIVERED',
      'deliveries.newer.Purchase.not_connected',
    ]);
    expect(figures(earlier, later({ ...ofAll, Purchase: { not_connected: 7 } }))).not.toEqual([]);
  });
});
