import { expect, it } from 'vitest';
import { sumCounts } from './sum-counts.ts';

it('adds each name to its own, in the order of the first', () => {
  const counts = sumCounts({ seen: 1, erased: 2 }, { erased: 30, seen: 10 });
  expect(counts).toEqual({ seen: 11, erased: 32 });
  expect(Object.keys(counts)).toEqual(['seen', 'erased']);
});
