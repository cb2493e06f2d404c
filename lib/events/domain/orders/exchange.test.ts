import { describe, expect, it } from 'vitest';
import { exchanged, exchangedSum, rateOn } from './exchange.ts';

describe('a rate', () => {
  const rates = { '2026-03-01': '0.9', '2026-03-05': '0.95', '2026-02-01': '0.8' };

  it.each([
    ['2026-01-31', undefined],
    ['2026-02-01', '0.8'],
    ['2026-02-28', '0.8'],
    ['2026-03-01', '0.9'],
    ['2026-03-04', '0.9'],
    ['2027-01-01', '0.95'],
  ])('on %s is the newest that is no later: %s', (day, rate) => {
    expect(rateOn(rates, day)).toBe(rate);
  });
});

describe('an amount', () => {
  it.each([
    // EUR 10.00 at 1 is the same.
    [1_000n, 'EUR', 'USD', '1', 1_000n],
    [1_000n, 'EUR', 'USD', '1.0834', 1_083n],
    // Half a cent goes away from zero, less than that does not.
    [50n, 'EUR', 'USD', '1.01', 51n],
    [50n, 'EUR', 'USD', '1.0099', 50n],
    [-50n, 'EUR', 'USD', '1.01', -51n],
    // Currencies without digits, and with three.
    [1_234n, 'JPY', 'EUR', '0.0061', 753n],
    [753n, 'EUR', 'JPY', '163.93', 1_234n],
    [1_500n, 'KWD', 'JPY', '490.5', 736n],
    [736n, 'JPY', 'KWD', '0.00204', 1_501n],
    // More digits than a float holds.
    [9_007_199_254_740_993n, 'EUR', 'USD', '1.000000000001', 9_007_199_254_750_000n],
  ] as const)('of %s %s in %s at %s is %s', (minor, from, into, rate, expected) => {
    expect(exchanged(minor, from, into, rate)).toBe(expected);
  });
});

describe('a sum', () => {
  const rates = new Map([['USD', { '2026-03-01': '0.905' }]]);
  const money = (minor: string) => ({ minor });

  it('is rounded by currency and day, so that days add up to their range', () => {
    const days = ['2026-03-01', '2026-03-02'].map((day) => ({ day, revenue: { USD: money('1') } }));
    expect(exchangedSum(days, 'EUR', rates)).toEqual({ amount: 2n, refunded: 0n, without: [] });
  });

  it('has refunds apart, and takes its own currency as it is', () => {
    const day = {
      day: '2026-03-09',
      revenue: { EUR: money('5'), USD: money('100') },
      refunds: { USD: money('10') },
    };
    expect(exchangedSum([day], 'EUR', rates)).toEqual({ amount: 96n, refunded: 9n, without: [] });
  });

  it('names what it has no rate for, or none yet on that day', () => {
    const revenue = { GBP: money('100'), USD: money('100'), JPY: money('0') };
    expect(exchangedSum([{ day: '2026-02-28', revenue }], 'EUR', rates)).toEqual({
      amount: 0n,
      refunded: 0n,
      without: ['GBP', 'USD'],
    });
  });
});
