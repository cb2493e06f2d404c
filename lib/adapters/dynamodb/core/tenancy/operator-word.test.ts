// Goal: a suspension holds, whatever is stored of it, and a removal that was begun is never taken back.
import { expect, it } from 'vitest';
import { isSuspended, keyMarksIn, suspensionIn } from './operator-word.ts';

const SAID = { atMs: 5, by: 'operator:a', reason: 'asked for' };

it.each([
  [SAID, SAID],
  [
    { ...SAID, removal: { atMs: 6, by: 'operator:b', doneAtMs: 7 } },
    { ...SAID, removal: { atMs: 6, by: 'operator:b', doneAtMs: 7 } },
  ],
  ['yes', { atMs: 0, by: '', reason: '' }],
  [null, { atMs: 0, by: '', reason: '' }],
  [
    { ...SAID, atMs: 'today' },
    { ...SAID, atMs: 0 },
  ],
  [
    { ...SAID, removal: {} },
    { ...SAID, removal: { atMs: 0, by: '' } },
  ],
  [
    { ...SAID, removal: { atMs: 6, by: 'operator:b', doneAtMs: 'x' } },
    { ...SAID, removal: { atMs: 0, by: '' } },
  ],
])('reads %j as %j', (susp, suspension) => {
  expect(isSuspended({ susp })).toBe(true);
  expect(suspensionIn({ susp })).toEqual(suspension);
  expect(keyMarksIn({ susp })).toEqual({ suspendedAtMs: suspension.atMs });
});

it('is none where nothing is stored', () => {
  expect([isSuspended({}), suspensionIn({}), keyMarksIn({})]).toEqual([false, undefined, {}]);
});
