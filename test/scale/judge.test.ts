import { describe, expect, it } from 'vitest';
import { isFailure, judge } from './judge.ts';
import { closingLine } from './report.ts';
import type { Limit, Measured } from './scenarios/scenario.ts';

const figures = { p99Ms: 2_500, accepted: 90, sent: 100, missing: Number.NaN } as Measured;
const p99 = (more: Partial<Limit>): Limit => ({ what: 'p99', of: ({ p99Ms }) => p99Ms, ...more });
const words = (...limits: Limit[]): string[] => judge(figures, limits, 'quick').map(({ word }) => word);

describe('a limit', () => {
  it('is met, broken, known, or known though it is met', () => {
    expect(
      words(
        p99({ atMost: 3_000 }),
        p99({ atMost: 2_000 }),
        p99({ atMost: 2_000, known: 'why' }),
        p99({ atMost: 3_000, known: 'why' }),
      ),
    ).toEqual(['met', 'BROKEN', 'known', 'KNOWN BUT MET']);
  });

  it('fails where it is broken, and where its reason is out of date', () => {
    const failing = judge(figures, [p99({ atMost: 2_000 }), p99({ atMost: 3_000, known: 'why' })], 'quick');
    expect(failing.every(isFailure)).toBe(true);
    expect(judge(figures, [p99({ atMost: 2_000, known: 'why' })], 'quick').some(isFailure)).toBe(false);
  });

  it('may ask for the least', () => {
    const share = (atLeast: number): Limit => ({
      what: 'share',
      of: ({ accepted, sent }) => accepted / sent,
      atLeast,
    });
    expect(words(share(0.9), share(0.95))).toEqual(['met', 'BROKEN']);
  });

  it('that has no figure is broken', () => {
    expect(words({ what: 'missing', of: ({ missing }) => missing, atMost: 0 })).toEqual(['BROKEN']);
  });

  it('of the other size is left out', () => {
    expect(words(p99({ atMost: 1, only: 'full' }))).toEqual([]);
  });
});

describe('the closing line', () => {
  it('counts limits, and names what is furthest from them', () => {
    const verdicts = judge(
      figures,
      [
        p99({ atMost: 3_000 }),
        { ...p99({ atMost: 500, known: 'why' }), what: 'the worst' },
        p99({ atMost: 2_400 }),
      ],
      'quick',
    );
    expect(closingLine([{ name: 'purge', figures, verdicts, tookMs: 1 }], isFailure)).toBe(
      '1 limits met, 1 known, 1 failed; the worst figure is purge: the worst 2,500, wanted <= 500 (known)',
    );
  });
});
