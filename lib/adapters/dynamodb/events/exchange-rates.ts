// Exchange rates on DynamoDB, in the merchant's partition of the config table: one item for each pair of currencies.
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, decodeOrSetAside } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { RATE_DAYS_MAX } from '#lib/events/domain/orders/exchange.ts';
import type { ExchangeRateStore } from '#lib/events/ports/exchange-rate-store.ts';
import { type Db, getItem, type Item, ifVersion, putItem } from '../core/items/commands.ts';
import { merchantKey } from '../core/items/config-item.ts';
import { beginsWith, itemsOf } from '../core/items/query.ts';
import { readItems } from '../core/items/read-items.ts';

export const EXCHANGE_RATES = defineKind({
  what: 'exchange rates of a currency',
  table: 'config',
  key: { pk: 'M#{merchant}', sk: 'RATES#{into}#{currency}' },
  attribute: 'rates',
  schema: z.looseObject({ currency: z.string(), days: z.record(z.string(), z.string()) }),
  personal: [],
  whenUnreadable: 'left out',
  meaning: 'Amounts in the currency stand beside the sum in the own currency, as if it had no rate.',
});

const prefixOf = (into: string): string => `RATES#${into}#`;

export function createExchangeRateStore(
  db: Db,
  table: string,
  quarantine: ItemQuarantine = () => {},
): ExchangeRateStore {
  const config = { db, table };
  const keyOf = (merchantId: string, into: string, currency: string) =>
    merchantKey(merchantId, prefixOf(into) + currency);
  const read = async (merchantId: string, into: string, currencies?: readonly string[]): Promise<Item[]> => {
    if (currencies !== undefined) {
      const keys = currencies.map((currency) => keyOf(merchantId, into, currency));
      return await readItems(db, table, keys, false);
    }
    const all = {
      hash: merchantKey(merchantId, '').pk,
      range: beginsWith(prefixOf(into)),
      consistency: 'eventual',
    } as const;
    const items: Item[] = [];
    for await (const item of itemsOf(config, all)) items.push(item);
    return items;
  };
  return {
    async exchangeRates(merchantId, into, currencies) {
      const items = await read(merchantId, into, currencies);
      return new Map(
        items.flatMap((item) => {
          const rates = decodeOrSetAside(EXCHANGE_RATES, item, quarantine);
          return rates === undefined ? [] : [[rates.currency, rates.days] as const];
        }),
      );
    },

    async changeExchangeRates(merchantId, into, currency, change) {
      const key = keyOf(merchantId, into, currency);
      return await retryConflicts({ what: 'exchange rates' }, async () => {
        const item = await getItem(config, key);
        const seen = item === undefined ? undefined : decodeItem(EXCHANGE_RATES, item);
        const days = Object.fromEntries(
          Object.entries({ ...seen?.days, ...change }).filter(
            (entry): entry is [string, string] => entry[1] !== null,
          ),
        );
        if (Object.keys(days).length > RATE_DAYS_MAX) return false;
        const version = item === undefined ? null : Number(item.v);
        const after = { ...key, rates: { ...seen, currency, days }, v: (version ?? 0) + 1 };
        return (await putItem(config, after, ifVersion(version))) ? true : CONFLICT;
      });
    },
  };
}
