import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Delivery, Outcome } from './delivery.ts';
import { afterOutcome, lease, park, RETRY_LADDER_SEC } from './transition.ts';
import { TRIED_MAX_SEC } from './window.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const WEEK_MS = TRIED_MAX_SEC * 1000;
const DAY_MS = 86_400_000;
const facts = { atMs: NOW, latencyMs: 5, batchSize: 1 };
const context = (nowMs = NOW, random = 0.5, windowEndsAtMs = NOW + WEEK_MS) => ({
  nowMs,
  random,
  windowEndsAtMs,
  platformEndsAtMs: windowEndsAtMs,
  keptUntilMs: windowEndsAtMs,
});
const step = (outcome: Outcome, previous?: Delivery, at = context()) =>
  afterOutcome(previous, outcome, facts, at);

describe('afterOutcome', () => {
  it('delivers, and takes a duplicate for delivered', () => {
    expect(step({ kind: 'delivered' })).toMatchObject({
      state: 'DELIVERED',
      attempts: 1,
      deliveredAtMs: NOW,
    });
    expect(step({ kind: 'duplicate' })).toMatchObject({ state: 'DELIVERED', reason: 'duplicate' });
  });

  it('fails what the platform refuses, remembering that an earlier attempt may have got through', () => {
    const unsure = step({ kind: 'retry', maybeDelivered: true });
    expect(step({ kind: 'permanent', code: 'x.1' }, unsure)).toMatchObject({
      state: 'FAILED',
      reason: 'x.1',
      unknowns: 1,
    });
  });

  it('climbs the ladder within ±20 % and never outside the window', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.integer({ min: 0, max: 30 }),
        (random, attempts) => {
          const previous = { ...step({ kind: 'retry' }), attempts };
          const next = step({ kind: 'retry' }, previous, context(NOW, random));
          const rung = RETRY_LADDER_SEC[Math.min(attempts, RETRY_LADDER_SEC.length - 1)] ?? 0;
          const waitSec = ((next.nextAttemptAtMs ?? 0) - NOW) / 1000;
          expect(waitSec).toBeGreaterThanOrEqual(rung * 0.8);
          expect(waitSec).toBeLessThanOrEqual(rung * 1.2 + 0.001);
        },
      ),
    );
  });

  it('waits at least as long as the platform asked, never less', () => {
    for (const random of [0, 0.5, 0.99]) {
      const next = step({ kind: 'rate_limited', retryAfterSec: 90 }, undefined, context(NOW, random));
      expect((next.nextAttemptAtMs ?? 0) - NOW).toBeGreaterThanOrEqual(90_000);
      expect((next.nextAttemptAtMs ?? 0) - NOW).toBeLessThanOrEqual(108_000);
    }
  });

  it('does not ask a platform for a week that asks for seconds again and again', () => {
    let delivery: Delivery | undefined;
    let nowMs = NOW;
    while (nowMs < NOW + WEEK_MS && delivery?.state !== 'ERROR') {
      delivery = step(
        { kind: 'rate_limited', retryAfterSec: 5 },
        delivery,
        context(nowMs, 0.5, NOW + WEEK_MS),
      );
      nowMs = delivery.nextAttemptAtMs ?? nowMs;
    }
    expect(delivery?.attempts).toBeLessThan(35);
    expect(delivery?.attempts).toBeGreaterThan(15);
  });

  it('is never due in the last minutes of the window, where nobody may find it in time', () => {
    const endsAtMs = NOW + 12 * 3_600_000 + 11_000;
    const twelveHours = { kind: 'retry', retryAfterSec: 12 * 3_600 } as const;
    const delivery = afterOutcome(undefined, twelveHours, facts, context(NOW, 0, endsAtMs));
    expect(delivery).toMatchObject({ state: 'RETRY', nextAttemptAtMs: endsAtMs - 300_000 });
  });

  it('takes a last chance before the window closes, then ends as ERROR', () => {
    const previous = { ...step({ kind: 'retry' }), attempts: 12 };
    const inAnHour = context(NOW, 0.5, NOW + 3_600_000);
    expect(step({ kind: 'retry' }, previous, inAnHour)).toMatchObject({
      state: 'RETRY',
      nextAttemptAtMs: NOW + 3_300_000,
    });
    const inAMinute = context(NOW, 0.5, NOW + 60_000);
    expect(step({ kind: 'retry' }, previous, inAMinute)).toMatchObject({
      state: 'ERROR',
      reason: 'window_closed',
    });
  });

  it('does not count refused credentials as an attempt', () => {
    expect(step({ kind: 'auth' })).toMatchObject({
      state: 'RETRY',
      attempts: 0,
      reason: 'connection_paused',
    });
  });

  it('stamps every write with a time of its own and keeps the last five attempts', () => {
    let delivery: Delivery | undefined;
    const stamps = new Set<number>();
    for (let i = 0; i < 9; i++) {
      delivery = step({ kind: 'retry', code: `c${i}` }, delivery);
      stamps.add(delivery.updatedAtMs);
    }
    expect(stamps.size).toBe(9);
    expect(delivery?.history.map((a) => a.code)).toEqual(['c4', 'c5', 'c6', 'c7', 'c8']);
  });
});

describe('lease', () => {
  it('records that somebody may have sent before', () => {
    expect(lease(undefined, NOW, true)).toMatchObject({
      state: 'SENDING',
      unknowns: 1,
      leaseUntilMs: NOW + 120_000,
    });
    expect(lease(step({ kind: 'retry' }), NOW, false).unknowns).toBe(0);
  });
});

describe('what a limit of ours ends', () => {
  const ninety = { ...context(), platformEndsAtMs: NOW + 90 * DAY_MS, keptUntilMs: NOW + 90 * DAY_MS };

  it('is said to be ours, not the platform’s', () => {
    const late = { ...ninety, nowMs: NOW + WEEK_MS - 1 };
    expect(step({ kind: 'retry' }, undefined, late)).toMatchObject({ state: 'ERROR', reason: 'gave_up' });
  });

  it('is not what waits for a paused connection, as long as the platform takes it', () => {
    const parked = park(undefined, 'connection_paused', { ...ninety, nowMs: NOW + 8 * DAY_MS });
    expect(parked).toMatchObject({ state: 'RETRY', nextAttemptAtMs: NOW + 90 * DAY_MS - 300_000 });
    expect(step({ kind: 'auth' }, undefined, ninety).nextAttemptAtMs).toBe(parked.nextAttemptAtMs);
    const over = { ...ninety, nowMs: NOW + 90 * DAY_MS };
    expect(park(undefined, 'connection_paused', over)).toMatchObject({ reason: 'window_closed' });
  });

  it('is what waits for a platform that is down', () => {
    const parked = park(undefined, 'circuit_open', ninety);
    expect(parked.nextAttemptAtMs).toBe(NOW + WEEK_MS - 300_000);
  });
});
