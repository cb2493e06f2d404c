import { describe, expect, it } from 'vitest';
import { dueShard } from './due-shard.ts';

describe('dueShard', () => {
  it('never moves: rows written by an older release stay in the shard the sweeper reads', () => {
    expect(['', 'a', 'order-1234', 'm/server/ü', '\u{1f600}'].map((text) => dueShard(text, 16))).toEqual(
      PINNED,
    );
  });

  it('spreads ids that differ in their last digits', () => {
    const counts = new Array<number>(16).fill(0);
    for (let i = 0; i < 16_000; i++) {
      const shard = dueShard(`merchant/server/order-${i}`, 16);
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1_200);
  });
});

const PINNED = [5, 4, 2, 1, 10];
