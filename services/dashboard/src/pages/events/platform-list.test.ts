// Goal: of a platform with several connections each is a line by its name; of one with a single connection there is none.
import { expect, it } from 'vitest';
import { linesOf } from './platform-list.ts';

const one = { platform: 'meta', connection_id: 'con_1', connection_name: 'Shop' };
const gone = { platform: 'meta', connection_id: 'con_2', connection_name: 'Old', removed_at: '2026-11-20' };

it('names each of several, and which was removed', () => {
  const lines = linesOf(undefined, 'meta', [one, { ...one, platform: 'ga4' }, gone]);
  expect(lines.map(({ name, label }) => [name, label])).toEqual([
    ['con_1', 'meta · Shop'],
    ['con_2', 'meta · Old (removed)'],
  ]);
});

it('adds nothing to a platform with one', () => {
  expect(linesOf(undefined, 'meta', [one, { ...gone, platform: 'ga4' }])).toEqual([]);
});
