import { describe, expect, it } from 'vitest';
import { inParallel } from './in-parallel.ts';

describe('inParallel', () => {
  it('keeps the order and never exceeds its width', async () => {
    let running = 0;
    let peak = 0;
    const doubled = await inParallel([1, 2, 3, 4, 5, 6, 7], 3, async (n) => {
      running += 1;
      peak = Math.max(peak, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      return n * 2;
    });
    expect(doubled).toEqual([2, 4, 6, 8, 10, 12, 14]);
    expect(peak).toBe(3);
  });

  it('widens by one for each result that says so, up to its bound, and never for another', async () => {
    const peakOf = async (grows: (n: number) => boolean): Promise<number> => {
      let running = 0;
      let peak = 0;
      const items = Array.from({ length: 60 }, (_, i) => i);
      await inParallel(items, { from: 2, to: 7, grows }, async (n) => {
        running += 1;
        peak = Math.max(peak, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return n;
      });
      return peak;
    };
    expect(await peakOf(() => true)).toBe(7);
    expect(await peakOf((n) => n < 3)).toBe(5);
    expect(await peakOf(() => false)).toBe(2);
  });

  it('rejects only after everything has settled', async () => {
    const finished: number[] = [];
    const run = inParallel([1, 2, 3], 1, async (n) => {
      if (n === 1) throw new Error('first');
      finished.push(n);
    });
    await expect(run).rejects.toThrow('first');
    expect(finished).toEqual([2, 3]);
  });

  it('rejects with the failure of the first item, whichever failed first', async () => {
    const run = inParallel([0, 1, 2, 3], 4, async (n) => {
      if (n === 1) await new Promise((resolve) => setImmediate(resolve));
      if (n > 0) throw new Error(`item ${n}`);
    });
    await expect(run).rejects.toThrow('item 1');
  });

  it.each([0, 1, 2])('does %i items, each with its index', async (count) => {
    const items = Array.from({ length: count }, (_, i) => `item ${i}`);
    const done = await inParallel(items, 8, async (item, index) => `${item} at ${index}`);
    expect(done).toEqual(items.map((item, index) => `${item} at ${index}`));
  });

  it('rejects, and does not throw, where the work of a lone item or of several throws at once', async () => {
    const throws = (): Promise<never> => {
      throw new Error('at once');
    };
    await expect(inParallel([1], 2, throws)).rejects.toThrow('at once');
    await expect(inParallel([1, 2, 3], 2, throws)).rejects.toThrow('at once');
  });
});
