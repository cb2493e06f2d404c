// The list of a merchant's API keys: an item for each, which points at the key by its hash, says which product it is of, and
// takes a place among those of that product.
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  ACTIVE_KEYS_MAX,
  type ApiKeyRecord,
  type KeyProduct,
  productOf,
} from '../../../core/tenancy/api-key.ts';
import type { ApiKeyStore } from '../../../core/tenancy/api-key-store.ts';
import { judgeKeyPlaces } from '../../../core/tenancy/key-places.ts';
import { apiKeyKey, apiKeyPointerKey } from './config-item.ts';
import { merchantItems } from './merchant-items.ts';
import { readItems } from './read-items.ts';

interface KeyPlaces extends Pick<ApiKeyStore, 'claimKeyPlace' | 'listApiKeys'> {
  take(record: ApiKeyRecord): Promise<void>;
}

/** An item that says nothing is older than the second product. */
export const isPlaceOf = (product: KeyProduct, pointer: Record<string, unknown>): boolean =>
  (pointer.product ?? 'evk') === product;

export function createKeyPlaces(db: DynamoDBDocumentClient, table: string, product: KeyProduct): KeyPlaces {
  const pointers = async (merchantId: string) =>
    (await merchantItems(db, table, merchantId, 'KEY#')).filter((pointer) => isPlaceOf(product, pointer));
  const recordsOf = async (of: readonly Record<string, unknown>[]): Promise<ApiKeyRecord[]> => {
    const keys = of.map((pointer) => apiKeyKey(String(pointer.sha256)));
    return (await readItems(db, table, keys, true)).map((item) => item.record as ApiKeyRecord);
  };
  const take: KeyPlaces['take'] = async (record) => {
    const { merchantId, keyId, sha256, createdAtMs: claimedAtMs } = record;
    if (productOf(record.prefix) !== product) throw new Error(`a key of another product than ${product}`);
    const Item = { ...apiKeyPointerKey(merchantId, keyId), sha256, claimedAtMs, product };
    await db.send(new PutCommand({ TableName: table, Item }));
  };
  const drop = (merchantId: string, keyId: string) =>
    db.send(new DeleteCommand({ TableName: table, Key: apiKeyPointerKey(merchantId, keyId) }));

  return {
    take,

    async claimKeyPlace(record) {
      const { merchantId, keyId, createdAtMs: nowMs } = record;
      // Its own place first, then a look at all: whoever takes the last one has counted every other.
      await take(record);
      const taken = await pointers(merchantId);
      const records = new Map((await recordsOf(taken)).map((one) => [one.sha256, one]));
      const places = taken.map((item) => ({
        keyId: String(item.sk).slice('KEY#'.length),
        claimedAtMs: Number(item.claimedAtMs),
        record: records.get(String(item.sha256)),
      }));
      const { isFull, dropped } = judgeKeyPlaces(places, ACTIVE_KEYS_MAX[product], nowMs);
      await Promise.all((isFull ? [...dropped, keyId] : dropped).map((id) => drop(merchantId, id)));
      return !isFull;
    },

    async listApiKeys(merchantId) {
      const records = await recordsOf(await pointers(merchantId));
      return records.sort((a, b) => b.createdAtMs - a.createdAtMs || (a.keyId < b.keyId ? -1 : 1));
    },
  };
}
