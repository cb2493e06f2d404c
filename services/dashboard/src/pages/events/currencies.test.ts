import { expect, it } from 'vitest';
import { money } from '#dashboard/parts/written.tsx';
import { otherMoney } from './currencies.ts';

const REVENUE = {
  USD: { orders: 50, net: 11_777.8 },
  JPY: { orders: 3, net: 9_000 },
  EUR: { orders: 40, net: 9_147.25 },
};

it('says what came in each other currency, the most orders first', () => {
  expect(otherMoney(REVENUE, ['JPY', 'EUR'])).toBe(`and ${money(9_147.25, 'EUR')}, ${money(9_000, 'JPY')}`);
});

it.each([
  [{ USD: REVENUE.USD }, []],
  [REVENUE, []],
])('says nothing where none is left out: %j', (revenue, leftOut) => {
  expect(otherMoney(revenue, leftOut)).toBeUndefined();
});
