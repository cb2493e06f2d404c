// Billing in the config table:
//   pk M#<merchant>    sk BILLING   the record; v its version
//   pk CUS#<customer>  sk MERCHANT  whose customer this is, found without knowing the merchant
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { BillingRecord } from '../../../events/domain/billing/subscription.ts';
import type { BillingStore } from '../../../events/ports/billing-store.ts';
import { conditional } from '../core/conditional.ts';
import { type ItemKey, merchantKey } from '../core/config-item.ts';

/** A partition key holds 2,048 bytes; ids of customers have under 40. */
const CUSTOMER_ID_MAX_CHARS = 255;

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
      return (item?.billing as BillingRecord | undefined) ?? null;
    },

    async writeBilling(record) {
      const written = await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: { ...billingKey(record.merchantId), v: record.version, billing: record },
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
      return item === undefined ? null : String(item.merchantId);
    },

    async putCustomer(customerId, merchantId) {
      await db.send(
        new PutCommand({
          TableName: table,
          Item: { ...customerKey(customerId), merchantId },
          ConditionExpression: 'attribute_not_exists(pk) OR merchantId = :merchant',
          ExpressionAttributeValues: { ':merchant': merchantId },
        }),
      );
    },
  };
}
