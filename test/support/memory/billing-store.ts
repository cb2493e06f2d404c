// Billing records in memory, as DynamoDB keeps them.
import type { BillingRecord } from '#lib/events/domain/billing/subscription.ts';
import type { BillingStore } from '#lib/events/ports/billing-store.ts';
import { frozenCopy } from './frozen-copy.ts';

export function createMemoryBillingStore(): BillingStore {
  const records = new Map<string, BillingRecord>();
  const customers = new Map<string, string>();
  return {
    billing: async (merchantId) => records.get(merchantId) ?? null,
    writeBilling: async (record) => {
      if ((records.get(record.merchantId)?.version ?? 0) !== record.version - 1) return false;
      records.set(record.merchantId, frozenCopy(record));
      return true;
    },
    merchantOfCustomer: async (customerId) => customers.get(customerId) ?? null,
    putCustomer: async (customerId, merchantId) => {
      const owner = customers.get(customerId) ?? merchantId;
      if (owner !== merchantId) throw new Error('the customer is another merchant’s');
      customers.set(customerId, merchantId);
    },
  };
}
