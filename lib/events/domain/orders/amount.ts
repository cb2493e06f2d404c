// What an order is worth, as it is stored: currency and value as normalized, e.g. `EUR 59.98`. Pure.
import type { Decimal } from '../event/normalized-event.ts';

export interface Money {
  readonly currency: string;
  readonly value: Decimal;
}

/** Undefined where the event does not say both. */
export const amountOf = ({ value, currency }: Partial<Money>): string | undefined =>
  value === undefined || currency === undefined ? undefined : `${currency} ${value}`;

export function moneyIn(amount: string | undefined): Money | undefined {
  const [currency, value] = amount?.split(' ') ?? [];
  return currency === undefined || value === undefined ? undefined : { currency, value };
}
