import { describe, expect, it } from 'vitest';
import { BREAKER_THRESHOLD, createBreaker } from './breaker.ts';

describe('breaker', () => {
  const failing = () => {
    const breaker = createBreaker();
    for (let i = 0; i < BREAKER_THRESHOLD; i++) breaker.record('c', false, 0);
    return breaker;
  };

  it('opens after five failures in a row, for the one connection', () => {
    const breaker = createBreaker();
    for (let i = 1; i < BREAKER_THRESHOLD; i++) breaker.record('c', false, 0);
    expect(breaker.waitMs('c', 0)).toBe(0);
    breaker.record('c', true, 0);
    breaker.record('c', false, 0);
    expect(breaker.waitMs('c', 0)).toBe(0);
    expect(failing().waitMs('c', 0)).toBe(30_000);
    expect(failing().waitMs('other', 0)).toBe(0);
  });

  it('lets one caller try after the pause, and closes when it succeeds', () => {
    const breaker = failing();
    expect(breaker.waitMs('c', 30_000)).toBe(0);
    expect(breaker.waitMs('c', 30_000)).toBe(30_000);
    breaker.record('c', true, 30_001);
    expect(breaker.waitMs('c', 30_001)).toBe(0);
  });

  it('doubles the pause up to five minutes while the trials fail', () => {
    const breaker = failing();
    let nowMs = 0;
    const pauses: number[] = [];
    for (let i = 0; i < 6; i++) {
      nowMs += breaker.waitMs('c', nowMs);
      expect(breaker.waitMs('c', nowMs)).toBe(0);
      breaker.record('c', false, nowMs);
      pauses.push(breaker.waitMs('c', nowMs));
    }
    expect(pauses).toEqual([60_000, 120_000, 240_000, 300_000, 300_000, 300_000]);
  });

  it('honours the pause a platform asks for', () => {
    const breaker = createBreaker();
    breaker.record('c', false, 0, 90_000);
    expect(breaker.waitMs('c', 1_000)).toBe(89_000);
  });
});
