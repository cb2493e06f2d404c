// When API keys were last used. Guarantees: of all processes that saw a key used in five minutes one writes; the others read
// what it wrote, and lose on its condition where they did not. Nobody waits for it: see noted-keys.ts.
//   pk USED#<merchant>   sk key id   at ms

import { type DynamoDBDocumentClient, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { KEY_USE_EVERY_MS, type KeyUseStore } from '#lib/core/tenancy/api-key-store.ts';
import { conditional } from '../items/conditional.ts';
import { keyUsesPartition } from '../items/config-item.ts';
import { everyItem } from '../items/every-item.ts';

export const KEY_USE = defineKind<number>({
  what: 'use of an API key',
  table: 'config',
  key: { pk: 'USED#{merchant}', sk: '{key id}' },
  attribute: 'at',
  schema: z.number(),
  expires: null,
  personal: [],
  whenUnreadable: 'absent',
  meaning: 'The key is listed as never used.',
});

export function createKeyUseStore(
  db: DynamoDBDocumentClient,
  table: string,
  quarantine: ItemQuarantine = () => {},
): KeyUseStore {
  return {
    async noteKeyUse(merchantId, keyId, nowMs) {
      const Key = { pk: keyUsesPartition(merchantId), sk: keyId };
      const beforeMs = nowMs - KEY_USE_EVERY_MS;
      // A read costs a tenth of a write that loses.
      const { Item: item } = await db.send(new GetCommand({ TableName: table, Key }));
      if (item !== undefined && Number(item.at) > beforeMs) return;
      await conditional(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key,
            UpdateExpression: 'SET #at = :now',
            ConditionExpression: 'attribute_not_exists(#at) OR #at <= :before',
            ExpressionAttributeNames: { '#at': 'at' },
            ExpressionAttributeValues: { ':now': nowMs, ':before': beforeMs },
          }),
        ),
      );
    },

    async keyUses(merchantId) {
      const uses = new Map<string, number>();
      const readPage = (from: object) =>
        db.send(
          new QueryCommand({
            TableName: table,
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': keyUsesPartition(merchantId) },
            ...from,
          }),
        );
      for await (const item of everyItem(readPage)) {
        const at = decodeOrSetAside(KEY_USE, item, quarantine);
        if (at !== undefined) uses.set(String(item.sk), at);
      }
      return uses;
    },
  };
}
