// Money without floats. A JSON number becomes the shortest decimal that parses to the same number.
import { CURRENCY_DIGITS } from './currency.ts';
import type { Decimal } from './normalized-event.ts';

/** Plain decimal notation of a finite, non-negative number: never an exponent. Up to 1e21 and down to 1e-12. */
export function toDecimal(value: number): Decimal {
  const shortest = String(value);
  if (!shortest.includes('e')) return shortest;
  return value.toFixed(12).replace(/\.?0+$/, '');
}

/** Digits that every float stores exactly; further ones come from how the float was computed. */
const EXACT_DIGITS = 15;

/**
 * An amount of money: exactly the number sent if the currency has that many digits, else rounded to whole minor units,
 * half away from zero, on decimal digits. 0.1 + 0.2 as a float is 0.30 USD; 1.005 is 1.01 USD; 1200.5 is 1201 JPY.
 */
export function toAmount(value: number, currency: string): Decimal {
  const decimal = toDecimal(value);
  const exponent = currencyExponent(currency);
  if (fractionDigits(decimal) <= exponent) return decimal;
  return fromMinorUnits(toMinorUnits(toUnitPrice(value), currency), currency);
}

/** With all digits of the currency. */
export function fromMinorUnits(units: bigint, currency: string): Decimal {
  const exponent = currencyExponent(currency);
  const minor = String(units).padStart(exponent + 1, '0');
  return exponent === 0 ? minor : `${minor.slice(0, -exponent)}.${minor.slice(-exponent)}`;
}

/**
 * A unit price may have more digits than the currency (0.005 each, sold by the thousand), so it is not rounded to minor
 * units; only the error of a float computation beyond 15 digits is removed: 0.30000000000000004 is 0.3.
 */
export function toUnitPrice(value: number): Decimal {
  const decimal = toDecimal(value);
  return decimal.length <= EXACT_DIGITS ? decimal : toDecimal(Number(value.toPrecision(EXACT_DIGITS)));
}

/** Digits after the point that a scaled unit price keeps. */
const PRICE_DIGITS = 6;

/** The amount times a positive number, exactly, then rounded to the digits of its currency, half away from zero. */
export function scaleAmount(amount: Decimal, factor: number, currency: string): Decimal {
  return product(amount, factor, currencyExponent(currency));
}

export const scaleUnitPrice = (price: Decimal, factor: number): Decimal =>
  product(price, factor, PRICE_DIGITS);

function product(a: Decimal, factor: number, digits: number): Decimal {
  const b = toDecimal(factor);
  const surplus = fractionDigits(a) + fractionDigits(b) - digits;
  const exact = BigInt(a.replace('.', '')) * BigInt(b.replace('.', ''));
  const unit = 10n ** BigInt(Math.abs(surplus));
  // Twice the remainder, so that an exact half is recognized.
  const rounded = surplus <= 0 ? exact * unit : exact / unit + ((exact % unit) * 2n >= unit ? 1n : 0n);
  const text = String(rounded).padStart(digits + 1, '0');
  if (digits === 0) return text;
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '');
}

function fractionDigits(decimal: Decimal): number {
  const point = decimal.indexOf('.');
  return point < 0 ? 0 : decimal.length - point - 1;
}

/** Digits after the point in this currency (JPY 0, USD 2, KWD 3); 2 for unknown codes. */
export const currencyExponent = (currency: string): number => CURRENCY_DIGITS.get(currency) ?? 2;

/** ISO 4217, uppercase. */
export const isCurrency = (code: string): boolean => CURRENCY_DIGITS.has(code);

/** Whole minor units of a decimal amount, rounded half away from zero if the amount has more digits. */
export function toMinorUnits(amount: Decimal, currency: string): bigint {
  const exponent = currencyExponent(currency);
  const point = amount.indexOf('.');
  const whole = point < 0 ? amount : amount.slice(0, point);
  const fraction = point < 0 ? '' : amount.slice(point + 1);
  const kept = fraction.slice(0, exponent).padEnd(exponent, '0');
  const minor = BigInt(whole + kept);
  return (fraction[exponent] ?? '0') >= '5' ? minor + 1n : minor;
}
