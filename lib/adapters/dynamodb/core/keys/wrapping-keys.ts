// Keys of the deployment under which data keys are sealed, themselves wrapped by KMS or a key file. Made when first needed, never
// changed and never deleted. The layout is in config-item.ts.

import * as z from 'zod';
import type { WrappingKeyStore } from '#lib/core/ports/data-keys.ts';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { formatAttribute } from '#lib/core/record/stored-item.ts';
import { type Db, firstValue, readItem } from '../items/commands.ts';
import { wrappingKeyKey } from '../items/config-item.ts';

export const wrappedBytes = z.instanceof(Uint8Array).refine(({ byteLength }) => byteLength > 0);

export const WRAPPING_KEY = defineKind<Uint8Array>({
  what: 'wrapping key',
  table: 'config',
  key: { pk: 'WRAP#{number}', sk: 'WRAP' },
  attribute: 'wrapped',
  schema: wrappedBytes,
  personal: [],
  whenUnreadable: 'wait',
  meaning: 'What the data keys under it seal is tried again; no other key is made in its place.',
});

export function createWrappingKeyStore(db: Db, table: string): WrappingKeyStore {
  const config = { db, table };
  return {
    read: (number) => readItem(config, wrappingKeyKey(number), WRAPPING_KEY),

    async create(number, wrapped) {
      const item = { ...wrappingKeyKey(number), ...formatAttribute(WRAPPING_KEY), wrapped };
      return await firstValue(config, item, WRAPPING_KEY, wrapped);
    },
  };
}
