// Goal: an item of counters stays far below the DynamoDB limit of one item (400 KB) for any values of senders: every
// map of the counters is either keyed by a closed list or capped. The closed ones are filled to their last key here.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packCounters, unpackCounters } from '#lib/adapters/dynamodb/events/rows/event-codec.ts';
import { acceptedRow, normalizedRow } from '#test/contract/stored-rows.ts';
import {
  type BucketCounters,
  EXAMPLE_ID_MAX_CHARS,
  MISSING,
  PAGE_SEC_MAX,
} from '../../domain/analytics/analytics.ts';
import { HINTED_FIELDS } from '../../domain/analytics/match-quality.ts';
import { CODES_MAX, OTHER_SOURCES, SOURCES_MAX, sumCounters } from '../../domain/analytics/sum.ts';
import { DELIVERY_STATES } from '../../domain/deliveries/delivery.ts';
import { KNOWN_FIELDS } from '../../domain/event/known-fields.ts';
import { EVENT_NAMES } from '../../domain/event/names.ts';
import { PLATFORMS } from '../../platforms/registry.ts';
import { VERDICT_CODES } from '../verdicts.ts';
import { countEvents } from './count-events.ts';
import { foldBucket } from './count-rows.ts';

const LIMIT_BYTES = 400 * 1_024;
/** Different in every character, so that nothing of it packs well. */
const noise = (seed: number, length: number): string => {
  let state = (seed + 1) * 2_654_435_761;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state % 36).toString(36);
  }).join('');
};
const source = (i: number): string => `${noise(i, 34)}${String(i).padStart(6, '0')}`;
const entries = <T>(keys: readonly string[], entryOf: (i: number) => T): Record<string, T> =>
  Object.fromEntries(keys.map((key, i) => [key, entryOf(i)]));
const numbers = (keys: readonly string[]) => entries(keys, (i) => 1_000_003 * i + 7);

/** Every pair of a field and a word that an event's issues may name, and some to spare. */
const ISSUES = [...KNOWN_FIELDS, ...HINTED_FIELDS, 'event_id', 'order_id', '*'].flatMap((field) =>
  ['malformed', 'empty', 'literal_null', 'already_hashed', 'hash_of_empty', 'double_hashed', 'unknown'].map(
    (code) => `${field}:${code}`,
  ),
);
const SLUGS = PLATFORMS.map(({ slug }) => slug);
const VERSIONS = Array.from({ length: 500 }, (_, i) => String(1_000 + i));
const TARGETS = SLUGS.flatMap((slug) => [slug, `${slug}#2`]);
const TOUCHES = [...SLUGS, 'direct'];
const CURRENCIES = Intl.supportedValuesOf('currency');
const revenueOf = (i: number) => ({ orders: 9_000_000 + i, minor: `9${noise(i, 23).replace(/\D/g, '7')}` });
const MONEY = entries(CURRENCIES, revenueOf);
const WORDS = [...VERDICT_CODES, ...DELIVERY_STATES];
const EXAMPLES = [...ISSUES, ...HINTED_FIELDS.map((field) => MISSING + field)];

const CREDITED = entries(TOUCHES, (i) => ({
  orders: 7_919 * i,
  unlinked: 104_729 * i,
  revenue: MONEY,
  refunds: MONEY,
}));

/** One entry for each member: a new one does not compile until it is said what bounds it. */
const WIDEST: { readonly [K in keyof Required<BucketCounters>]: NonNullable<BucketCounters[K]> } = {
  events: 1e9,
  bots: 1e9,
  merged: 1e9,
  replays: 1e9,
  tests: 1e9,
  repeatedOrders: 1e9,
  serverOrders: { orders: 1e9, clicked: 1e9, gained: 1e9 },
  pageWaits: {
    ...{ orders: 1e9, sumMs: 1e15 },
    completed: numbers(Array.from({ length: PAGE_SEC_MAX }, (_, i) => String(i + 1))),
  },
  latency: { count: 1e9, sumMs: 1e15 },
  bySource: numbers(Array.from({ length: 20_000 }, (_, i) => source(i))),
  byName: numbers(EVENT_NAMES),
  deliveries: entries(SLUGS, (i) =>
    entries(EVENT_NAMES, (j) => entries(WORDS, (k) => 97 * i + 1_009 * j + 13 * k + 1)),
  ),
  later: entries(SLUGS, () =>
    numbers(
      ['rejected', 'partly', 'share', 'never'].flatMap((word) =>
        Array.from({ length: 40 }, (_, i) => `${word}:google_ads.${noise(i, 40)}`),
      ),
    ),
  ),
  codes: entries(SLUGS, (i) =>
    numbers(Array.from({ length: 2_000 }, (_, j) => `${noise(2_000 * i + j, 56)}${j}`)),
  ),
  versions: numbers(VERSIONS),
  connections: entries(
    VERSIONS.flatMap((version) => TARGETS.map((place) => `${place}@${version}`)),
    (i) => ({ deliveries: entries(EVENT_NAMES, (j) => ({ DELIVERED: 97 * i + j + 1, FAILED: 13 * i + j })) }),
  ),
  revenue: MONEY,
  refunds: MONEY,
  issues: numbers(ISSUES),
  completeness: numbers(KNOWN_FIELDS),
  ...{ credits: CREDITED, moves: CREDITED },
  examples: entries(EXAMPLES, (i) =>
    [0, 1, 2].map((n) => [1_800_000_000_000 + n, noise(3 * i + n, EXAMPLE_ID_MAX_CHARS)] as const),
  ),
};

