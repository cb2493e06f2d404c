// What the pipeline reads of the config table. Every read is one consistent GetItem.
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ApiKeyRecord } from '../../../core/tenancy/api-key.ts';
import type { Merchant } from '../../../core/tenancy/merchant.ts';
import type { ConfigStore } from '../../../events/ports/config-store.ts';
import { isConditionFailure } from '../core/client.ts';
import {
  apiKeyKey,
  type ItemKey,
  profileKey,
  routingFromItem,
  routingKey,
  snapshotOf,
} from '../core/config-item.ts';

export function createConfigStore(db: DynamoDBDocumentClient, table: string): ConfigStore {
  const read = async (key: ItemKey): Promise<Record<string, unknown> | undefined> =>
    (await db.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }))).Item;

  return {
    apiKey: async (sha256) => ((await read(apiKeyKey(sha256)))?.record as ApiKeyRecord | undefined) ?? null,

    merchant: async (merchantId) =>
      ((await read(profileKey(merchantId)))?.merchant as Merchant | undefined) ?? null,

    currentRouting: async (merchantId) =>
      snapshotOf(merchantId, routingFromItem(await read(routingKey(merchantId)))),

    async connection(merchantId, platform) {
      const { connections } = routingFromItem(await read(routingKey(merchantId)));
      return Object.hasOwn(connections, platform) ? (connections[platform] ?? null) : null;
    },

    async pauseConnection(seen, reason, nowMs) {
      try {
        await db.send(
          new UpdateCommand({
            TableName: table,
            Key: routingKey(seen.merchantId),
            UpdateExpression:
              'SET c.#p.#status = :paused, c.#p.pausedReason = :reason, c.#p.pausedAtMs = :now, c.#p.updatedAtMs = :now',
            ConditionExpression:
              'c.#p.id = :id AND c.#p.#status = :active AND c.#p.sealedCredentials = :credentials',
            ExpressionAttributeNames: { '#p': seen.platform, '#status': 'status' },
            ExpressionAttributeValues: {
              ':paused': 'paused',
              ':active': 'active',
              ':reason': reason,
              ':now': nowMs,
              ':id': seen.id,
              ':credentials': seen.sealedCredentials,
            },
          }),
        );
        return true;
      } catch (error) {
        if (isConditionFailure(error)) return false;
        throw error;
      }
    },
  };
}
