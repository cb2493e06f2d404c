// First clicks and claims of orders on DynamoDB, in the table of counters. Each is a partition of its own.
//   pk <merchant>#touch#<key>     sk `~`   p platform   t clicked, milliseconds
//   pk <merchant>#order#<order>   sk `~`   e event id   i ingest id   t received, milliseconds
//   expires  seconds: deleted by DynamoDB some day after it; until then its window is what counts

import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, decodeOrSetAside } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { ATTRIBUTION_WINDOW_MS, type Touch } from '#lib/events/domain/analytics/attribution.ts';
import type { AttributionStore, OrderClaim } from '#lib/events/ports/attribution-store.ts';
import { conditional } from '../core/items/conditional.ts';
import { readItems } from '../core/items/read-items.ts';

const SK = '~';

export const TOUCH = defineKind({
  what: 'first click',
  table: 'analytics',
  key: { pk: '{merchant}#touch#{key...}', sk: '~' },
  attribute: null,
  schema: z.looseObject({ p: z.string(), t: z.number(), expires: z.number() }),
  expires: 'expires',
  personal: ['pk'],
  whenUnreadable: 'left out',
  meaning: 'Orders are credited to the clicks that can be read.',
});
export const ORDER_CLAIM = defineKind({
  what: 'claim of an order',
  table: 'analytics',
  key: { pk: '{merchant}#order#{order...}', sk: '~' },
  attribute: null,
  schema: z.looseObject({ e: z.string(), i: z.string(), t: z.number(), expires: z.number() }),
  expires: 'expires',
  personal: [],
  whenUnreadable: 'absent',
  meaning: 'The event that asks is counted as its order, once, and credited to no earlier click.',
});

export function createAttributionStore(
  db: DynamoDBDocumentClient,
  table: string,
  quarantine: ItemQuarantine = () => {},
): AttributionStore {
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
        items.flatMap((item) => {
          const touch = decodeOrSetAside(TOUCH, item, quarantine);
          if (touch === undefined) return [];
          return [
            [String(item.pk).slice(prefix.length), { platform: touch.p, atMs: touch.t } satisfies Touch],
          ];
        }),
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
      // Deleted between the two calls, long after its window: the next claim succeeds.
      return seen === undefined ? claim : standing(decodeItem(ORDER_CLAIM, seen));
    },

    async forgetTouches(merchantId, keys) {
      for (const key of keys)
        await db.send(new DeleteCommand({ TableName: table, Key: touchKey(merchantId, key) }));
    },
  };
}

const expiry = (atMs: number): number => Math.ceil((atMs + ATTRIBUTION_WINDOW_MS) / 1_000);

const standing = ({ e, i, t }: z.output<typeof ORDER_CLAIM.schema>): OrderClaim => ({
  eventId: e,
  ingestId: i,
  receivedAtMs: t,
});
