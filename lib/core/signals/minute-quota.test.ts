// Goal: no more of a kind than allowed in a minute, whatever others take, and as many again in the next.
import { expect, it } from 'vitest';
import { createMinuteQuota } from './minute-quota.ts';

it('gives so many of each kind in a minute, and again in the next', () => {
  let nowMs = 1_000;
  const quota = createMinuteQuota(() => nowMs);
  const taken = () => [
    quota.take('good', 2),
    quota.take('good', 2),
    quota.take('good', 2),
    quota.take('bad', 1),
  ];
  expect(taken()).toEqual([true, true, false, true]);
  nowMs += 59_999;
  expect(quota.take('bad', 1)).toBe(false);
  nowMs += 1;
  expect(taken()).toEqual([true, true, false, true]);
  expect(quota.take('none', 0)).toBe(false);
});
