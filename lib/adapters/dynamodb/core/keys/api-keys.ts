// API keys on DynamoDB, each under the SHA-256 of its secret, in 16 items: the record and 15 copies, so that one key may be
// read 48,000 times a second. A request reads one of them, whichever chance picks.
// Guarantees: read consistently, so that a revoked key fails at the next request; the first revocation is final. It returns
// when all 16 are revoked, those included that were missing, and whoever makes copies never writes over one: so none can
// come to life afterwards. A copy that is missing or cannot be read is no answer: the record is read. A key whose record cannot
// be read opens nothing and can be revoked.

import * as z from 'zod';
import type { Random } from '#lib/core/ports/clock.ts';
import {
  decodeItem,
  decodeOrSetAside,
  formatAttribute,
  type StoredKind,
} from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { type KeyProduct, productOf } from '#lib/core/tenancy/api-key.ts';
import type { ApiKeyStore } from '#lib/core/tenancy/api-key-store.ts';
import { type Db, getItem, IF_NEW, putItem, readItem, updatedItem } from '../items/commands.ts';
import { apiKeyKey, apiKeyPointerKey, profileKey } from '../items/config-item.ts';
import { keyMarksIn } from '../tenancy/operator-word.ts';
import { API_KEY, createKeyList, isOfProduct } from './key-list.ts';

/** The record among them. More of them is a change for keys that are made from then on. */
export const KEY_COPIES = 16;

/** What revoking needs of a record; the rest may be what this release cannot read. */
const revocable = z.looseObject({ revokedAtMs: z.number().exactOptional() });
const REVOCABLE: StoredKind<z.output<typeof revocable>> = {
  what: 'API key',
  attribute: 'record',
  schema: revocable,
  ...(API_KEY.upgrades === undefined ? {} : { upgrades: API_KEY.upgrades }),
};

export function createApiKeyStore(
  db: Db,
  table: string,
  random: Pick<Random, 'next'>,
  product: KeyProduct = 'evk',
  quarantine: ItemQuarantine = () => {},
): ApiKeyStore {
  const config = { db, table };
  const itemOf = (sha256: string, copy: number, record: object) => ({
    ...apiKeyKey(sha256, copy),
    ...formatAttribute(API_KEY),
    record,
  });

  const { writePointer, ...list } = createKeyList(db, table, product, quarantine);

  return {
    ...list,

    async apiKey(sha256) {
      const copy = Math.floor(random.next() * KEY_COPIES);
      const item = copy === 0 ? undefined : await getItem(config, apiKeyKey(sha256, copy));
      const copied = item === undefined ? undefined : decodeOrSetAside(API_KEY, item, quarantine);
      const record = copied ?? (await readItem(config, apiKeyKey(sha256), API_KEY));
      return record !== null && productOf(record.prefix) === product ? record : null;
    },

    async putApiKey(record) {
      // The pointer first: a key that no list shows could not be revoked.
      await writePointer(record);
      // Behind the pointer: who suspends the merchant after this was read finds the place of the key.
      const marked = { ...record, ...keyMarksIn(await getItem(config, profileKey(record.merchantId))) };
      if (!(await putItem(config, itemOf(record.sha256, 0, marked), IF_NEW)))
        throw new Error('there is such a key already');
      // One that is there already is this one, put twice, or revoked meanwhile.
      await eachCopy((copy) => putItem(config, itemOf(record.sha256, copy, marked), IF_NEW));
    },

    async revokeApiKey(merchantId, keyId, nowMs) {
      const pointer = await getItem(config, apiKeyPointerKey(merchantId, keyId));
      if (pointer === undefined || !isOfProduct(product, pointer)) return null;
      const sha256 = String(pointer.sha256);
      const revocation = {
        update: 'SET #record.revokedAtMs = if_not_exists(#record.revokedAtMs, :now)',
        condition: '#record.merchantId = :merchant',
        names: { '#record': 'record' },
        values: { ':now': nowMs, ':merchant': merchantId },
      };
      const revoked = await updatedItem(config, apiKeyKey(sha256), revocation, 'ALL_OLD');
      if (revoked === null) return null;
      const before = decodeItem(REVOCABLE, revoked);
      const record = { ...before, revokedAtMs: before.revokedAtMs ?? nowMs };
      // Whatever is there, and where nothing is: a copy that is made later finds its place taken.
      await eachCopy((copy) => putItem(config, itemOf(sha256, copy, record)));
      return { by: before.revokedAtMs === undefined ? 'this' : 'earlier', atMs: record.revokedAtMs };
    },
  };
}

async function eachCopy(write: (copy: number) => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: KEY_COPIES - 1 }, (_, i) => write(i + 1)));
}
