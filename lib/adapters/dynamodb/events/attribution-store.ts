// First clicks and claims of orders on DynamoDB, in the table of counters. Each is a partition of its own.
//   pk <merchant>#touch#<key>     sk `~`   p platform   t clicked, milliseconds
//   pk <merchant>#order#<order>   sk `~`   e event id   i ingest id   t received, milliseconds
//   expires  seconds: deleted by DynamoDB some day after it; until then its window is what counts

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, decodeOrSetAside } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { ATTRIBUTION_WINDOW_MS, type Touch } from '#lib/events/domain/analytics/attribution.ts';
import type { AttributionStore } from '#lib/events/ports/attribution-store.ts';
import { type Db, deleteItem, getItem, updateItem } from '../core/items/commands.ts';
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
export const ORDER_CLAIM = defineKind({
  what: 'claim of an order',
  table: 'analytics',
  key: { pk: '{merchant}#order#{order...}', sk: '~' },
  attribute: null,
  schema: z.looseObject({ e: z.string(), i: z.string(), t: z.number(), expires: z.number() }),
  expires: 'expires',
  personal: [],
  whenUnreadable: 'absent',
  meaning: 'The event that asks is counted as its order, once, and credited to no earlier click.',
});

export function createAttributionStore(
  db: Db,
  table: string,
  quarantine: ItemQuarantine = () => {},
): AttributionStore {
  const analytics = { db, table };
  const touchKey = (merchantId: string, key: string) => ({ pk: `${merchantId}#touch#${key}`, sk: SK });
  return {
    async touches(merchantId, keys) {
      if (keys.length === 0) return new Map();
      const prefix = touchKey(merchantId, '').pk;
      const wanted = keys.map((key) => touchKey(merchantId, key));
      const items = await readItems(db, table, wanted, false);
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

    async claimOrder(merchantId, order, claim) {
      const { eventId, ingestId, receivedAtMs } = claim;
      const key = { pk: `${merchantId}#order#${order}`, sk: SK };
      const isClaimed = await updateItem(analytics, key, {
        update: 'SET e = :event, i = :ingest, t = :at, expires = :expires',
        condition: 'attribute_not_exists(t) OR t < :over',
        values: { ':event': eventId, ':ingest': ingestId, ...windowOf(receivedAtMs) },
      });
      if (isClaimed) return claim;
      const seen = await getItem(analytics, key);
      // Deleted between the two calls, long after its window: the next claim succeeds.
      if (seen === undefined) return claim;
      const { e, i, t } = decodeItem(ORDER_CLAIM, seen);
      return { eventId: e, ingestId: i, receivedAtMs: t };
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
