import { expect, it } from 'vitest';
import { money } from '#dashboard/parts/written.tsx';
import { otherMoney } from './currencies.ts';

const REVENUE = {
  USD: { orders: 50, net: 11_777.8 },
  JPY: { orders: 3, net: 9_000 },
  EUR: { orders: 40, net: 9_147.25 },
};

it('says what came in each other currency, the most orders first', () => {
  expect(otherMoney(REVENUE, 'USD')).toBe(`and ${money(9_147.25, 'EUR')}, ${money(9_000, 'JPY')}`);
});

it.each([
  [{ USD: REVENUE.USD }, 'USD'],
  [{}, null],
])('says nothing where there is no other: %j', (revenue, shown) => {
  expect(otherMoney(revenue, shown)).toBeUndefined();
});
