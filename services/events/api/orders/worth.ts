// What an order is worth, as the API says it.
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { currencyExponent } from '#lib/events/domain/event/decimal.ts';
import { moneyIn } from '#lib/events/domain/orders/amount.ts';
import type { Order } from '#lib/events/domain/orders/order.ts';
import { leftOf } from '#lib/events/domain/orders/refund.ts';

/** Minor units in one of the amount's currency, e.g. of `EUR 59.98`. */
export const unitOf = (amount: string | undefined): number =>
  10 ** currencyExponent(moneyIn(amount)?.currency ?? '');

/** What orders of before their values were kept were worth is not known here. */
export function worthOf(order: Pick<Order, 'amount' | 'touch' | 'last' | 'refunds'>) {
  const { amount, touch, last = touch } = order;
  const left = leftOf(order);
  const unit = unitOf(amount);
  return {
    ...(left === undefined
      ? {}
      : {
          ...{ value: Number(moneyIn(amount)?.value), currency: left.currency },
          ...{ refunded: Number(left.gone) / unit, net: Number(left.minor) / unit },
        }),
    ...withoutUndefined({ credited_to: touch, last_click: last }),
  };
}
