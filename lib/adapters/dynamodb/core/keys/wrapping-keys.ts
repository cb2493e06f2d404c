// Keys of the deployment under which data keys are sealed, themselves wrapped by KMS or a key file. Made when first needed, never
// changed and never deleted; a rotation has new ones made beside them. The layout is in config-item.ts.

import * as z from 'zod';
import type { WrappingKeyStore } from '#lib/core/ports/data-keys.ts';
import type { Rotation } from '#lib/core/ports/key-rotation.ts';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { formatAttribute } from '#lib/core/record/stored-item.ts';
import { type Db, firstValue, readItem } from '../items/commands.ts';
import { ROTATION_KEY, wrappingKeyKey } from '../items/config-item.ts';

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

const GENERATION = z.looseObject({
  generation: z.int().min(0),
  beganAtMs: z.number(),
  endedAtMs: z.number().nullable(),
});

export const ROTATION = defineKind<Rotation>({
  what: 'rotation of wrapping keys',
  table: 'config',
  key: { pk: 'WRAP#ROTATION', sk: 'ROTATION' },
  attribute: 'rotation',
  schema: GENERATION,
  personal: [],
  whenUnreadable: 'wait',
  meaning: 'No data key is made until it can be read.',
});

export function createWrappingKeyStore(db: Db, table: string): WrappingKeyStore {
  const config = { db, table };
  return {
    generation: async () => (await readItem(config, ROTATION_KEY, ROTATION))?.generation ?? 0,

    read: (number) => readItem(config, wrappingKeyKey(number), WRAPPING_KEY),

    async create(number, wrapped) {
      const item = { ...wrappingKeyKey(number), ...formatAttribute(WRAPPING_KEY), wrapped };
      return await firstValue(config, item, WRAPPING_KEY, wrapped);
    },
  };
}
