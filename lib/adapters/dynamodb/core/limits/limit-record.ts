// When a merchant last reached its ceiling of browser events: one item of the rates table, written at most once a minute by
// whichever process finds out first.
//   pk SHA-256 of merchant   at minute in which it was reached, ms   expires TTL, seconds

import * as z from 'zod';
import { decodeOrAbsent } from '#lib/core/record/stored-item.ts';
import type { LimitRecord } from '#lib/core/work/leased-window.ts';
import { minuteOf } from '#lib/core/work/time-slot.ts';
import { type Db, getItem, updateItem } from '../items/commands.ts';
import { defineRate, rateKey } from './rate-kind.ts';

const KEPT_SEC = 90 * 86_400;

export const LIMIT_REACHED = defineRate({
  what: 'time a limit was reached',
  marks: ['at'],
  schema: z.looseObject({ at: z.number(), expires: z.number() }),
  personal: [],
  whenUnreadable: 'absent',
  meaning: 'The limit is shown as not reached.',
});

export function createLimitRecord(db: Db, table: string): LimitRecord {
  const rates = { db, table };
  return {
    async reached(id, nowMs) {
      const minuteMs = minuteOf(nowMs);
      await updateItem(rates, rateKey('reached', id), {
        update: 'SET #at = :minute, expires = :expires',
        condition: 'attribute_not_exists(#at) OR #at < :minute',
        names: { '#at': 'at' },
        values: { ':minute': minuteMs, ':expires': minuteMs / 1000 + KEPT_SEC },
      });
    },
    async reachedAtMs(id) {
      const item = await getItem(rates, rateKey('reached', id), 'eventual');
      return decodeOrAbsent(LIMIT_REACHED, item)?.at ?? null;
    },
  };
}
