// Goal: of each click id the newest is known, in a text that fits into one write unit, and none longer than it may be used; an
// identifier that thousands share is written once a minute.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import type { BrowserIdKey } from '../identity/identity.ts';
import {
  isKnown,
  keptClicks,
  NO_CLICKS,
  type PersonClicks,
  readClicks,
  type SeenClick,
  withClicks,
  writeClicks,
} from './clicks.ts';

const T0 = Date.UTC(2026, 10, 21, 12);
const click = (key: BrowserIdKey, id: string, atMs = T0): SeenClick => ({ key, id, atMs });
const write = { receivedAtMs: T0, writtenAtMs: undefined, keptDays: 90 };
const after = (known: PersonClicks, ...carried: readonly SeenClick[]) => withClicks(known, carried, write);

const clicks = fc.array(
  fc.record({
    key: fc.constantFrom<BrowserIdKey>('gclid', 'fbc', 'ttclid', 'msclkid', 'kx'),
    id: fc.string({ minLength: 1, maxLength: 255 }),
    atMs: fc.integer({ min: T0 - 80 * DAY_MS, max: T0 }),
  }),
  { maxLength: 12 },
);

it('knows of each key the newest click, newest first, in 500 characters or one id', () => {
  fc.assert(
    fc.property(clicks, (all) => {
      const { clicks: known } = all.reduce((before, one) => after(before, one), NO_CLICKS);
      expect(new Set(known.map(({ key }) => key)).size).toBe(known.length);
      expect(known.toSorted((one, other) => other.atMs - one.atMs)).toEqual(known);
      for (const one of known) expect(all).toContainEqual(one);
      const chars = known.reduce((sum, { id }) => sum + id.length, 0);
      expect(known.length <= 1 || chars <= 500).toBe(true);
      const newest = all.toSorted((one, other) => other.atMs - one.atMs)[0];
      if (newest !== undefined) expect(known[0]?.atMs).toBe(newest.atMs);
    }),
  );
});

it('changes nothing by an id that is known, or is older than the one that is', () => {
  const known = after(NO_CLICKS, click('gclid', 'a'), click('fbc', 'f', T0 - 1));
  expect(after(known, click('gclid', 'a', T0 + 5))).toBe(known);
  expect(after(known, click('gclid', 'before', T0 - 1))).toBe(known);
  expect(after(known, click('gclid', 'b', T0 + 1)).clicks.map(({ id }) => id)).toEqual(['b', 'f']);
  expect([isKnown(known, click('gclid', 'a', T0 + 5)), isKnown(known, click('gclid', 'b', T0))]).toEqual([
    true,
    false,
  ]);
});

it('is written once a minute, whatever comes meanwhile, and never by what came before', () => {
  const known = after(NO_CLICKS, click('gclid', 'a'));
  for (let i = 0; i < 1_000; i += 1) {
    const now = { ...write, receivedAtMs: T0 + i, writtenAtMs: T0 };
    expect(withClicks(known, [click('gclid', `other ${i}`, T0 + i)], now)).toBe(known);
  }
  const before = { ...write, receivedAtMs: T0 - DAY_MS, writtenAtMs: T0 };
  expect(withClicks(known, [click('ttclid', 'late', T0 - DAY_MS)], before)).toBe(known);
  const later = { ...write, receivedAtMs: T0 + MINUTE_MS, writtenAtMs: T0 };
  expect(withClicks(known, [click('ttclid', 'b', T0 + MINUTE_MS)], later).clicks).toHaveLength(2);
});

it.each([
  [30, 30],
  [400, 90],
])('uses a click as long as personal data of %s days is kept, and at most %s', (keptDays, days) => {
  const known = withClicks(NO_CLICKS, [click('gclid', 'a')], { ...write, keptDays });
  expect(keptClicks(known, T0 + days * DAY_MS)).toHaveLength(1);
  expect(keptClicks(known, T0 + days * DAY_MS + 1)).toEqual([]);
  // Not for what happened before it.
  expect(keptClicks(known, T0 - 1)).toEqual([]);
  const receivedAtMs = T0 + days * DAY_MS + 1;
  const next = withClicks(known, [click('fbc', 'b', receivedAtMs)], { ...write, receivedAtMs, keptDays });
  expect(next.clicks.map(({ id }) => id)).toEqual(['b']);
});

it('is read as it was written, without keys that are not known, and not at all where it is something else', () => {
  fc.assert(
    fc.property(clicks, (all) => {
      const known = all.reduce((before, one) => after(before, one), NO_CLICKS);
      expect(readClicks(writeClicks(known))).toEqual(known);
    }),
  );
  const strange = '{"k":9,"c":[["gclid","a",1],["fbp","cookie",1],["newer","x",1]],"more":true}';
  expect(readClicks(strange)).toEqual({ keptDays: 9, clicks: [{ key: 'gclid', id: 'a', atMs: 1 }] });
  for (const text of ['', '{', 'null', '[]', '{"k":1}', '{"k":1,"c":[["gclid","a"]]}'])
    expect(readClicks(text)).toBeNull();
});
