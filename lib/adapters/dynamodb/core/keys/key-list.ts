// The list of a merchant's API keys: an item for each, which points at the key by its hash, says which product it is of, and
// takes a place among those of that product.

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside, formatAttribute, type Item } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import {
  ACTIVE_KEYS_MAX,
  type ApiKeyRecord,
  type KeyProduct,
  productOf,
  STORED_API_KEY,
} from '#lib/core/tenancy/api-key.ts';
import type { ApiKeyStore } from '#lib/core/tenancy/api-key-store.ts';
import { judgeKeyPlaces } from '#lib/core/tenancy/key-places.ts';
import { type Db, deleteItem, putItem } from '../items/commands.ts';
import { apiKeyKey, apiKeyPointerKey } from '../items/config-item.ts';
import { readItems } from '../items/read-items.ts';
import { merchantItems } from '../tenancy/merchant-items.ts';

export const API_KEY = defineKind<ApiKeyRecord>({
  what: 'API key',
  table: 'config',
  key: { pk: 'KEY#{sha256}', sk: 'KEY' },
  attribute: 'record',
  schema: STORED_API_KEY,
  personal: ['name', 'createdBy'],
  whenUnreadable: 'left out',
  meaning: 'It opens nothing, keeps its place among the keys, and can be revoked.',
});

/** One of those that spread the reads of a key over partitions. */
export const API_KEY_COPY = defineKind<ApiKeyRecord>({
  ...API_KEY,
  what: 'copy of an API key',
  key: { pk: 'KEY#{sha256}#{copy}', sk: 'KEY' },
  whenUnreadable: 'absent',
  meaning: 'The key itself is read instead.',
});

const pointerSchema = z.looseObject({
  sk: z.string(),
  sha256: z.string(),
  claimedAtMs: z.number().exactOptional(),
});
type Pointer = z.output<typeof pointerSchema>;
export const POINTER = defineKind<Pointer>({
  what: 'pointer to an API key',
  table: 'config',
  key: { pk: 'M#{merchant}', sk: 'KEY#{key id}' },
  attribute: null,
  schema: pointerSchema,
  personal: [],
  whenUnreadable: 'left out',
  meaning: 'Its key is in no list and cannot be revoked until it can be read; it opens what it opened.',
});

interface KeyList extends Pick<ApiKeyStore, 'claimKeyPlace' | 'listApiKeys'> {
  writePointer(record: ApiKeyRecord): Promise<void>;
}

/** An item that says nothing is older than the second product. */
export const isOfProduct = (product: KeyProduct, pointer: Record<string, unknown>): boolean =>
  (pointer.product ?? 'evk') === product;

export function createKeyList(
  db: Db,
  table: string,
  product: KeyProduct,
  quarantine: ItemQuarantine,
): KeyList {
  const config = { db, table };
  const pointers = async (merchantId: string) =>
    await merchantItems(config, merchantId, 'KEY#', {
      decode: (item: Item) =>
        isOfProduct(product, item) ? decodeOrSetAside(POINTER, item, quarantine) : undefined,
    });
  /** By partition. Undefined: there is one that cannot be read. */
  const recordsOf = async (of: readonly Pointer[]) => {
    const keys = of.map((pointer) => apiKeyKey(pointer.sha256));
    const items = await readItems(db, table, keys, true);
    return new Map(items.map((item) => [item.pk, decodeOrSetAside(API_KEY, item, quarantine)]));
  };
  const writePointer: KeyList['writePointer'] = async (record) => {
    const { merchantId, keyId, sha256, createdAtMs: claimedAtMs } = record;
    if (productOf(record.prefix) !== product) throw new Error(`a key of another product than ${product}`);
    const key = apiKeyPointerKey(merchantId, keyId);
    await putItem(config, { ...key, ...formatAttribute(POINTER), sha256, claimedAtMs, product });
  };
  const drop = (merchantId: string, keyId: string) => deleteItem(config, apiKeyPointerKey(merchantId, keyId));

  return {
    writePointer,

    async claimKeyPlace(record) {
      const { merchantId, keyId, createdAtMs: nowMs } = record;
      // Its own place first, then a look at all: whoever takes the last one has counted every other.
      await writePointer(record);
      const taken = await pointers(merchantId);
      const records = await recordsOf(taken);
      const places = taken.map(({ sk, sha256, claimedAtMs = 0 }) => {
        const { pk } = apiKeyKey(sha256);
        const record = records.get(pk);
        // A key that cannot be read keeps its place, as one that is being made.
        const isThere = record === undefined && records.has(pk);
        return { keyId: sk.slice('KEY#'.length), claimedAtMs: isThere ? nowMs : claimedAtMs, record };
      });
      const { isFull, dropped } = judgeKeyPlaces(places, ACTIVE_KEYS_MAX[product], nowMs);
      await Promise.all((isFull ? [...dropped, keyId] : dropped).map((id) => drop(merchantId, id)));
      return !isFull;
    },

    async listApiKeys(merchantId) {
      const records = await recordsOf(await pointers(merchantId));
      const readable = [...records.values()].filter((record) => record !== undefined);
      return readable.sort((a, b) => b.createdAtMs - a.createdAtMs || (a.keyId < b.keyId ? -1 : 1));
    },
  };
}
