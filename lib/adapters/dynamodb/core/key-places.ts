// The list of a merchant's API keys: an item for each, which points at the key by its hash and takes a place among them.
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { ApiKeyRecord } from '../../../core/tenancy/api-key.ts';
import type { ApiKeyStore } from '../../../core/tenancy/api-key-store.ts';
import { judgeKeyPlaces } from '../../../core/tenancy/key-places.ts';
import { apiKeyKey, apiKeyPointerKey } from './config-item.ts';
import { merchantItems } from './merchant-items.ts';
import { readItems } from './read-items.ts';

interface KeyPlaces extends Pick<ApiKeyStore, 'claimKeyPlace' | 'listApiKeys'> {
  take(record: ApiKeyRecord): Promise<void>;
}

export function createKeyPlaces(db: DynamoDBDocumentClient, table: string): KeyPlaces {
  const pointers = (merchantId: string) => merchantItems(db, table, merchantId, 'KEY#');
  const recordsOf = async (of: readonly Record<string, unknown>[]): Promise<ApiKeyRecord[]> => {
    const keys = of.map((pointer) => apiKeyKey(String(pointer.sha256)));
    return (await readItems(db, table, keys, true)).map((item) => item.record as ApiKeyRecord);
  };
  const take: KeyPlaces['take'] = async ({ merchantId, keyId, sha256, createdAtMs: claimedAtMs }) => {
    const Item = { ...apiKeyPointerKey(merchantId, keyId), sha256, claimedAtMs };
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
      const { isFull, dropped } = judgeKeyPlaces(places, nowMs);
      await Promise.all((isFull ? [...dropped, keyId] : dropped).map((id) => drop(merchantId, id)));
      return !isFull;
    },

    async listApiKeys(merchantId) {
      const records = await recordsOf(await pointers(merchantId));
      return records.sort((a, b) => b.createdAtMs - a.createdAtMs || (a.keyId < b.keyId ? -1 : 1));
    },
  };
}
