// What a merchant spent on the assistant in a UTC day: one item of the rates table, moved by additions.
//   pk SHA-256 of merchant and day   q requests   t tokens   expires TTL, seconds

import * as z from 'zod';
import type { DailyBudget } from '#lib/core/assistant/budget.ts';
import { type Db, updateItem } from '../items/commands.ts';
import { defineRate, rateKey } from './rate-kind.ts';

const KEPT_SEC = 3 * 86_400;

export const DAILY_BUDGET = defineRate({
  what: 'spending of a day',
  marks: ['q'],
  schema: z.looseObject({
    q: z.number().exactOptional(),
    t: z.number().exactOptional(),
    expires: z.number(),
  }),
  personal: [],
  whenUnreadable: 'unavailable',
  meaning: 'The assistant answers nothing to this merchant on that day.',
});

export function createDailyBudget(db: Db, table: string): DailyBudget {
  const rates = { db, table };
  const keyOf = (merchantId: string, day: string) => rateKey('assistant', merchantId, day);
  const expires = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000 + KEPT_SEC;
  return {
    async begin(merchantId, day, { requests, tokens }) {
      if (requests < 1 || tokens < 1) return false;
      return await updateItem(rates, keyOf(merchantId, day), {
        update: 'ADD q :one SET expires = :expires',
        condition: '(attribute_not_exists(q) OR q < :requests) AND (attribute_not_exists(t) OR t < :tokens)',
        values: { ':one': 1, ':requests': requests, ':tokens': tokens, ':expires': expires(day) },
      });
    },
    async spend(merchantId, day, tokens) {
      if (tokens === 0) return;
      const values = { ':tokens': tokens, ':expires': expires(day) };
      const update = 'ADD t :tokens SET expires = :expires';
      await updateItem(rates, keyOf(merchantId, day), { update, values });
    },
  };
}
