// How far the days of each merchant have gone into pages, in the config table: all in one partition, so that one query looks at all.
//   pk HORIZON   sk <merchant>, or `*`: how far the schedule of the archive has come   day  the first day that has not, YYYY-MM-DD
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem } from '#lib/core/record/stored-item.ts';
import { dayOf } from '#lib/core/work/utc-day.ts';
import type { Horizon, HorizonStore } from '#lib/events/ports/page-store.ts';
import { type Db, getItem, IF_NEW, type Item, putItem } from '../../core/items/commands.ts';
import { itemsOf } from '../../core/items/query.ts';

const PARTITION = 'HORIZON';

export const HORIZON = defineKind({
  what: 'horizon of a merchant',
  table: 'config',
  key: { pk: PARTITION, sk: '{merchant}' },
  attribute: 'day',
  schema: z.iso.date(),
  personal: [],
  whenUnreadable: 'wait',
  meaning:
    'Nothing more of the merchant goes into pages, and the tables delete nothing, until it can be read.',
});

export function createHorizonStore(db: Db, table: string): HorizonStore {
  const config = { db, table };
  const horizonOf = (item: Item): Horizon => ({
    merchantId: String(item.sk),
    dayMs: Date.parse(decodeItem(HORIZON, item)),
  });
  const horizonOrNone = (item: Item) => {
    try {
      return horizonOf(item);
    } catch {
      return { merchantId: String(item.sk), dayMs: null };
    }
  };
  return {
    async horizon(merchantId) {
      const item = await getItem(config, { pk: PARTITION, sk: merchantId });
      return item === undefined ? null : horizonOf(item);
    },
    async *horizons() {
      const partition = { hash: PARTITION, consistency: 'eventual' } as const;
      for await (const item of itemsOf(config, partition)) yield horizonOrNone(item);
    },
    moveHorizon: (seen, { merchantId, dayMs }) =>
      putItem(
        config,
        { pk: PARTITION, sk: merchantId, day: dayOf(dayMs) },
        seen === null
          ? IF_NEW
          : { condition: '#day = :seen', names: { '#day': 'day' }, values: { ':seen': dayOf(seen.dayMs) } },
      ),
  };
}
