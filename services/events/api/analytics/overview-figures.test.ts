import { describe, expect, it } from 'vitest';
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import { deliveryTotals, dueTotals } from '#lib/events/domain/analytics/delivery-totals.ts';
import { matchQuality } from '#lib/events/domain/analytics/match-quality.ts';
import { sumCounters } from '#lib/events/domain/analytics/sum.ts';
import {
  deliveryRate,
  freshness,
  healthScore,
  latencyMs,
  mainCurrency,
  moneyByCurrency,
  platformBars,
} from './overview-figures.ts';

const counters = (part: Partial<BucketCounters>): BucketCounters => ({ ...sumCounters([]), ...part });
const HOUR_MS = 3_600_000;

describe('deliveries', () => {
  const some = counters({
    deliveries: {
      meta: { Purchase: { DELIVERED: 3, FAILED: 1, QUEUED: 9, rule_excluded: 2 }, Lead: { DELIVERED: 1 } },
      ga4: { Purchase: { ERROR: 1, RETRY: 4, SKIPPED: 5 } },
    },
  });
  it('counts what is over and what came of it, and what waits to be sent again as due', () => {
    expect(deliveryTotals(some)).toEqual({ delivered: 4, undelivered: 2 });
    expect(dueTotals(some)).toEqual({ delivered: 4, undelivered: 2, waiting: 13, due: 10 });
    expect(deliveryRate(some)).toBeCloseTo(4 / 10);
  });
  it('has no rate while nothing is over', () => {
    const deliveries = { meta: { Lead: { QUEUED: 3, not_connected: 1 } } };
    expect(deliveryRate(counters({ deliveries }))).toBeNull();
  });
  it('averages latency over deliveries', () => {
    expect(latencyMs(counters({ latency: { count: 3, sumMs: 100 } }))).toBe(33);
    expect(latencyMs(counters({}))).toBe(0);
  });
});

describe('revenue', () => {
  it('is in units of each currency, exact to the minor unit', () => {
    const USD = { orders: 2, minor: '123456' };
    const JPY = { orders: 1, minor: '500' };
    const KWD = { orders: 1, minor: '1234' };
    const refunds = { USD: { orders: 1, minor: '23456' }, EUR: { orders: 1, minor: '5' } };
    const revenue = moneyByCurrency(counters({ revenue: { USD, JPY, KWD }, refunds }));
    const whole = { refunded: 0, orders: 1 };
    expect(revenue).toEqual({
      // Of an order before the range.
      EUR: { orders: 0, minor: '0', amount: 0, refunded: 0.05, net: -0.05 },
      JPY: { ...whole, minor: '500', amount: 500, net: 500 },
      KWD: { ...whole, minor: '1234', amount: 1.234, net: 1.234 },
      USD: { orders: 2, minor: '123456', amount: 1234.56, refunded: 234.56, net: 1000 },
    });
    expect(mainCurrency(revenue)).toBe('USD');
  });
  it('has no main currency without orders, and the same one whenever two tie', () => {
    expect(mainCurrency({})).toBeNull();
    expect(mainCurrency({ EUR: { orders: 2 }, USD: { orders: 2 } })).toBe('EUR');
  });
});

describe('match quality', () => {
  const fields = [
    ...['email', 'phone', 'external_id', 'client_ip', 'user_agent', 'fbp', 'fbc', 'first_name', 'last_name'],
    ...['postal_code', 'city', 'country', 'state', 'date_of_birth'],
  ];
  const all = Object.fromEntries(fields.map((field) => [field, 10]));
  it('goes from nothing to everything', () => {
    expect(matchQuality(counters({}))).toBeNull();
    expect(matchQuality(counters({ events: 10 }))).toBe(0);
    expect(matchQuality(counters({ events: 10, completeness: all }))).toBe(1);
    expect(matchQuality(counters({ events: 20, completeness: all }))).toBe(0.5);
    expect(matchQuality(counters({ events: 5, completeness: all }))).toBe(1);
  });
  it('values an e-mail address above a phone number', () => {
    const email = matchQuality(counters({ events: 1, completeness: { email: 1 } })) ?? 0;
    const phone = matchQuality(counters({ events: 1, completeness: { phone: 1 } })) ?? 0;
    expect(email).toBeGreaterThan(phone);
  });
});

describe('freshness', () => {
  it.each([
    [0, 1],
    [1, 1],
    [12.5, 0.5],
    [24, 0],
    [90, 0],
    [-1, 1],
  ])('%f hours → %f', (ageHours, expected) => {
    expect(freshness(100 * HOUR_MS, true, (100 + ageHours) * HOUR_MS)).toBeCloseTo(expected);
  });
  it('is 0 when events stopped a day ago and unknown when there never was one', () => {
    expect(freshness(null, true, 0)).toBe(0);
    expect(freshness(null, false, 0)).toBeNull();
  });
});

describe('what became of the events at a platform', () => {
  it('adds up to the events, those not decided yet among them', () => {
    const deliveries = {
      meta: {
        Purchase: { DELIVERED: 1, FAILED: 2, ERROR: 3, QUEUED: 4, SENDING: 5, RETRY: 6, SKIPPED: 7 },
        Lead: { unmapped: 8, not_connected: 9, constructor: 10 },
      },
    };
    const counted = counters({ events: 60, deliveries: deliveries as never });
    expect(platformBars('meta', counted)).toEqual({ delivered: 1, waiting: 20, failed: 5, withheld: 34 });
    expect(platformBars('ga4', counted)).toEqual({ delivered: 0, waiting: 60, failed: 0, withheld: 0 });
  });
});

describe('health score', () => {
  it('weighs what there is', () => {
    const full = { deliveryRate: 1, matchQuality: 1, freshness: 1, connections: 1 };
    expect(healthScore(full)).toBe(100);
    expect(healthScore({ ...full, deliveryRate: 0.9999 })).toBe(99.9);
    expect(healthScore({ ...full, deliveryRate: 0 })).toBe(50);
    const unknown = { deliveryRate: null, matchQuality: null, freshness: null, connections: null };
    expect(healthScore({ ...unknown, deliveryRate: 0.9, matchQuality: 0.5 })).toBe(78.6);
    expect(healthScore({ ...unknown, connections: 1 })).toBe(100);
    expect(healthScore(unknown)).toBe(0);
  });
});
