// People on DynamoDB, in the table of counters: one item by identifier, each a partition of its own.
//   pk <merchant>#touch#<key>   sk `~`   p platform   t clicked, milliseconds: of the first click; absent: none
//   l  the newest clicks: platform, clicked, digest of its id; absent: none are known
//   c  click ids, sealed   g  written, milliseconds, later at each write; both absent: none are known
//   o  orders, sealed   d  received, milliseconds: the newest   v  version of the orders; absent: none
//   expires  seconds: deleted by DynamoDB some day after it; until then the windows are what counts
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { ATTRIBUTION_WINDOW_MS, type Touch } from '#lib/events/domain/analytics/attribution.ts';
import {
  type AttributionStore,
  type ClicksWrite,
  NO_VERSION,
  type StoredPerson,
} from '#lib/events/ports/attribution-store.ts';
import { type Db, deleteItem, updateItem } from '../core/items/commands.ts';
import { readItems } from '../core/items/read-items.ts';
import { createSuppressedPeople } from './suppressed-people.ts';

const SK = '~';

const CLICKS = {
  ...{ l: z.string().optional(), c: z.string().optional() },
  ...{ g: z.number().optional(), expires: z.number() },
};

export const PERSON = defineKind({
  what: 'person by identifier',
  table: 'analytics',
  key: { pk: '{merchant}#touch#{key...}', sk: '~' },
  attribute: null,
  schema: z.union([
    z.looseObject({ p: z.string(), t: z.number(), ...CLICKS, o: z.undefined().optional() }),
    z.looseObject({
      ...{ p: z.string().optional(), t: z.number().optional(), ...CLICKS },
      ...{ o: z.string(), d: z.number(), v: z.number() },
    }),
  ]),
  expires: 'expires',
  personal: ['pk', 'o', 'c'],
  whenUnreadable: 'left out',
  meaning:
    'Orders are credited to the clicks that can be read, and found by the identifiers whose orders can be.',
});

export function createAttributionStore(
  db: Db,
  table: string,
  quarantine: ItemQuarantine = () => {},
): AttributionStore {
  const analytics = { db, table };
  const keyOf = (merchantId: string, key: string) => ({ pk: `${merchantId}#touch#${key}`, sk: SK });
  return {
    ...createSuppressedPeople(db, table, quarantine),

    async people(merchantId, keys, consistency) {
      if (keys.length === 0) return new Map();
      const prefix = keyOf(merchantId, '').pk;
      const wanted = keys.map((key) => keyOf(merchantId, key));
      const items = await readItems(db, table, wanted, consistency === 'strong');
      return new Map(
        items.flatMap((item): [string, StoredPerson][] => {
          const person = decodeOrSetAside(PERSON, item, quarantine);
          return person === undefined ? [] : [[String(item.pk).slice(prefix.length), personOf(person)]];
        }),
      );
    },

    async addTouch(merchantId, key, touch, nowMs) {
      await updateItem(analytics, keyOf(merchantId, key), {
        update: 'SET p = :platform, t = :at, expires = :expires',
        condition: IS_FIRST,
        values: { ...touchValues(touch), ':expires': expiresAt(nowMs) },
      });
    },

    async writeClicks(merchantId, key, { sealed, writtenAtMs }, { seen, nowMs, ...how }) {
      const unchanged = seen === undefined ? 'attribute_not_exists(g)' : 'g = :seen';
      const own = clicksChange(how);
      return await updateItem(analytics, keyOf(merchantId, key), {
        update: `SET c = :clicks, g = :written, expires = :expires${own.set}`,
        condition: `${unchanged}${own.condition}${how.touch === undefined ? ' AND attribute_exists(t)' : ''}`,
        values: {
          ...{ ':clicks': sealed, ':written': writtenAtMs, ':expires': expiresAt(nowMs) },
          ...(seen === undefined ? {} : { ':seen': seen.writtenAtMs }),
          ...own.values,
        },
      });
    },

    async writeOrders(merchantId, key, { sealed, newestAtMs }, { version, nowMs, ...how }) {
      const unchanged = version === NO_VERSION ? 'attribute_not_exists(v)' : 'v = :seen';
      const own = clicksChange(how);
      return await updateItem(analytics, keyOf(merchantId, key), {
        update: `SET o = :orders, d = :newest, v = :next, expires = :expires${own.set}`,
        condition: `${unchanged}${own.condition}`,
        values: {
          ...{ ':orders': sealed, ':newest': newestAtMs, ':next': version + 1 },
          ...(version === NO_VERSION ? {} : { ':seen': version }),
          ...own.values,
          ':expires': expiresAt(nowMs),
        },
      });
    },

    async forgetPeople(merchantId, keys) {
      for (const key of keys) await deleteItem(analytics, keyOf(merchantId, key));
    },
  };
}

/** What is changed beside click ids and orders, and on which condition. */
function clicksChange({ touch, recent }: Pick<ClicksWrite, 'touch' | 'recent'>) {
  const first = touch === undefined ? null : touchValues(touch);
  const seen = recent?.seen;
  const isAsRead = seen === undefined ? 'attribute_not_exists(l)' : 'l = :seenRecent';
  return {
    set: `${first === null ? '' : ', p = :platform, t = :at'}${recent === undefined ? '' : ', l = :recent'}`,
    condition: `${first === null ? '' : ` AND (${IS_FIRST})`}${recent === undefined ? '' : ` AND ${isAsRead}`}`,
    values: {
      ...first,
      ...(recent === undefined ? {} : { ':recent': recent.next }),
      ...(seen === undefined ? {} : { ':seenRecent': seen }),
    },
  };
}

function personOf({ p, t, l, c, g, ...rest }: z.infer<typeof PERSON.schema>): StoredPerson {
  const clicked = {
    ...(p === undefined || t === undefined ? {} : { touch: { platform: p, atMs: t } }),
    ...(l === undefined ? {} : { recent: l }),
    ...(c === undefined || g === undefined ? {} : { clicks: { sealed: c, writtenAtMs: g } }),
  };
  if (rest.o === undefined) return { ...clicked, version: NO_VERSION };
  const { o, d, v } = rest;
  return { ...clicked, orders: { sealed: o, newestAtMs: d }, version: v };
}

const IS_FIRST = 'attribute_not_exists(t) OR t > :at OR t < :over';

const touchValues = ({ platform, atMs }: Touch) => ({
  ':platform': platform,
  ':at': atMs,
  ':over': atMs - ATTRIBUTION_WINDOW_MS,
});

/** From the write on, so that no later write of an earlier click ends what lies beside it. */
const expiresAt = (nowMs: number): number => Math.ceil((nowMs + ATTRIBUTION_WINDOW_MS) / 1_000);
