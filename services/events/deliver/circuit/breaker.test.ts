// Goal: a process notices that a connection is down after five calls, and that a platform asked for a pause.
import { describe, expect, it } from 'vitest';
import { BREAKER_THRESHOLD, createBreaker, TRUSTED_MS } from './breaker.ts';

describe('breaker', () => {
  const failing = () => {
    const breaker = createBreaker();
    for (let i = 0; i < BREAKER_THRESHOLD; i++) breaker.record('c', false, 0);
    return breaker;
  };

  it('opens after five failures in a row, for the one connection', () => {
    const breaker = createBreaker();
    for (let i = 1; i < BREAKER_THRESHOLD; i++) expect(breaker.record('c', false, 0)).toBeNull();
    breaker.record('c', true, 0);
    for (let i = 1; i < BREAKER_THRESHOLD; i++) expect(breaker.record('c', false, 0)).toBeNull();
    expect(breaker.rest('c', 0).waitMs).toBe(0);
    expect(breaker.record('c', false, 0)).toBe(30_000);
    expect(breaker.rest('c', 0)).toEqual({ waitMs: 30_000, isOpen: true });
    expect(breaker.rest('other', 0).waitMs).toBe(0);
  });

  it('rests for half a minute, and leaves it to the connection what comes then', () => {
    expect(failing().rest('c', 29_999).waitMs).toBe(1);
    expect(failing().rest('c', 30_000).waitMs).toBe(0);
  });

  it('forgets with the first success', () => {
    const breaker = failing();
    breaker.record('c', true, 10);
    expect(breaker.rest('c', 10).waitMs).toBe(0);
  });

  it('trusts a connection for a minute after a good answer, until a call fails', () => {
    const breaker = createBreaker();
    expect(breaker.answers('c', 0)).toBe(false);
    breaker.record('c', true, 0);
    expect(breaker.answers('c', TRUSTED_MS - 1)).toBe(true);
    expect(breaker.answers('c', TRUSTED_MS)).toBe(false);
    expect(breaker.answers('other', 0)).toBe(false);
    breaker.record('c', false, 1);
    expect(breaker.answers('c', 1)).toBe(false);
  });

  it('forgets whom it trusted longest ago where there are very many', () => {
    const breaker = createBreaker();
    for (let i = 0; i <= 1_000; i++) breaker.record(`c${i}`, true, 0);
    expect(breaker.answers('c0', 0)).toBe(false);
    expect(breaker.answers('c1', 0)).toBe(true);
    expect(breaker.answers('c1000', 0)).toBe(true);
  });

  it('keeps a short pause a platform asks for to itself', () => {
    const breaker = createBreaker();
    expect(breaker.record('c', false, 0, 45_000)).toBeNull();
    expect(breaker.rest('c', 1_000)).toEqual({ waitMs: 44_000, isOpen: false });
  });

  it('opens the circuit for as long as a platform asks for a long one', () => {
    const breaker = createBreaker();
    expect(breaker.record('c', false, 0, 90_000)).toBe(90_000);
    expect(breaker.rest('c', 1_000)).toEqual({ waitMs: 89_000, isOpen: true });
  });
});
