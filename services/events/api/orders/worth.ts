// What an order is worth, as the API says it.
import { currencyExponent, toMinorUnits } from '#lib/events/domain/event/decimal.ts';
import type { Order } from '#lib/events/domain/orders/order.ts';
import { takenBack } from '#lib/events/domain/orders/refund.ts';

/** Minor units in one of the amount's currency, e.g. of `EUR 59.98`. */
export const unitOf = (amount: string | undefined): number =>
  10 ** currencyExponent(amount?.split(' ')[0] ?? '');

/** What orders of before their values were kept were worth is not known here. */
export function worthOf({ amount, touch, refunds = [] }: Pick<Order, 'amount' | 'touch' | 'refunds'>) {
  const [currency, value] = amount?.split(' ') ?? [];
  const unit = unitOf(amount);
  const gone = takenBack(refunds);
  return {
    ...(currency === undefined || value === undefined
      ? {}
      : {
          ...{ value: Number(value), currency, refunded: Number(gone) / unit },
          net: Number(toMinorUnits(value, currency) - gone) / unit,
        }),
    ...(touch === undefined ? {} : { credited_to: touch }),
  };
}
