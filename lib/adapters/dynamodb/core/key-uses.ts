// When API keys were last used. Guarantees: of all processes that saw a key used in five minutes one writes; the others read
// what it wrote, and lose on its condition where they did not. Nobody waits for it: see noted-keys.ts.
//   pk USED#<merchant>   sk key id   at ms
import { type DynamoDBDocumentClient, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { KEY_USE_EVERY_MS, type KeyUseStore } from '../../../core/tenancy/api-key-store.ts';
import { conditional } from './conditional.ts';
import { keyUsesPartition } from './config-item.ts';
import { everyItem } from './every-item.ts';

export function createKeyUseStore(db: DynamoDBDocumentClient, table: string): KeyUseStore {
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
      for await (const item of everyItem(readPage)) uses.set(String(item.sk), Number(item.at));
      return uses;
    },
  };
}
