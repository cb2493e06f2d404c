// Key figures from summed counters. Pure.
import { HOUR_MS } from '#lib/core/work/time-slot.ts';
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import { dueTotals } from '#lib/events/domain/analytics/delivery-totals.ts';
import { type Outcome, outcomeOf } from '#lib/events/domain/deliveries/outcome.ts';
import { currencyExponent } from '#lib/events/domain/event/decimal.ts';

export type PlatformBars = Readonly<Record<Outcome, number>>;

/** What became of the events at one platform: the four add up to the events. */
export function platformBars(slug: string, { events, deliveries }: BucketCounters): PlatformBars {
  const bars = barsOf(deliveries[slug]);
  const decided = bars.delivered + bars.waiting + bars.failed + bars.withheld;
  bars.waiting += Math.max(0, events - decided);
  return bars;
}

/** What became of those that were decided. */
export function barsOf(names: BucketCounters['deliveries'][string] = {}): Record<Outcome, number> {
  const bars = { delivered: 0, waiting: 0, failed: 0, withheld: 0 };
  for (const words of Object.values(names))
    for (const [word, count] of Object.entries(words)) bars[outcomeOf(word)] += count;
  return bars;
}

/** delivered / due; null while nothing was due. */
export function deliveryRate(counters: BucketCounters): number | null {
  const { delivered, due } = dueTotals(counters);
  return due === 0 ? null : delivered / due;
}

/** Mean time from received to delivered, whole milliseconds; 0 without a delivery. */
export function latencyMs({ latency }: BucketCounters): number {
  return latency.count === 0 ? 0 : Math.round(latency.sumMs / latency.count);
}

export interface Money {
  readonly orders: number;
  /** In whole minor units. */
  readonly minor: string;
  readonly amount: number;
  readonly refunded: number;
  readonly net: number;
}

/** Orders and what refunds took back, both in the slots in which they came. */
export function moneyByCurrency({
  revenue,
  refunds = {},
}: Pick<BucketCounters, 'revenue' | 'refunds'>): Readonly<Record<string, Money>> {
  const currencies = [...new Set([...Object.keys(revenue), ...Object.keys(refunds)])].sort();
  return Object.fromEntries(
    currencies.map((currency) => {
      const unit = 10 ** currencyExponent(currency);
      const { orders, minor } = own(revenue, currency);
      const back = own(refunds, currency).minor;
      const net = Number(BigInt(minor) - BigInt(back)) / unit;
      const money = { orders, minor, amount: Number(minor) / unit, refunded: Number(back) / unit, net };
      return [currency, money] as const;
    }),
  );
}

const own = (by: BucketCounters['revenue'], currency: string) =>
  (Object.hasOwn(by, currency) ? by[currency] : undefined) ?? { orders: 0, minor: '0' };

/** The currency most orders are in; the first in the alphabet when two tie; null without orders. */
export function mainCurrency(revenue: Readonly<Record<string, Pick<Money, 'orders'>>>): string | null {
  let main: string | null = null;
  for (const [currency, { orders }] of Object.entries(revenue)) {
    if (main === null || orders > (revenue[main]?.orders ?? 0)) main = currency;
  }
  return main;
}

/** 1 when the latest event is at most an hour old, falling to 0 at a day; null when there never was one. */
export function freshness(latestAtMs: number | null, hasEvents: boolean, nowMs: number): number | null {
  if (latestAtMs === null) return hasEvents ? 0 : null;
  const ageHours = Math.max(0, nowMs - latestAtMs) / HOUR_MS;
  return Math.min(1, Math.max(0, (24 - ageHours) / 23));
}

/** Parts 0..1, null = no data. */
export interface HealthParts {
  readonly deliveryRate: number | null;
  readonly matchQuality: number | null;
  readonly freshness: number | null;
  readonly connections: number | null;
}

const HEALTH_WEIGHTS: Readonly<Record<keyof HealthParts, number>> = {
  deliveryRate: 50,
  matchQuality: 20,
  freshness: 15,
  connections: 15,
};

/** 0..100, one decimal: the weighted mean of the parts there are; 0 when there is none, and 100 only when all are whole. */
export function healthScore(parts: HealthParts): number {
  let points = 0;
  let all = 0;
  for (const name of Object.keys(HEALTH_WEIGHTS) as (keyof HealthParts)[]) {
    const part = parts[name];
    if (part === null) continue;
    points += part * HEALTH_WEIGHTS[name];
    all += HEALTH_WEIGHTS[name];
  }
  if (all === 0) return 0;
  const score = Math.round((points / all) * 1_000) / 10;
  return points < all ? Math.min(score, 99.9) : score;
}
