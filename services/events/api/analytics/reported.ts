// Sums of money in the merchant's own currency: each currency's sum of a day, at the rate of the day. Guarantees: what has no rate
// is named; nothing is read of days where all came in the own currency.

import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import { currencyExponent } from '#lib/events/domain/event/decimal.ts';
import { exchangedSum } from '#lib/events/domain/orders/exchange.ts';
import { dayIn, dayStarts } from '#lib/events/domain/time-zone.ts';
import { total } from '#lib/events/pipeline/counting/counter-range.ts';
import type { BucketRow } from '#lib/events/ports/counter-store.ts';
import type { ApiPorts } from '../ports.ts';
import { sumsBetween } from './sums-between.ts';

type Money = Pick<BucketCounters, 'revenue' | 'refunds'>;

export interface ReportedMoney {
  readonly currency: string;
  readonly amount: number;
  readonly refunded: number;
  readonly net: number;
  /** Currencies that are in none of them: there is no rate. */
  readonly without_rate: string[];
}

/** Of what `of` takes from the counters of each day. */
export type Reporting = (of: (counters: BucketCounters) => Money) => ReportedMoney;

export interface ReportedRange {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whose days have the rates. */
  readonly zone: string;
}

type Ports = Pick<ApiPorts, 'config' | 'counters'>;

/** Null where the merchant has no currency of its own. `rows`: what the range holds. */
export async function reportingOf(
  merchantId: string,
  { fromMs, toMs, zone }: ReportedRange,
  rows: readonly BucketRow[],
  ports: Ports,
): Promise<Reporting | null> {
  const whole = total(rows);
  const currency = (await ports.config.merchant(merchantId))?.reportingCurrency;
  if (currency === undefined) return null;
  const others = [...new Set([...Object.keys(whole.revenue), ...Object.keys(whole.refunds ?? {})])].filter(
    (one) => one !== currency,
  );
  if (others.length === 0) return (of) => reported([{ day: '', counters: whole }], currency, new Map(), of);
  const edges = [fromMs, ...dayStarts(zone, fromMs, toMs).filter((startMs) => startMs > fromMs), toMs];
  const [rates, sums] = await Promise.all([
    ports.config.exchangeRates(merchantId, currency, others),
    sumsBetween(merchantId, edges, ports, rows),
  ]);
  const days = sums.map((counters, i) => ({ day: dayIn(zone, edges[i] ?? fromMs), counters }));
  return (of) => reported(days, currency, rates, of);
}

function reported(
  days: readonly { readonly day: string; readonly counters: BucketCounters }[],
  currency: string,
  rates: Parameters<typeof exchangedSum>[2],
  of: (counters: BucketCounters) => Money,
): ReportedMoney {
  const sums = days.map(({ day, counters }) => ({ ...of(counters), day }));
  const { amount, refunded, without } = exchangedSum(sums, currency, rates);
  const unit = 10 ** currencyExponent(currency);
  return {
    currency,
    amount: Number(amount) / unit,
    refunded: Number(refunded) / unit,
    net: Number(amount - refunded) / unit,
    without_rate: [...without],
  };
}
