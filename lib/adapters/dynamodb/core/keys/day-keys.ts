// Wrapped data keys of merchants' days in the config table, one partition a merchant: what is to be erased is found by a query
// over as many items as there are days to erase. The layout is in config-item.ts.

import * as z from 'zod';
import type { DayKeyStore } from '#lib/core/ports/day-keys.ts';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { formatAttribute } from '#lib/core/record/stored-item.ts';
import { type Db, firstValue, readItem } from '../items/commands.ts';
import { dayKeyKey } from '../items/config-item.ts';
import { below, deleteAll } from '../items/query.ts';

export const DAY_KEY = defineKind<string>({
  what: 'day key',
  table: 'config',
  key: { pk: 'DAYKEY#{merchant}', sk: '{day}' },
  attribute: 'wrapped',
  schema: z.string(),
  personal: [],
  whenUnreadable: 'wait',
  meaning: 'What is personal in the events of its day is not shown, and what needs it is tried again.',
});

export function createDayKeyStore(db: Db, table: string): DayKeyStore {
  const config = { db, table };
  return {
    read: (merchantId, day) => readItem(config, dayKeyKey(merchantId, day), DAY_KEY),

    async create(merchantId, day, wrapped) {
      const item = { ...dayKeyKey(merchantId, day), ...formatAttribute(DAY_KEY), wrapped };
      return await firstValue(config, item, DAY_KEY, wrapped);
    },
    eraseBefore: (merchantId, day) =>
      deleteAll(config, { hash: dayKeyKey(merchantId, day).pk, range: below(day) }),
  };
}
