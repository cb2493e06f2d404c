// Amounts in the merchant's own currency. A rate says how many of its units one unit of another currency is on a day, exactly; it
// holds until the day of a newer one. Amounts are rounded once for each currency and day, half away from zero as all amounts are:
// the sums of days are the sum of their range, wherever it is shown. Pure.
import { currencyExponent } from '../event/decimal.ts';
import type { Decimal } from '../event/normalized-event.ts';

/** `YYYY-MM-DD` → rate. */
export type RatesByDay = Readonly<Record<string, Decimal>>;

/** Days of one currency that are kept, and currencies of one merchant. */
export const RATE_DAYS_MAX = 800;
export const RATE_CURRENCIES_MAX = 30;

/** The newest at or before the day. */
export function rateOn(rates: RatesByDay, day: string): Decimal | undefined {
  let newest: string | undefined;
  for (const one of Object.keys(rates))
    if (one <= day && (newest === undefined || one > newest)) newest = one;
  return newest === undefined ? undefined : rates[newest];
}

/** Whole minor units of the one currency in those of the other. */
export function exchanged(minor: bigint, from: string, into: string, rate: Decimal): bigint {
  const [whole = '', fraction = ''] = rate.split('.');
  const product = minor * BigInt(whole + fraction);
  const surplus = fraction.length + currencyExponent(from) - currencyExponent(into);
  const unit = 10n ** BigInt(Math.abs(surplus));
  if (surplus <= 0) return product * unit;
  const size = product < 0n ? -product : product;
  const rounded = (size * 2n + unit) / (unit * 2n);
  return product < 0n ? -rounded : rounded;
}

/** Sums of one day, by currency in whole minor units as decimal strings. */
export interface DaySums {
  readonly day: string;
  readonly revenue: Readonly<Record<string, { readonly minor: string }>>;
  readonly refunds?: Readonly<Record<string, { readonly minor: string }>>;
}

export interface ExchangedSum {
  /** In whole minor units of the merchant's own currency. */
  readonly amount: bigint;
  readonly refunded: bigint;
  /** Currencies of amounts for whose day there is no rate: they are in neither sum. */
  readonly without: readonly string[];
}

/** `rates`: by currency. */
export function exchangedSum(
  days: readonly DaySums[],
  into: string,
  rates: ReadonlyMap<string, RatesByDay>,
): ExchangedSum {
  const without = new Set<string>();
  const sumOf = (day: string, sums: DaySums['revenue'] = {}): bigint => {
    let sum = 0n;
    for (const [currency, { minor }] of Object.entries(sums)) {
      const rate = currency === into ? '1' : rateOn(rates.get(currency) ?? {}, day);
      if (rate !== undefined) sum += exchanged(BigInt(minor), currency, into, rate);
      else if (minor !== '0') without.add(currency);
    }
    return sum;
  };
  let [amount, refunded] = [0n, 0n];
  for (const { day, revenue, refunds } of days) {
    amount += sumOf(day, revenue);
    refunded += sumOf(day, refunds);
  }
  return { amount, refunded, without: [...without].sort() };
}
