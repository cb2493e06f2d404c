// Goal: a name that every object inherits (`constructor`, `__proto__`, `toString`) counts like any other name, wherever a
// merchant's text becomes a key: sums, folds, and what is stored of them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packCounters, unpackCounters } from '#lib/adapters/dynamodb/events/rows/event-codec.ts';
import { acceptedRow, normalizedRow } from '#test/contract/stored-rows.ts';
import type { BucketCounters } from '../../domain/analytics/analytics.ts';
import { sumCounters } from '../../domain/analytics/sum.ts';
import { checkEvent } from '../../domain/event/check.ts';
import { canonicalEventName, EVENT_NAMES } from '../../domain/event/names.ts';
import type { EventRow } from '../../domain/event/row.ts';
import { foldBucket } from './count-rows.ts';

const PROTOTYPES = [Object.prototype, Function.prototype, Array.prototype, String.prototype];
const names = PROTOTYPES.flatMap((prototype) => Object.getOwnPropertyNames(prototype));
const INHERITED = [...new Set(names), 'toJSON', 'then'];
const name = fc.constantFrom(...INHERITED, 'web', 'app');
const count = fc.integer({ min: 1, max: 9 });
const numbers = fc
  .array(fc.tuple(name, count), { maxLength: 8 })
  .map((entries) => Object.fromEntries(entries));
const counters: fc.Arbitrary<BucketCounters> = fc.record({
  events: count,
  bots: count,
  merged: count,
  bySource: numbers,
  byName: numbers,
  deliveries: fc
    .array(fc.tuple(name, name, numbers), { maxLength: 4 })
    .map((cells) => Object.fromEntries(cells.map(([slug, event, words]) => [slug, keyed(event, words)]))),
  latency: fc.record({ count, sumMs: count }),
  revenue: fc
    .array(fc.tuple(name, count), { maxLength: 4 })
    .map((entries) =>
      Object.fromEntries(entries.map(([key, orders]) => [key, { orders, minor: String(orders * 100) }])),
    ),
  issues: numbers,
  completeness: numbers,
});

/** `{ [key]: value }` defines `__proto__` too, where an assignment would not. */
const keyed = <T>(key: string, value: T): Record<string, T> => ({ [key]: value });

/** Every number by its path, added up without a single record. */
function tally(parts: readonly BucketCounters[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  const add = (path: readonly string[], value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) add([...path, key], member);
    } else {
      const id = JSON.stringify(path);
      sums.set(id, (sums.get(id) ?? 0) + Number(value));
    }
  };
  for (const part of parts) add([], part);
  return sums;
}

const nonZero = (sums: ReadonlyMap<string, number>) =>
  Object.fromEntries([...sums].filter(([, sum]) => sum !== 0).sort(([a], [b]) => (a < b ? -1 : 1)));

const stored = (value: BucketCounters) => unpackCounters(packCounters(value)) as BucketCounters;

describe('names that every object inherits', () => {
  it('are summed, stored and summed again like any other', () => {
    fc.assert(
      fc.property(fc.array(counters, { maxLength: 5 }), (parts) => {
        const expected = nonZero(tally(parts));
        expect(nonZero(tally([sumCounters(parts)]))).toEqual(expected);
        expect(nonZero(tally([sumCounters([stored(sumCounters(parts.map(stored)))])]))).toEqual(expected);
      }),
    );
  });

  it('are counted as sources and issues of rows, in both of their states', () => {
    const row = fc.record({ source: name, field: name, accepted: fc.boolean() });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), (drafts) => {
        const rows = drafts.map(({ source, field, accepted }, i): EventRow => {
          const eventId = `e${i}`;
          return accepted
            ? acceptedRow({ eventId, body: { source } })
            : normalizedRow({ eventId, event: { source, issues: [{ field, code: 'not_a_phone' }] } });
        });
        const fold = foldBucket({ rows, merged: new Set(), platforms: [] }).counters;
        const bySource = Map.groupBy(drafts, ({ source }) => source);
        const sizes = (groups: ReadonlyMap<string, readonly unknown[]>) =>
          new Map([...groups].map(([key, of]) => [key, of.length]));
        expect(new Map(Object.entries(fold.bySource))).toEqual(sizes(bySource));
        const normalized = drafts.filter(({ accepted }) => !accepted);
        const byField = Map.groupBy(normalized, ({ field }) => `${field}:not_a_phone`);
        expect(new Map(Object.entries(fold.issues))).toEqual(sizes(byField));
      }),
    );
  });

  it.each(INHERITED)('%s is an event name of its own, and no member of a table', (text) => {
    const event_time = Date.UTC(2026, 10, 21) / 1_000;
    const event = { event_id: 'e', event_name: text, event_time, user_data: {} };
    expect(checkEvent(event, event_time * 1_000)).toMatchObject({ ok: true, body: { event_name: text } });
    expect(EVENT_NAMES).toContain(canonicalEventName(text));
  });
});
