import type { Decimal } from '../../domain/event/normalized-event.ts';

/** The exact product of two plain decimals, with as many digits after the point as both have together. */
export function product(a: Decimal, b: Decimal): Decimal {
  const [wholeA = '0', fractionA = ''] = a.split('.');
  const [wholeB = '0', fractionB = ''] = b.split('.');
  const scale = fractionA.length + fractionB.length;
  const digits = (BigInt(wholeA + fractionA) * BigInt(wholeB + fractionB))
    .toString()
    .padStart(scale + 1, '0');
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
