// Goal: one set of rules says for every kind of work when it is tried again. Method: the edges by hand, the promises as properties
// over random policies.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attemptAt,
  doubledWait,
  growingWait,
  nextAttemptAt,
  type RetryPolicy,
  waitAfter,
} from './retry-policy.ts';

const LADDER: RetryPolicy = { ladderMs: [10, 100, 1_000], afterLadder: 'repeat', jitter: 0 };
const NO_END = { nowMs: 0, deadlineMs: Number.POSITIVE_INFINITY };
const random = 0.5;

const policies: fc.Arbitrary<RetryPolicy> = fc
  .record({
    ladderMs: fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1, maxLength: 12 }),
    afterLadder: fc.constantFrom('give up' as const, 'repeat' as const),
    jitter: fc.double({ min: 0, max: 0.5, noNaN: true }),
    aloneMax: fc.integer({ min: 0, max: 5 }),
    lastChanceMs: fc.integer({ min: 1, max: 100_000 }),
  })
  .map(({ aloneMax, ...policy }) => ({
    ...policy,
    asked: { aloneMax, jitter: policy.jitter, waitMaxMs: Number.POSITIVE_INFINITY },
  }));
const failures = fc.record({
  attempts: fc.integer({ min: 1, max: 40 }),
  random: fc.double({ min: 0, max: 0.999, noNaN: true }),
  askedMs: fc.integer({ min: 1, max: 10_000_000 }),
});

describe('waitAfter', () => {
  it.each([
    [1, 10],
    [2, 100],
    [3, 1_000],
    [4, 1_000],
    [0, 10],
  ])('climbs the ladder and stays on its last rung: attempt %i waits %i', (attempts, waitMs) => {
    expect(waitAfter(LADDER, { attempts, random })).toBe(waitMs);
  });

  it('gives up behind the last rung where the ladder ends', () => {
    const ending = { ...LADDER, afterLadder: 'give up' } as const;
    expect(waitAfter(ending, { attempts: 3, random })).toBe(1_000);
    expect(waitAfter(ending, { attempts: 4, random })).toBeNull();
    expect(waitAfter(ending, { attempts: 4, random, askedMs: 5 })).toBeNull();
  });

  it('spreads a wait by its jitter, up and down', () => {
    const spreading = { ...LADDER, jitter: 0.2 };
    expect(waitAfter(spreading, { attempts: 3, random: 0 })).toBe(800);
    expect(waitAfter(spreading, { attempts: 3, random: 0.5 })).toBe(1_000);
    expect(waitAfter(spreading, { attempts: 3, random: 0.999_999 })).toBe(1_200);
  });

  it('follows what was asked alone at first, and the ladder from its start as well later', () => {
    const policy = { ...LADDER, asked: { aloneMax: 2, jitter: 0, waitMaxMs: 500 } };
    const wait = (attempts: number, askedMs: number) => waitAfter(policy, { attempts, random, askedMs });
    expect([wait(1, 3), wait(2, 3), wait(3, 3), wait(4, 3), wait(5, 3)]).toEqual([3, 3, 10, 100, 1_000]);
    expect(wait(3, 40)).toBe(40);
    expect(wait(1, 9_000)).toBe(500);
    expect(waitAfter(LADDER, { attempts: 1, random, askedMs: 500 })).toBe(10);
  });

  it('never shortens what was asked', () => {
    fc.assert(
      fc.property(policies, failures, (policy, failure) => {
        const waitMs = waitAfter(policy, failure);
        if (waitMs !== null) expect(waitMs).toBeGreaterThanOrEqual(failure.askedMs);
        else expect(policy.afterLadder).toBe('give up');
      }),
    );
  });
});

describe('attemptAt', () => {
  it('is bounded where planning ends, not the attempt, without a last chance', () => {
    expect(attemptAt(LADDER, 100, { nowMs: 99, deadlineMs: 100 })).toBe(199);
    expect(attemptAt(LADDER, 100, { nowMs: 100, deadlineMs: 100 })).toBeNull();
  });

  it.each([
    ['in time', 50, 0, 50],
    ['moved to the last chance', 95, 0, 90],
    ['moved there however long the wait', 5_000, 0, 90],
    ['within the last chance: as wanted', 5, 85, 90],
    ['behind the deadline', 15, 85, null],
  ])('%s', (_, waitMs, nowMs, expected) => {
    expect(attemptAt({ ...LADDER, lastChanceMs: 10 }, waitMs, { nowMs, deadlineMs: 100 })).toBe(expected);
  });
});

describe('nextAttemptAt', () => {
  it('plans no attempt behind the deadline, and one before it while two last chances are left', () => {
    fc.assert(
      fc.property(policies, failures, fc.integer({ min: 1, max: 20_000_000 }), (policy, failure, leftMs) => {
        const nowMs = 1_000_000;
        const deadlineMs = nowMs + leftMs;
        const atMs = nextAttemptAt(policy, failure, { nowMs, deadlineMs });
        if (atMs !== null) {
          expect(atMs).toBeGreaterThanOrEqual(nowMs);
          expect(atMs).toBeLessThan(deadlineMs);
        } else if (waitAfter(policy, failure) !== null)
          expect(leftMs).toBeLessThanOrEqual(2 * (policy.lastChanceMs ?? 0));
      }),
    );
  });

  it('gives up with the ladder', () => {
    const ending = { ...LADDER, afterLadder: 'give up' } as const;
    expect(nextAttemptAt(ending, { attempts: 4, random }, NO_END)).toBeNull();
    expect(nextAttemptAt(ending, { attempts: 1, random }, NO_END)).toBe(10);
  });
});

describe('waits without attempts', () => {
  it('double up to their bound, also after very many', () => {
    const bounds = { minMs: 60, maxMs: 1_000 };
    expect([-1, 0, 1, 2, 4, 5, 5_000].map((times) => doubledWait(bounds, times))).toEqual([
      60, 60, 120, 240, 960, 1_000, 1_000,
    ]);
  });

  it('grow with the trouble between their bounds', () => {
    const wait = { share: 0.25, minMs: 30, maxMs: 300 };
    expect([0, 120, 400, 10_000].map((lastedMs) => growingWait(wait, lastedMs))).toEqual([30, 30, 100, 300]);
  });
});
