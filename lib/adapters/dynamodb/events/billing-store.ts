// Billing in the config table:
//   pk M#<merchant>    sk BILLING   the record; v its version
//   pk CUS#<customer>  sk MERCHANT  whose customer this is, found without knowing the merchant

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { formatAttribute } from '#lib/core/record/stored-item.ts';
import { type BillingRecord, STORED_BILLING } from '#lib/events/domain/billing/subscription.ts';
import type { BillingStore } from '#lib/events/ports/billing-store.ts';
import { type Db, ifVersion, putItem, readItem } from '../core/items/commands.ts';
import { type ItemKey, merchantKey } from '../core/items/config-item.ts';

/** A partition key holds 2,048 bytes; ids of customers have under 40. */
const CUSTOMER_ID_MAX_CHARS = 255;

export const BILLING = defineKind<BillingRecord>({
  what: 'subscription',
  table: 'config',
  key: { pk: 'M#{merchant}', sk: 'BILLING' },
  attribute: 'billing',
  schema: STORED_BILLING,
  personal: [],
  whenUnreadable: 'unavailable',
  meaning: 'Billing is answered 503; events are taken as ever.',
});
export const CUSTOMER = defineKind<string>({
  what: 'customer',
  table: 'config',
  key: { pk: 'CUS#{customer}', sk: 'MERCHANT' },
  attribute: 'merchantId',
  schema: z.string(),
  personal: [],
  whenUnreadable: 'wait',
  meaning: 'What the payment provider says of this customer is refused with 503, and it says it again.',
});

const billingKey = (merchantId: string): ItemKey => merchantKey(merchantId, 'BILLING');
const customerKey = (customerId: string): ItemKey => ({ pk: `CUS#${customerId}`, sk: 'MERCHANT' });

export function createBillingStore(db: Db, table: string): BillingStore {
  const config = { db, table };
  return {
    billing: (merchantId) => readItem(config, billingKey(merchantId), BILLING),

    async writeBilling(record) {
      const { merchantId, version } = record;
      const item = { ...billingKey(merchantId), ...formatAttribute(BILLING), v: version, billing: record };
      return await putItem(config, item, ifVersion(version - 1));
    },

    async merchantOfCustomer(customerId) {
      if (customerId === '' || customerId.length > CUSTOMER_ID_MAX_CHARS) return null;
      return await readItem(config, customerKey(customerId), CUSTOMER);
    },

    async putCustomer(customerId, merchantId) {
      const item = { ...customerKey(customerId), ...formatAttribute(CUSTOMER), merchantId };
      const isFree = {
        condition: 'attribute_not_exists(pk) OR merchantId = :merchant',
        values: { ':merchant': merchantId },
      };
      if (!(await putItem(config, item, isFree))) throw new Error('the customer is another merchant’s');
    },
  };
}
