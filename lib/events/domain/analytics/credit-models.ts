// Orders and revenue by the platform of the first click, and of the last: the first is counted, the last by what differs. Pure.
import type { BucketCounters, CreditedOrders } from './analytics.ts';
import { addCredits, emptySum } from './sum.ts';

export const CREDIT_MODELS = ['first_click', 'last_click'] as const;
export type CreditModel = (typeof CREDIT_MODELS)[number];

type Credits = NonNullable<BucketCounters['credits']>;

/** By platform, or `direct`. */
export function creditsBy(model: CreditModel, { credits = {}, moves }: BucketCounters): Credits {
  if (model === 'first_click' || moves === undefined) return credits;
  const sum = emptySum().credits;
  for (const part of [credits, moves]) addCredits(sum, part);
  return sum;
}

/** What changes where orders are credited to `to` instead of `from`. */
export const movedCredit = (from: string, to: string, orders: CreditedOrders): Credits =>
  from === to ? {} : { [from]: negative(orders), [to]: orders };

const negative = ({ orders, unlinked, revenue, refunds }: CreditedOrders): CreditedOrders => ({
  ...{ orders: -orders, unlinked: -unlinked, revenue: negativeMoney(revenue) },
  ...(refunds === undefined ? {} : { refunds: negativeMoney(refunds) }),
});

const negativeMoney = (money: CreditedOrders['revenue']): CreditedOrders['revenue'] =>
  Object.fromEntries(
    Object.entries(money).map(([currency, { orders, minor }]) => [
      currency,
      { orders: -orders, minor: String(-BigInt(minor)) },
    ]),
  );
