// First clicks and claims of orders on DynamoDB, in the table of counters. Each is a partition of its own.
//   pk <merchant>#touch#<key>     sk `~`   p platform   t clicked, milliseconds
//   pk <merchant>#order#<order>   sk `~`   e event id   i ingest id   t received, milliseconds
//   expires  seconds: deleted by DynamoDB some day after it; until then its window is what counts
import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ATTRIBUTION_WINDOW_MS, type Touch } from '../../../events/domain/attribution.ts';
import type { AttributionStore, OrderClaim } from '../../../events/ports/attribution-store.ts';
import { conditional } from '../core/conditional.ts';
import { readItems } from '../core/read-items.ts';

const SK = '~';

export function createAttributionStore(db: DynamoDBDocumentClient, table: string): AttributionStore {
  const touchKey = (merchantId: string, key: string) => ({ pk: `${merchantId}#touch#${key}`, sk: SK });
  return {
    async touches(merchantId, keys) {
      if (keys.length === 0) return new Map();
      const prefix = touchKey(merchantId, '').pk;
      const items = await readItems(
        db,
        table,
        keys.map((key) => touchKey(merchantId, key)),
        false,
      );
      return new Map(
        items.map((item) => [
          String(item.pk).slice(prefix.length),
          { platform: String(item.p), atMs: Number(item.t) } satisfies Touch,
        ]),
      );
    },

    async addTouch(merchantId, key, { platform, atMs }) {
      await conditional(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: touchKey(merchantId, key),
            UpdateExpression: 'SET p = :platform, t = :at, expires = :expires',
            ConditionExpression: 'attribute_not_exists(t) OR t > :at OR t < :over',
            ExpressionAttributeValues: {
              ':platform': platform,
              ':at': atMs,
              ':over': atMs - ATTRIBUTION_WINDOW_MS,
              ':expires': expiry(atMs),
            },
          }),
        ),
      );
    },

    async claimOrder(merchantId, order, claim) {
      const { eventId, ingestId, receivedAtMs } = claim;
      const Key = { pk: `${merchantId}#order#${order}`, sk: SK };
      const claimed = await conditional(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key,
            UpdateExpression: 'SET e = :event, i = :ingest, t = :at, expires = :expires',
            ConditionExpression: 'attribute_not_exists(t) OR t < :over',
            ExpressionAttributeValues: {
              ':event': eventId,
              ':ingest': ingestId,
              ':at': receivedAtMs,
              ':over': receivedAtMs - ATTRIBUTION_WINDOW_MS,
              ':expires': expiry(receivedAtMs),
            },
          }),
        ),
      );
      if (claimed !== null) return claim;
      const { Item: seen } = await db.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      // Deleted between the two, which is long after its window: whoever claims next has it.
      return seen === undefined ? claim : standing(seen);
    },

    async forgetTouches(merchantId, keys) {
      for (const key of keys)
        await db.send(new DeleteCommand({ TableName: table, Key: touchKey(merchantId, key) }));
    },
  };
}

const expiry = (atMs: number): number => Math.ceil((atMs + ATTRIBUTION_WINDOW_MS) / 1_000);

const standing = ({ e, i, t }: Readonly<Record<string, unknown>>): OrderClaim => ({
  eventId: String(e),
  ingestId: String(i),
  receivedAtMs: Number(t),
});
