// Money without floats. A JSON number becomes the shortest decimal that reads back as the same number, and stays one.
import type { Decimal } from './normalized-event.ts';

/** Plain decimal notation of a finite, non-negative number: never an exponent. Up to 1e21 and down to 1e-12. */
export function toDecimal(value: number): Decimal {
  const shortest = String(value);
  if (!shortest.includes('e')) return shortest;
  return value.toFixed(12).replace(/\.?0+$/, '');
}

const EXPONENTS = new Map<string, number>();

/** Digits after the point in this currency (JPY 0, USD 2, KWD 3); 2 for codes the platform does not know. */
export function currencyExponent(currency: string): number {
  let exponent = EXPONENTS.get(currency);
  if (exponent === undefined) {
    exponent = CURRENCIES.has(currency)
      ? (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
          .maximumFractionDigits ?? 2)
      : 2;
    EXPONENTS.set(currency, exponent);
  }
  return exponent;
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** ISO 4217, uppercase. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/** Whole minor units of a decimal amount, rounded half away from zero where the amount has more digits. */
export function toMinorUnits(amount: Decimal, currency: string): bigint {
  const exponent = currencyExponent(currency);
  const [whole = '0', fraction = ''] = amount.split('.');
  const kept = fraction.slice(0, exponent).padEnd(exponent, '0');
  const minor = BigInt(whole + kept);
  return (fraction[exponent] ?? '0') >= '5' ? minor + 1n : minor;
}
