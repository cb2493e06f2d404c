// API keys on DynamoDB, each under the SHA-256 of its secret, in 16 items: the record and 15 copies, so that one key may be
// read 48,000 times a second. A request reads one of them, whichever chance picks.
// Guarantees: read consistently, so that a revoked key fails at the next request; the first revocation is final. It returns
// when all 16 are revoked, those included that were missing, and whoever makes copies never writes over one: so none can
// come to life afterwards. A copy that is missing is no answer: the record is read.

import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Random } from '../../../core/ports/clock.ts';
import { type ApiKeyRecord, type KeyProduct, productOf } from '../../../core/tenancy/api-key.ts';
import type { ApiKeyStore } from '../../../core/tenancy/api-key-store.ts';
import { conditional } from './conditional.ts';
import { apiKeyKey, apiKeyPointerKey, type ItemKey } from './config-item.ts';
import { createKeyPlaces, isPlaceOf } from './key-places.ts';

/** The record among them. More of them is a change for keys that are made from then on. */
const COPIES = 16;

export function createApiKeyStore(
  db: DynamoDBDocumentClient,
  table: string,
  random: Pick<Random, 'next'>,
  product: KeyProduct = 'evk',
): ApiKeyStore {
  const read = async (key: ItemKey): Promise<Record<string, unknown> | undefined> =>
    (await db.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }))).Item;

  const { take, ...places } = createKeyPlaces(db, table, product);

  return {
    ...places,

    async apiKey(sha256) {
      const copy = Math.floor(random.next() * COPIES);
      const item = await read(apiKeyKey(sha256, copy));
      const found = item ?? (copy === 0 ? undefined : await read(apiKeyKey(sha256)));
      const record = found?.record as ApiKeyRecord | undefined;
      return record !== undefined && productOf(record.prefix) === product ? record : null;
    },

    async putApiKey(record) {
      // The pointer first: a key that no list shows could not be revoked.
      await take(record);
      await db.send(putIfMissing(table, record, 0));
      // One that is there already is this one, put twice, or revoked meanwhile.
      await eachCopy((copy) => conditional(db.send(putIfMissing(table, record, copy))));
    },

    async revokeApiKey(merchantId, keyId, nowMs) {
      const pointer = await read(apiKeyPointerKey(merchantId, keyId));
      if (pointer === undefined || !isPlaceOf(product, pointer)) return null;
      const revoked = await conditional(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: apiKeyKey(String(pointer.sha256)),
            UpdateExpression: 'SET #record.revokedAtMs = if_not_exists(#record.revokedAtMs, :now)',
            ConditionExpression: '#record.merchantId = :merchant',
            ExpressionAttributeNames: { '#record': 'record' },
            ExpressionAttributeValues: { ':now': nowMs, ':merchant': merchantId },
            ReturnValues: 'ALL_OLD',
          }),
        ),
      );
      if (revoked === null) return null;
      const before = revoked.Attributes?.record as ApiKeyRecord;
      const record = { ...before, revokedAtMs: before.revokedAtMs ?? nowMs };
      // Whatever is there, and where nothing is: a copy that is made later finds its place taken.
      await eachCopy((copy) =>
        db.send(new PutCommand({ TableName: table, Item: { ...apiKeyKey(record.sha256, copy), record } })),
      );
      return { by: before.revokedAtMs === undefined ? 'this' : 'earlier', atMs: record.revokedAtMs };
    },
  };
}

async function eachCopy(write: (copy: number) => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: COPIES - 1 }, (_, i) => write(i + 1)));
}

const putIfMissing = (table: string, record: ApiKeyRecord, copy: number) =>
  new PutCommand({
    TableName: table,
    Item: { ...apiKeyKey(record.sha256, copy), record },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
