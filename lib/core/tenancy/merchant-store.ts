import type { Merchant } from './merchant.ts';

export interface MerchantStore {
  merchant(merchantId: string): Promise<Merchant | null>;
  /** Throws a RangeError where `retentionDays` is none. */
  putMerchant(merchant: Merchant): Promise<void>;
  /** Adds a canonical event name to `serverEventNames`; nothing is written where it is there already, or no merchant is. */
  addServerEventName(merchantId: string, name: string, nowMs: number): Promise<void>;
}
