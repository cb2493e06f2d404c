// People whose later events are not to name them, in the table of counters: one item by digest, all of a merchant in one partition,
// so that they are counted by a query. No time to live: a person is on the list until taken off.
//   pk <merchant>#suppressed   sk <digest>   a  since when, ms   m  1: counted
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import type { SuppressedPeople } from '#lib/events/ports/attribution-store.ts';
import { type Db, deleteItem, updateItem } from '../core/items/commands.ts';
import { countOf } from '../core/items/query.ts';
import { readItems } from '../core/items/read-items.ts';

export const SUPPRESSED = defineKind({
  what: 'suppressed person',
  table: 'analytics',
  key: { pk: '{merchant}#suppressed', sk: '{digest}' },
  attribute: null,
  schema: z.looseObject({ a: z.number(), m: z.literal(1).optional() }),
  personal: ['sk'],
  whenUnreadable: 'left out',
  meaning: 'The person stays suppressed, as if from the beginning: that there is an item is what counts.',
});

export function createSuppressedPeople(db: Db, table: string, quarantine: ItemQuarantine): SuppressedPeople {
  const analytics = { db, table };
  const pkOf = (merchantId: string) => `${merchantId}#suppressed`;
  return {
    async suppressed(merchantId, digests) {
      const pk = pkOf(merchantId);
      const items = await readItems(
        db,
        table,
        digests.map((sk) => ({ pk, sk })),
        false,
      );
      return new Map(
        items.map((item) => [String(item.sk), decodeOrSetAside(SUPPRESSED, item, quarantine)?.a ?? 0]),
      );
    },

    async suppress(merchantId, digests, nowMs) {
      const pk = pkOf(merchantId);
      for (const [index, sk] of digests.entries()) {
        const [key, isCounted] = [{ pk, sk }, index === 0];
        const isNew = await updateItem(analytics, key, {
          update: `SET a = :now${isCounted ? ', m = :one' : ''}`,
          condition: 'attribute_not_exists(a)',
          values: { ':now': nowMs, ...(isCounted ? { ':one': 1 } : {}) },
        });
        // It may be a spelling of another.
        if (!isNew && isCounted)
          await updateItem(analytics, key, { update: 'SET m = :one', values: { ':one': 1 } });
      }
    },

    async unsuppress(merchantId, digests) {
      const pk = pkOf(merchantId);
      for (const sk of digests) await deleteItem(analytics, { pk, sk });
    },

    async countSuppressed(merchantId, max) {
      const mine = {
        hash: pkOf(merchantId),
        filter: 'attribute_exists(m)',
        consistency: 'eventual',
      } as const;
      return await countOf(analytics, mine, max);
    },
  };
}
