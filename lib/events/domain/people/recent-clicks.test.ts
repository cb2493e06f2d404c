// Goal: what is written is read, of any click; text of another kind credits nothing.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RECENT_MAX, readRecent, recentClick, withRecent, writeRecent } from './recent-clicks.ts';

const click = fc
  .tuple(fc.constantFrom('meta', 'google_ads', 'x'), fc.string(), fc.integer({ min: 0, max: 4e12 }))
  .map(([platform, id, atMs]) => recentClick(platform, { key: 'gclid', id, atMs }));

it('is read as it was written, the newest ten, each id once', () => {
  fc.assert(
    fc.property(fc.array(click, { maxLength: 30 }), (clicks) => {
      const known = clicks.reduce<ReturnType<typeof readRecent>>((all, one) => withRecent(all, [one]), []);
      expect(readRecent(writeRecent(known))).toEqual(known);
      expect(known.length).toBeLessThanOrEqual(RECENT_MAX);
      expect(new Set(known.map(({ digest, platform }) => `${platform} ${digest}`)).size).toBe(known.length);
      expect(withRecent(known, known)).toBe(known);
    }),
  );
});

it.each(['', ' ', ',', 'meta', 'meta mg', 'meta !! abcde', '[["meta",1,"abcde"]]'])(
  'is nothing in %j',
  (text) => {
    expect(readRecent(text)).toEqual([]);
  },
);
