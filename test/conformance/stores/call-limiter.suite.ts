// What every limit of calls does, whoever counts.
import { describe, expect, it } from 'vitest';
import type { CallLimiter } from '#lib/core/work/call-limiter.ts';

/** Ten seconds before a minute of the clock ends. */
const T0 = Date.UTC(2026, 10, 20, 12, 0, 50);
const LIMIT = 60;

export function callLimiterConformance(name: string, open: () => CallLimiter): void {
  let ids = 0;
  const fresh = (): string => `${name}-${ids++}`;
  const takeAll = (limiter: CallLimiter, id: string, times: readonly number[], limit = LIMIT) =>
    Promise.all(times.map((atMs) => limiter.take(id, limit, atMs)));
  const grantedIn = (grants: readonly { readonly granted: boolean }[]): number =>
    grants.filter(({ granted }) => granted).length;

  describe(`limits of calls in ${name}`, () => {
    it('counts down, and says how long the window lasts', async () => {
      const [limiter, id] = [open(), fresh()];
      expect(await limiter.take(id, 3, T0)).toEqual({ granted: true, remaining: 2, resetSec: 60 });
      expect(await limiter.take(id, 3, T0 + 1)).toEqual({ granted: true, remaining: 1, resetSec: 60 });
      expect(await limiter.take(id, 3, T0 + 30_000)).toEqual({ granted: true, remaining: 0, resetSec: 30 });
      const refused = { granted: false, remaining: 0 };
      expect(await limiter.take(id, 3, T0 + 30_001)).toEqual({ ...refused, resetSec: 30 });
      expect(await limiter.take(id, 3, T0 + 59_999)).toEqual({ ...refused, resetSec: 1 });
    });

    it('refuses the 61st of 60 calls within 60 seconds, across the minute of the clock', async () => {
      const [limiter, id] = [open(), fresh()];
      for (let i = 0; i < LIMIT; i++)
        expect((await limiter.take(id, LIMIT, T0 + i * 900)).granted).toBe(true);
      for (const atMs of [T0 + 54_000, T0 + 59_999])
        expect((await limiter.take(id, LIMIT, atMs)).granted).toBe(false);
      expect(await limiter.take(id, LIMIT, T0 + 60_000)).toEqual({
        granted: true,
        remaining: 59,
        resetSec: 60,
      });
    });

    it('grants exactly the limit to ten callers at once, however they interleave', async () => {
      const [limiter, id] = [open(), fresh()];
      const grants = await Promise.all(
        Array.from({ length: 10 }, async (_, caller) => {
          let granted = 0;
          for (let i = 0; i < 8; i++)
            if ((await limiter.take(id, LIMIT, T0 + i * 100 + caller)).granted) granted += 1;
          return granted;
        }),
      );
      expect(grants.reduce((sum, granted) => sum + granted, 0)).toBe(LIMIT);
    });

    it('begins one window, whoever is first in a new one', async () => {
      const [limiter, id] = [open(), fresh()];
      await takeAll(limiter, id, [T0], 5);
      const grants = await takeAll(
        limiter,
        id,
        Array.from({ length: 10 }, () => T0 + 60_000),
        5,
      );
      expect(grantedIn(grants)).toBe(5);
    });

    it('counts each id by itself', async () => {
      const [limiter, mine, theirs] = [open(), fresh(), fresh()];
      expect(grantedIn(await takeAll(limiter, mine, [T0, T0, T0], 2))).toBe(2);
      expect(await limiter.take(theirs, 2, T0)).toEqual({ granted: true, remaining: 1, resetSec: 60 });
    });

    it('takes a window of a clock that is a little ahead for one, and of one far ahead for none', async () => {
      const [limiter, near, far] = [open(), fresh(), fresh()];
      await limiter.take(near, 1, T0 + 5_000);
      expect(await limiter.take(near, 1, T0)).toEqual({ granted: false, remaining: 0, resetSec: 60 });
      await limiter.take(far, 1, T0 + 3_600_000);
      expect((await limiter.take(far, 1, T0)).granted).toBe(true);
    });

    it('follows a limit that was lowered or raised meanwhile', async () => {
      const [limiter, id] = [open(), fresh()];
      await takeAll(limiter, id, [T0, T0, T0], 3);
      expect(await limiter.take(id, 2, T0)).toMatchObject({ granted: false, remaining: 0 });
      expect(await limiter.take(id, 4, T0)).toMatchObject({ granted: true, remaining: 0 });
    });
  });
}
