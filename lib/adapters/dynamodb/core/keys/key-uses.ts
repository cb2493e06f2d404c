// When API keys were last used. Guarantees: of all processes that saw a key used in five minutes one writes; the others read
// what it wrote, and lose on its condition where they did not. Nobody waits for it: see noted-keys.ts.
//   pk USED#<merchant>   sk key id   at ms

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { KEY_USE_EVERY_MS, type KeyUseStore } from '#lib/core/tenancy/api-key-store.ts';
import { type Db, getItem, updateItem } from '../items/commands.ts';
import { keyUsesPartition } from '../items/config-item.ts';
import { itemsOf } from '../items/query.ts';

export const KEY_USE = defineKind<number>({
  what: 'use of an API key',
  table: 'config',
  key: { pk: 'USED#{merchant}', sk: '{key id}' },
  attribute: 'at',
  schema: z.number(),
  personal: [],
  whenUnreadable: 'absent',
  meaning: 'The key is listed as never used.',
});

export function createKeyUseStore(db: Db, table: string, quarantine: ItemQuarantine = () => {}): KeyUseStore {
  const config = { db, table };
  return {
    async noteKeyUse(merchantId, keyId, nowMs) {
      const key = { pk: keyUsesPartition(merchantId), sk: keyId };
      const beforeMs = nowMs - KEY_USE_EVERY_MS;
      // A read costs a tenth of a write that loses.
      const item = await getItem(config, key, 'eventual');
      if (item !== undefined && Number(item.at) > beforeMs) return;
      await updateItem(config, key, {
        update: 'SET #at = :now',
        condition: 'attribute_not_exists(#at) OR #at <= :before',
        names: { '#at': 'at' },
        values: { ':now': nowMs, ':before': beforeMs },
      });
    },

    async keyUses(merchantId) {
      const uses = new Map<string, number>();
      const partition = { hash: keyUsesPartition(merchantId), consistency: 'eventual' } as const;
      for await (const item of itemsOf(config, partition)) {
        const at = decodeOrSetAside(KEY_USE, item, quarantine);
        if (at !== undefined) uses.set(String(item.sk), at);
      }
      return uses;
    },
  };
}
