// Rates at which a merchant's amounts are shown in its own currency, by currency and day.
import type { RatesByDay } from '../domain/orders/exchange.ts';

/** Day → rate; null takes it away. */
export type RateChange = Readonly<Record<string, string | null>>;

export interface ExchangeRateStore {
  /** Eventual. Of these currencies, or of all; one whose rates cannot be read is left out. */
  exchangeRates(
    merchantId: string,
    into: string,
    currencies?: readonly string[],
  ): Promise<ReadonlyMap<string, RatesByDay>>;
  /** What it names and nothing else, in one write. False, and nothing is written, where more days would be kept than may be. */
  changeExchangeRates(
    merchantId: string,
    into: string,
    currency: string,
    change: RateChange,
  ): Promise<boolean>;
}
