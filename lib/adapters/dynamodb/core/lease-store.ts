// Shares of a limit per window: one item per caller and window, moved by one conditional addition.
//   pk SHA-256 of caller and window   n leased so far   expires TTL, seconds

import * as z from 'zod';
import type { LeaseStore } from '#lib/core/work/leased-window.ts';
import { type Db, updatedItem } from './items/commands.ts';
import { defineRate, rateKey } from './limits/rate-kind.ts';

/** Of any window: an hour longer than the longest, a day, so that a clock that is behind finds what the others leased. */
const KEPT_SEC = 25 * 3_600;

export const WINDOW_SHARE = defineRate({
  what: 'share of a limit',
  marks: ['n'],
  schema: z.looseObject({ n: z.number(), expires: z.number() }),
  personal: [],
  whenUnreadable: 'unavailable',
  meaning: 'Its caller is let in again with the next window.',
});

export function createLeaseStore(db: Db, table: string): LeaseStore {
  return {
    async lease(id, startMs, wanted, limit, leased) {
      if (wanted < 1 || wanted > limit) return 0;
      const expires = Math.ceil(startMs / 1000) + KEPT_SEC;
      const after = await updatedItem(
        { db, table },
        rateKey('window', id, startMs),
        {
          update: 'ADD n :wanted SET expires = :expires',
          condition: 'attribute_not_exists(n) OR n <= :room',
          values: { ':wanted': wanted, ':room': limit - wanted, ':expires': expires },
        },
        'UPDATED_NEW',
      );
      if (after === null) return 0;
      leased?.(Number(after.n));
      return wanted;
    },
  };
}
