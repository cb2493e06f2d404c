import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDecimal } from '../json-body.ts';
import { product } from './amounts.ts';

describe('a product', () => {
  it('is exact', () => {
    const minor = fc.bigInt({ min: 0n, max: 10n ** 15n });
    fc.assert(
      fc.property(minor, minor, fc.nat(6), fc.nat(6), (a, b, x, y) => {
        const decimal = (digits: bigint, scale: number): string => {
          const text = digits.toString().padStart(scale + 1, '0');
          return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
        };
        const exact = product(decimal(a, x), decimal(b, y));
        expect(BigInt(exact.replace('.', ''))).toBe(a * b);
        expect(exact.split('.')[1]?.length ?? 0).toBe(x + y);
        expect(isDecimal(exact)).toBe(true);
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it.each([
    ['24.99', '2', '49.98'],
    ['1.005', '3', '3.015'],
    ['10.50', '0.5', '5.250'],
    ['0', '12', '0'],
    ['1200', '1', '1200'],
  ])('of %s and %s is %s', (a, b, expected) => expect(product(a, b)).toBe(expected));
});
