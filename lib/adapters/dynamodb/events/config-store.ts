// What the pipeline reads of the config table. Every read is one consistent GetItem.
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ApiKeyRecord } from '../../../core/tenancy/api-key.ts';
import type { Merchant } from '../../../core/tenancy/merchant.ts';
import type { ConfigStore } from '../../../events/ports/config-store.ts';
import { conditional } from '../core/conditional.ts';
import {
  apiKeyKey,
  type ItemKey,
  profileKey,
  routingFromItem,
  routingKey,
  snapshotOf,
} from '../core/config-item.ts';

/** Attributes of the profile, one for each name: `sn:Purchase`. */
const SERVER_NAME = 'sn:';

export function createConfigStore(db: DynamoDBDocumentClient, table: string): ConfigStore {
  const read = async (key: ItemKey): Promise<Record<string, unknown> | undefined> =>
    (await db.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }))).Item;

  return {
    apiKey: async (sha256) => ((await read(apiKeyKey(sha256)))?.record as ApiKeyRecord | undefined) ?? null,

    async merchant(merchantId) {
      const item = await read(profileKey(merchantId));
      const merchant = item?.merchant as Merchant | undefined;
      if (merchant === undefined) return null;
      const names = serverEventNames(item ?? {});
      return Object.keys(names).length === 0 ? merchant : { ...merchant, serverEventNames: names };
    },

    addServerEventName: (...args) => addServerEventName(db, table, ...args),

    currentRouting: async (merchantId) =>
      snapshotOf(merchantId, routingFromItem(await read(routingKey(merchantId)))),

    async connection(merchantId, platform) {
      const { connections } = routingFromItem(await read(routingKey(merchantId)));
      return Object.hasOwn(connections, platform) ? (connections[platform] ?? null) : null;
    },

    async pauseConnection(seen, reason, nowMs) {
      const written = await conditional(
        db.send(
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
        ),
      );
      return written !== null;
    },
  };
}

function serverEventNames(item: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(item).flatMap(([attribute, sinceMs]) =>
      attribute.startsWith(SERVER_NAME) ? [[attribute.slice(SERVER_NAME.length), Number(sinceMs)]] : [],
    ),
  );
}

async function addServerEventName(
  db: DynamoDBDocumentClient,
  table: string,
  merchantId: string,
  name: string,
  nowMs: number,
): Promise<void> {
  await conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: profileKey(merchantId),
        UpdateExpression: 'SET #name = :now',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#name)',
        ExpressionAttributeNames: { '#name': SERVER_NAME + name },
        ExpressionAttributeValues: { ':now': nowMs },
      }),
    ),
  );
}
