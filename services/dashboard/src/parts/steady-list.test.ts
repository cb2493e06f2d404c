// Promise: while a list is held, no row changes its place, each shows its newest state, and what came on top is counted.
import { describe, expect, it } from 'vitest';
import { steadyRows } from './steady-list.tsx';

interface Line {
  readonly id: string;
  readonly state: string;
}
const lines = (...ids: string[]): Line[] => ids.map((id) => ({ id, state: 'old' }));
const steady = (shown: readonly Line[], newest: readonly Line[]) => steadyRows(shown, newest, ({ id }) => id);
const idsOf = ({ rows }: { readonly rows: readonly Line[] }): string => rows.map(({ id }) => id).join('');

describe('a list that is held', () => {
  it.each([
    ['nothing new', 'abc', 'abc', 'abc', 0],
    ['new ones on top', 'abc', 'xyabc', 'abc', 2],
    ['new ones on top that push others off the page', 'abc', 'xya', 'abc', 2],
    ['new ones between', 'abc', 'axbc', 'abc', 1],
    ['one that is gone stays', 'abc', 'ac', 'abc', 0],
    ['what follows moves nothing', 'abc', 'abcde', 'abcde', 0],
    ['one that is gone, and one that follows', 'abc', 'acd', 'abcd', 0],
    ['another order keeps this one', 'abc', 'cba', 'abc', 0],
    ['all of them new', 'abc', 'xyz', 'abc', 3],
    ['an empty list fills', '', 'ab', 'ab', 0],
    ['all of them gone', 'abc', '', 'abc', 0],
  ])('%s', (_, shown, newest, expected, held) => {
    const result = steady(lines(...shown), lines(...newest));
    expect([idsOf(result), result.held]).toEqual([expected, held]);
  });

  it('shows the newest state of each row', () => {
    const { rows } = steady(lines('a', 'b'), [
      { id: 'x', state: 'new' },
      { id: 'b', state: 'new' },
    ]);
    expect(rows).toEqual([
      { id: 'a', state: 'old' },
      { id: 'b', state: 'new' },
    ]);
  });

  it('is the same array where nothing changed: drawing ends', () => {
    const shown = lines('a', 'b');
    expect(steady(shown, [...shown]).rows).toBe(shown);
    expect(steady(shown, [...lines('x'), ...shown]).rows).toBe(shown);
  });
});
