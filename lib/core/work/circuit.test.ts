// Goal: when a circuit is open, when it is probed, and what a process remembers of failures.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFailureStreaks, openUntil, probeDueSince, remember } from './circuit.ts';

describe('a circuit', () => {
  it.each([
    ['closed', undefined, null, null],
    ['closed', null, null, null],
    ['open', 101, 101, null],
    ['to be probed at its end', 100, null, 100],
    ['to be probed', 7, null, 7],
    ['to be probed since the beginning of time', 0, null, 0],
  ])('is %s: %s', (_, reopensAtMs, open, due) => {
    expect(openUntil(reopensAtMs, 100)).toBe(open);
    expect(probeDueSince(reopensAtMs, 100)).toBe(due);
  });
});

describe('failure streaks', () => {
  it('are as long as the failures since the last call that did not fail', () => {
    const calls = fc.array(fc.record({ id: fc.constantFrom('a', 'b'), failed: fc.boolean() }));
    fc.assert(
      fc.property(calls, (all) => {
        const streaks = createFailureStreaks();
        const told = new Map<string, number>();
        for (const { id, failed } of all) {
          told.set(id, failed ? (told.get(id) ?? 0) + 1 : 0);
          expect(streaks.count(id, failed)).toBe(told.get(id));
        }
        for (const id of ['a', 'b']) expect(streaks.of(id)).toBe(told.get(id) ?? 0);
      }),
    );
  });

  it('are forgotten, the one heard of longest ago first, where there are very many', () => {
    const streaks = createFailureStreaks();
    for (let n = 0; n < 1_000; n++) streaks.count(`c${n}`, true);
    streaks.count('c0', true);
    streaks.count('c1000', true);
    expect(['c0', 'c1', 'c2', 'c1000'].map((id) => streaks.of(id))).toEqual([2, 0, 1, 1]);
  });
});

it('remembers what it heard of last under a name', () => {
  const known = new Map([['a', 1]]);
  remember(known, 'b', 2);
  remember(known, 'a', 3);
  expect([...known]).toEqual([
    ['b', 2],
    ['a', 3],
  ]);
});
