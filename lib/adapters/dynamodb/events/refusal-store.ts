// Counts of refusals on DynamoDB, in the table of counters: one item per merchant, shard and UTC day, below 1 KB for
// any counts, so that an addition is one write unit.
//   pk <merchant>#refused#<shard>   sk ISO day   <reason> or .<field> count   expires TTL, seconds

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { parseRefusal, type RefusalName } from '#lib/events/domain/event/refusal.ts';
import { REFUSAL_SHARDS, REFUSALS_KEPT_DAYS, type RefusalStore } from '#lib/events/ports/refusal-store.ts';
import { type Db, updateItem } from '../core/items/commands.ts';
import { between, itemsOf } from '../core/items/query.ts';

export const REFUSALS = defineKind({
  what: 'refusals of a day',
  table: 'analytics',
  key: { pk: '{merchant}#refused#{shard}', sk: '{day}' },
  attribute: null,
  schema: z.looseObject({ expires: z.number() }),
  expires: 'expires',
  personal: [],
  whenUnreadable: 'left out',
  meaning: 'What else was refused is counted; a count that is no number is left out by itself.',
});

export function createRefusalStore(
  db: Db,
  table: string,
  quarantine: ItemQuarantine = () => {},
): RefusalStore {
  const analytics = { db, table };
  return {
    async add(merchantId, dayMs, shard, counts) {
      const entries = [...counts];
      const key = { pk: partition(merchantId, shard), sk: sortKey(dayMs) };
      await updateItem(analytics, key, {
        update: `SET expires = :expires ADD ${entries.map((_, i) => `#${i} :${i}`).join(', ')}`,
        names: Object.fromEntries(entries.map(([name], i) => [`#${i}`, name])),
        values: {
          ':expires': (dayMs + REFUSALS_KEPT_DAYS * DAY_MS) / 1_000,
          ...Object.fromEntries(entries.map(([, count], i) => [`:${i}`, count])),
        },
      });
    },

    async sum(merchantId, fromMs, toMs) {
      const sums = new Map<RefusalName, number>();
      const range = between(sortKey(fromMs), sortKey(toMs - 1));
      const addAll = async (shard: number): Promise<void> => {
        const days = { hash: partition(merchantId, shard), range, consistency: 'eventual' } as const;
        for await (const item of itemsOf(analytics, days))
          addItem(sums, decodeOrSetAside(REFUSALS, item, quarantine) ?? {});
      };
      await Promise.all(Array.from({ length: REFUSAL_SHARDS }, (_, shard) => addAll(shard)));
      return sums;
    },
  };
}

const partition = (merchantId: string, shard: number): string => `${merchantId}#refused#${shard}`;
const sortKey = (ms: number): string => new Date(ms).toISOString();

/** Names of other releases are skipped. */
function addItem(sums: Map<RefusalName, number>, item: Readonly<Record<string, unknown>>): void {
  for (const [name, count] of Object.entries(item)) {
    if (typeof count !== 'number' || parseRefusal(name) === null) continue;
    sums.set(name as RefusalName, (sums.get(name as RefusalName) ?? 0) + count);
  }
}
