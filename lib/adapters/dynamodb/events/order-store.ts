// What is known of orders on DynamoDB, in the table of counters: a partition for each order of the last ninety days.
//   pk <merchant>#order#<order>   sk `~`   e event id   i ingest id   t received, milliseconds: of the report that is counted
//   o  what else is remembered of it   s  what was sent   r  further reports   v  version; absent in those of the first release
//   expires  seconds: deleted by DynamoDB some day after it; until then its window is what counts
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { ATTRIBUTION_WINDOW_MS } from '#lib/events/domain/analytics/attribution.ts';
import type { KnownReport, Order, SentReport } from '#lib/events/domain/orders/order.ts';
import type { OrderStore } from '#lib/events/ports/order-store.ts';
import { type Condition, type Db, getItem, putItem } from '../core/items/commands.ts';

/** `d`: the id that platforms know it by. `n`: by that id and not by the order's. */
const sending = { c: z.enum(['server', 'browser']), d: z.string(), n: z.boolean().optional() };
const places = z.array(z.string());

export const ORDER = defineKind({
  what: 'claim of an order',
  table: 'analytics',
  key: { pk: '{merchant}#order#{order...}', sk: '~' },
  attribute: null,
  schema: z.looseObject({
    e: z.string(),
    i: z.string(),
    t: z.number(),
    o: z.object(sending).optional(),
    /** `m`: the amount. `p`: places of platforms. */
    s: z.object({ ...sending, e: z.string(), t: z.number(), m: z.string().optional(), p: places }).optional(),
    /** `k`: places that it was kept from. */
    r: z
      .array(z.object({ ...sending, e: z.string(), i: z.string(), t: z.number(), k: places.optional() }))
      .optional(),
    v: z.number().optional(),
    expires: z.number(),
  }),
  expires: 'expires',
  personal: [],
  whenUnreadable: 'absent',
  meaning: 'The event that asks is counted as its order, once, and platforms know it by its own id.',
});

type Item = z.infer<typeof ORDER.schema>;

export function createOrderStore(db: Db, table: string, quarantine: ItemQuarantine = () => {}): OrderStore {
  const analytics = { db, table };
  const keyOf = (merchantId: string, digest: string) => ({ pk: `${merchantId}#order#${digest}`, sk: '~' });
  return {
    async read(merchantId, digest, nowMs) {
      const item = await getItem(analytics, keyOf(merchantId, digest));
      if (item === undefined) return { version: NONE };
      const stored = decodeOrSetAside(ORDER, item, quarantine);
      if (stored === undefined) return 'unreadable';
      const version = stored.v ?? FIRST_RELEASE;
      return nowMs - stored.t > ATTRIBUTION_WINDOW_MS ? { version } : { version, order: orderOf(stored) };
    },

    async write(merchantId, digest, order, version) {
      const item = {
        ...keyOf(merchantId, digest),
        ...itemOf(order),
        v: Math.max(version, FIRST_RELEASE) + 1,
      };
      return await putItem(analytics, item, unchanged(version));
    },
  };
}

/** There is no item, or one of the first release, which has no version. */
const [NONE, FIRST_RELEASE] = [-1, 0];

function unchanged(version: number): Condition {
  if (version === NONE) return { condition: 'attribute_not_exists(pk)' };
  if (version === FIRST_RELEASE) return { condition: 'attribute_exists(pk) AND attribute_not_exists(v)' };
  return { condition: 'v = :seen', values: { ':seen': version } };
}

function itemOf({ counted, sent, others }: Order) {
  const { eventId: e, ingestId: i, receivedAtMs: t } = counted;
  return {
    ...{ e, i, t, o: sendingOf(counted) },
    s: {
      ...sendingOf(sent),
      ...{ e: sent.eventId, t: sent.atMs, p: [...sent.targets] },
      ...(sent.amount === undefined ? {} : { m: sent.amount }),
    },
    ...(others.length === 0 ? {} : { r: others.map(reportItem) }),
    expires: Math.ceil((t + ATTRIBUTION_WINDOW_MS) / 1_000),
  };
}

const reportItem = ({ eventId: e, ingestId: i, receivedAtMs: t, kept, ...sent }: KnownReport) => ({
  ...sendingOf(sent),
  ...{ e, i, t },
  ...(kept === undefined ? {} : { k: [...kept] }),
});

type Sending = Pick<SentReport, 'channel' | 'conversionId' | 'byEventId'>;

const sendingOf = ({ channel: c, conversionId: d, byEventId }: Sending) => ({
  ...{ c, d },
  ...(byEventId ? { n: true } : {}),
});

const readSending = ({ c, d, n }: z.infer<z.ZodObject<typeof sending>>): Sending => ({
  channel: c,
  conversionId: d,
  byEventId: n === true,
});

/** The first release did not say what was sent: the event itself, to places that are not known. */
function orderOf({ e, i, t, o, s, r = [] }: Item): Order {
  const own = readSending(o ?? { c: 'server', d: e });
  return {
    counted: { eventId: e, ingestId: i, receivedAtMs: t, ...own },
    sent:
      s === undefined
        ? { ...own, eventId: e, atMs: t, targets: [] }
        : {
            ...readSending(s),
            ...{ eventId: s.e, atMs: s.t, targets: s.p },
            ...(s.m === undefined ? {} : { amount: s.m }),
          },
    others: r.map(({ e: eventId, i: ingestId, t: receivedAtMs, k, ...rest }) => ({
      ...{ eventId, ingestId, receivedAtMs },
      ...readSending(rest),
      ...(k === undefined ? {} : { kept: k }),
    })),
  };
}
