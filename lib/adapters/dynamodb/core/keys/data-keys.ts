// Wrapped data keys in the config table. A key is made where an earlier release makes and looks for it, in the partition that a
// merchant's items share, and copied from there to a partition of its own, which is what the other functions are granted. Until
// it is replaced (key-rotation.ts) or its merchant removed either item is right; the place where it is made decides which of two is
// the merchant's. Guarantees: one data key a merchant, whichever releases run. The layout is in config-item.ts.
// In the first format it was wrapped by KMS or the key file itself. In the second it names the wrapping key that it is sealed under,
// so that the release before, which would have KMS open it, finds a format that it does not know, and waits.

import * as z from 'zod';
import type { DataKeyStore, SealedDataKey, WrappedDataKey } from '#lib/core/ports/data-keys.ts';
import type { KeyRotation } from '#lib/core/ports/key-rotation.ts';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { formatAttribute } from '#lib/core/record/stored-item.ts';
import { type Db, deleteItem, firstValue, IF_NEW, putItem, readItem } from '../items/commands.ts';
import { dataKeyKey, type ItemKey, keyRotationKey, madeDataKeyKey } from '../items/config-item.ts';
import { createWrappingKeyStore, wrappedBytes } from './wrapping-keys.ts';

const sealed: z.ZodType<SealedDataKey> = z.looseObject({ under: z.int().min(0), bytes: wrappedBytes });

export const DATA_KEY = defineKind<WrappedDataKey>({
  what: 'data key',
  table: 'config',
  key: { pk: 'DATAKEY#{merchant}', sk: 'DATAKEY' },
  formerKey: { pk: 'M#{merchant}', sk: 'DATAKEY' },
  attribute: 'wrapped',
  schema: z.union([wrappedBytes, sealed]),
  // A key of the first format stays what it is.
  upgrades: [(wrapped) => wrapped],
  personal: [],
  whenUnreadable: 'wait',
  meaning: 'What it seals is tried again; no other key is made in its place.',
});

const REPLACED = z.looseObject({
  former: z.array(z.union([wrappedBytes, sealed])),
  switchedAtMs: z.number().nullable(),
  resealedAtMs: z.number().nullable(),
  version: z.number(),
});

export const KEY_ROTATION = defineKind<KeyRotation>({
  what: 'former data keys',
  table: 'config',
  key: { pk: 'DATAKEY#{merchant}', sk: 'ROTATION' },
  attribute: 'keys',
  schema: REPLACED,
  personal: [],
  whenUnreadable: 'wait',
  meaning: 'What they sealed is tried again.',
});

export interface StoredDataKeys extends DataKeyStore {
  /** False where there is nothing to copy: no key, or it lies in its own partition. */
  copy(merchantId: string): Promise<boolean>;
  /** What it sealed cannot be opened any more, by a process that has it in memory five minutes later. */
  remove(merchantId: string): Promise<void>;
}

/** A copy of what an earlier release made stays in its format, in which that release reads it. */
export const dataKeyItem = (key: ItemKey, wrapped: WrappedDataKey) => ({
  ...key,
  ...(wrapped instanceof Uint8Array ? {} : formatAttribute(DATA_KEY)),
  wrapped,
});

export function createDataKeyStore(db: Db, table: string): StoredDataKeys {
  const config = { db, table };
  const readAt = (key: ItemKey) => readItem(config, key, DATA_KEY);
  const copyTo = (merchantId: string, wrapped: WrappedDataKey): Promise<boolean> =>
    putItem(config, dataKeyItem(dataKeyKey(merchantId), wrapped), IF_NEW);
  return {
    wrappingKeys: createWrappingKeyStore(db, table),

    read: async (merchantId) =>
      (await readAt(dataKeyKey(merchantId))) ?? (await readAt(madeDataKeyKey(merchantId))),

    async create(merchantId, wrapped) {
      const made = dataKeyItem(madeDataKeyKey(merchantId), wrapped);
      const stored = await firstValue(config, made, DATA_KEY, wrapped);
      await copyTo(merchantId, stored);
      return stored;
    },

    former: async (merchantId) =>
      (await readItem(config, keyRotationKey(merchantId), KEY_ROTATION))?.former ?? [],

    async copy(merchantId) {
      const made = await readAt(madeDataKeyKey(merchantId));
      return made !== null && (await copyTo(merchantId, made));
    },

    async remove(merchantId) {
      // Where it is made first: a copy of it cannot come back.
      await deleteItem(config, madeDataKeyKey(merchantId));
      await deleteItem(config, dataKeyKey(merchantId));
      await deleteItem(config, keyRotationKey(merchantId));
    },
  };
}
