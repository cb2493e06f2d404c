// First clicks on DynamoDB, in the table of counters. Each is a partition of its own.
//   pk <merchant>#touch#<key>   sk `~`   p platform   t clicked, milliseconds
//   expires  seconds: deleted by DynamoDB some day after it; until then its window is what counts

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { ATTRIBUTION_WINDOW_MS, type Touch } from '#lib/events/domain/analytics/attribution.ts';
import type { AttributionStore } from '#lib/events/ports/attribution-store.ts';
import { type Db, deleteItem, updateItem } from '../core/items/commands.ts';
import { readItems } from '../core/items/read-items.ts';

const SK = '~';

export const TOUCH = defineKind({
  what: 'first click',
  table: 'analytics',
  key: { pk: '{merchant}#touch#{key...}', sk: '~' },
  attribute: null,
  schema: z.looseObject({ p: z.string(), t: z.number(), expires: z.number() }),
  expires: 'expires',
  personal: ['pk'],
  whenUnreadable: 'left out',
  meaning: 'Orders are credited to the clicks that can be read.',
});
export function createAttributionStore(
  db: Db,
  table: string,
  quarantine: ItemQuarantine = () => {},
): AttributionStore {
  const analytics = { db, table };
  const touchKey = (merchantId: string, key: string) => ({ pk: `${merchantId}#touch#${key}`, sk: SK });
  return {
    async touches(merchantId, keys, consistency) {
      if (keys.length === 0) return new Map();
      const prefix = touchKey(merchantId, '').pk;
      const wanted = keys.map((key) => touchKey(merchantId, key));
      const items = await readItems(db, table, wanted, consistency === 'strong');
      return new Map(
        items.flatMap((item): [string, Touch][] => {
          const touch = decodeOrSetAside(TOUCH, item, quarantine);
          if (touch === undefined) return [];
          return [[String(item.pk).slice(prefix.length), { platform: touch.p, atMs: touch.t }]];
        }),
      );
    },

    async addTouch(merchantId, key, { platform, atMs }) {
      await updateItem(analytics, touchKey(merchantId, key), {
        update: 'SET p = :platform, t = :at, expires = :expires',
        condition: 'attribute_not_exists(t) OR t > :at OR t < :over',
        values: { ':platform': platform, ...windowOf(atMs) },
      });
    },

    async forgetTouches(merchantId, keys) {
      for (const key of keys) await deleteItem(analytics, touchKey(merchantId, key));
    },
  };
}

const windowOf = (atMs: number) => ({
  ':at': atMs,
  ':over': atMs - ATTRIBUTION_WINDOW_MS,
  ':expires': Math.ceil((atMs + ATTRIBUTION_WINDOW_MS) / 1_000),
});