describe('the size of a slot', () => {
  it('stays below the limit of an item with every map as wide as a sender can make it', () => {
    const packed = packCounters(sumCounters([WIDEST]));
    expect(packed.byteLength).toBeLessThan(LIMIT_BYTES / 2);
  });

  it('is the same for a million sources as for a hundred', () => {
    const rows = Array.from({ length: 3_000 }, (_, i) =>
      normalizedRow({ eventId: `e${i}`, event: { source: source(i) } }),
    );
    const { bySource, events } = countEvents(rows);
    expect(events).toBe(3_000);
    expect(Object.keys(bySource)).toHaveLength(SOURCES_MAX + 1);
    expect(bySource[OTHER_SOURCES]).toBe(3_000 - SOURCES_MAX);
  });
});

describe('codes', () => {
  it('beyond the cap are left out the same whatever is grouped with what', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3 * CODES_MAX }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 40 }),
        (all, groupSize) => {
          const parts = all.map((n) => ({ ...sumCounters([]), codes: { meta: { [`meta.${n}`]: 1 } } }));
          const groups = Array.from({ length: Math.ceil(parts.length / groupSize) }, (_, i) =>
            sumCounters(parts.slice(i * groupSize, (i + 1) * groupSize)),
          );
          const whole = sumCounters(parts).codes?.meta ?? {};
          expect({ ...sumCounters(groups.reverse()).codes?.meta }).toEqual({ ...whole });
          expect(Object.keys(whole)).toHaveLength(Math.min(CODES_MAX, new Set(all).size));
          for (const [code, count] of Object.entries(whole))
            expect(count).toBe(all.filter((n) => `meta.${n}` === code).length);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('sources beyond the cap', () => {
  const sources = fc.array(fc.integer({ min: 0, max: 3 * SOURCES_MAX }), { minLength: 1, maxLength: 400 });
  const eventsOf = (bySource: BucketCounters['bySource']): number =>
    Object.values(bySource).reduce((sum, count) => sum + count, 0);

  it('are counted the same whatever is grouped with what, in any order, stored in between or not', () => {
    fc.assert(
      fc.property(sources, fc.integer({ min: 1, max: 40 }), (all, groupSize) => {
        const rows = all.map((n, i) =>
          i % 7 === 0
            ? acceptedRow({ eventId: `e${i}`, body: { source: `s${n}` } })
            : normalizedRow({ eventId: `e${i}`, event: { source: n === 0 ? OTHER_SOURCES : `s${n}` } }),
        );
        const fold = (part: typeof rows) =>
          foldBucket({ rows: part, merged: new Set(), platforms: [] }).counters;
        const whole = fold(rows).bySource;
        const groups = Array.from({ length: Math.ceil(rows.length / groupSize) }, (_, i) =>
          fold(rows.slice(i * groupSize, (i + 1) * groupSize)),
        );
        const stored = groups.map((part) => unpackCounters(packCounters(part)) as BucketCounters);
        const plain = (value: object) => Object.fromEntries(Object.entries(value));
        expect(plain(sumCounters(stored).bySource)).toEqual(plain(whole));
        expect(plain(sumCounters(groups.reverse()).bySource)).toEqual(plain(whole));
        expect(plain(fold([...rows].reverse()).bySource)).toEqual(plain(whole));
        expect(eventsOf(whole)).toBe(rows.length);
      }),
      { numRuns: 60 },
    );
  });

  it('leave the two channels and short names where they are', () => {
    const names = ['browser', 'server', 'shop', ...Array.from({ length: 500 }, (_, i) => source(i))];
    const { bySource } = sumCounters([{ ...sumCounters([]), bySource: numbers(names) }]);
    for (const kept of ['browser', 'server', 'shop']) expect(bySource).toHaveProperty(kept);
  });
});
