// Billing in the config table:
//   pk M#<merchant>    sk BILLING   the record; v its version
//   pk CUS#<customer>  sk MERCHANT  whose customer this is, found without knowing the merchant

import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, formatAttribute } from '#lib/core/record/stored-item.ts';
import { STORED_BILLING } from '#lib/events/domain/billing/stored-billing.ts';
import type { BillingRecord } from '#lib/events/domain/billing/subscription.ts';
import type { BillingStore } from '#lib/events/ports/billing-store.ts';
import { conditional } from '../core/items/conditional.ts';
import { type ItemKey, merchantKey } from '../core/items/config-item.ts';

/** A partition key holds 2,048 bytes; ids of customers have under 40. */
const CUSTOMER_ID_MAX_CHARS = 255;

export const BILLING = defineKind<BillingRecord>({
  what: 'subscription',
  table: 'config',
  key: { pk: 'M#{merchant}', sk: 'BILLING' },
  attribute: 'billing',
  schema: STORED_BILLING,
  expires: null,
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
  expires: null,
  personal: [],
  whenUnreadable: 'wait',
  meaning: 'What the payment provider says of this customer is refused with 503, and it says it again.',
});

const billingKey = (merchantId: string): ItemKey => merchantKey(merchantId, 'BILLING');
const customerKey = (customerId: string): ItemKey => ({ pk: `CUS#${customerId}`, sk: 'MERCHANT' });

export function createBillingStore(db: DynamoDBDocumentClient, table: string): BillingStore {
  const read = async (key: ItemKey) => {
    const { Item: item } = await db.send(
      new GetCommand({ TableName: table, Key: key, ConsistentRead: true }),
    );
    return item;
  };
  return {
    async billing(merchantId) {
      const item = await read(billingKey(merchantId));
      return item === undefined ? null : decodeItem(BILLING, item);
    },

    async writeBilling(record) {
      const written = await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: {
              ...billingKey(record.merchantId),
              ...formatAttribute(BILLING),
              v: record.version,
              billing: record,
            },
            ...(record.version === 1
              ? { ConditionExpression: 'attribute_not_exists(pk)' }
              : {
                  ConditionExpression: 'v = :before',
                  ExpressionAttributeValues: { ':before': record.version - 1 },
                }),
          }),
        ),
      );
      return written !== null;
    },

    async merchantOfCustomer(customerId) {
      if (customerId === '' || customerId.length > CUSTOMER_ID_MAX_CHARS) return null;
      const item = await read(customerKey(customerId));
      return item === undefined ? null : decodeItem(CUSTOMER, item);
    },

    async putCustomer(customerId, merchantId) {
      await db.send(
        new PutCommand({
          TableName: table,
          Item: { ...customerKey(customerId), ...formatAttribute(CUSTOMER), merchantId },
          ConditionExpression: 'attribute_not_exists(pk) OR merchantId = :merchant',
          ExpressionAttributeValues: { ':merchant': merchantId },
        }),
      );
    },
  };
}
