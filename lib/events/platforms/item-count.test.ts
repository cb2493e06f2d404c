import { describe, expect, it } from 'vitest';
import { itemCount, wholeQuantity } from './item-count.ts';

const items = (...quantities: string[]) => quantities.map((quantity) => ({ id: 'a', quantity }));
const json = (value: object | undefined) => JSON.stringify(value);

describe('whole quantities', () => {
  it.each([
    ['1', '1'],
    ['1000000000', '1000000000'],
    ['0.5', undefined],
    ['1.0', undefined],
    ['1e5', undefined],
    ['', undefined],
  ])('%j becomes %j', (quantity, expected) => {
    expect(json(wholeQuantity(quantity))).toBe(expected);
  });

  it('add up only where every item is counted in pieces', () => {
    expect(json(itemCount(items('2', '1', '12')))).toBe('15');
    expect(itemCount(items('2', '0.5'))).toBeUndefined();
    expect(itemCount([])).toBeUndefined();
  });
});
