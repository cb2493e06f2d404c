import { describe, expect, it } from 'vitest';
import { figuresOf } from './figures.ts';

const RESULTS = new Map<string, unknown>([
  ['r1', { total: 1234, rate: 0.97, list: [{ amount: '59.98' }], start: '2026-11-20T00:00:00Z' }],
  ['r2', { total: -3, revenue: 1234567.5, zero: 0 }],
]);
const sourcesIn = (answer: string) =>
  figuresOf(answer, RESULTS).map(({ figure, sources }) => [figure, ...sources].join(' '));

describe('figures of an answer', () => {
  it.each<readonly [string, readonly string[]]>([
    ['There were 1,234 events [r1].', ['1,234 r1']],
    ['1234 events, 1,234,567.5 EUR', ['1234 r1', '1,234,567.5 r2']],
    ['Delivered: 97% (97 %)', ['97 r1']],
    ['Worth 59.98.', ['59.98 r1']],
    ['It fell by -3, to 0', ['-3 r2', '0 r2']],
    ['That makes 42 in all', ['42']],
    ['12 and 12 and 12', ['12']],
    ['On 2026-11-20 at 12:30, order-7, r1, 7d, v1.2.3', []],
    ['', []],
  ])('%s', (answer, expected) => {
    expect(sourcesIn(answer)).toEqual(expected);
  });

  it('are bounded, and take no longer for a hostile text', () => {
    expect(figuresOf(Array.from({ length: 5_000 }, (_, i) => i).join(' '), RESULTS)).toHaveLength(100);
    const hostile = `${'1,111'.repeat(20_000)} ${'9'.repeat(100_000)}`;
    expect(figuresOf(hostile, RESULTS).length).toBeLessThanOrEqual(100);
  });
});
