import type { BillingRecord } from '../domain/billing/subscription.ts';

/** Reads are consistent. */
export interface BillingStore {
  billing(merchantId: string): Promise<BillingRecord | null>;
  /** Overwrites if the stored version is still `record.version - 1` (0: there is none). */
  writeBilling(record: BillingRecord): Promise<boolean>;
  /** Whose customer this is at the payment provider; null for one of somebody else. */
  merchantOfCustomer(customerId: string): Promise<string | null>;
  /** Said once: throws where the customer is another merchant's already. */
  putCustomer(customerId: string, merchantId: string): Promise<void>;
}
