// How an order lies in the table of counters: a partition of its own for as long as its events may last.
//   pk <merchant>#order#<order>   sk `~`   e event id   i ingest id   t received, milliseconds: of the report that is counted
//   o, s  what else is known of it and of what was sent   r  further reports   a  value   p  credited to, by the first click   q  by the last, where it is another   b  refunds
//   w  refunds that came before it: then there is no order yet, and t is 0, so that releases before them take it for one that is over
//   v  version; absent in those of the first release
//   expires  seconds: deleted by DynamoDB some day after it; until then its age is what counts
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { ORDER_KEPT_MS } from '#lib/events/domain/event/row-expiry.ts';
import type { KnownReport, Order, SentReport } from '#lib/events/domain/orders/order.ts';
import { type KnownRefund, REFUND_STATES, type WaitingRefund } from '#lib/events/domain/orders/refund.ts';

const places = z.array(z.string());
/** `d`: the id that platforms know it by; absent: its event id. `n`: by that id and not by the order's. */
const sending = z.object({
  c: z.enum(['server', 'browser']),
  d: z.string().optional(),
  n: z.boolean().optional(),
});
/** `h`: the shard of its row. */
const report = { e: z.string(), i: z.string(), t: z.number(), h: z.number().optional() };
/** `m`: the amount. `p`: places of platforms. Those alone where the counted report is what was sent. */
const sent = sending.extend({ e: z.string(), t: z.number(), m: z.string().optional() }).partial();
const refund = z.object({ e: z.string(), i: z.string() });

export const ORDER = defineKind({
  what: 'claim of an order',
  table: 'analytics',
  key: { pk: '{merchant}#order#{order...}', sk: '~' },
  attribute: null,
  schema: z.looseObject({
    ...report,
    o: sending.optional(),
    /** `u`: places that would count it beside any other report. */
    s: sent.extend({ p: places, u: places.optional() }).optional(),
    /** `k`: places that it was kept from. */
    r: z.array(sending.extend({ ...report, k: places.optional() })).optional(),
    a: z.string().optional(),
    p: z.string().optional(),
    q: z.string().optional(),
    /** `m`: what was taken back, in minor units. `s`: its state. `a`: what it said where it came before the order. */
    b: z
      .array(refund.extend({ m: z.string(), s: z.enum(REFUND_STATES), a: z.string().optional() }))
      .optional(),
    w: z.array(refund.extend({ t: z.number(), a: z.string() })).optional(),
    v: z.number().optional(),
    expires: z.number(),
  }),
  expires: 'expires',
  personal: [],
  whenUnreadable: 'absent',
  meaning: 'The event that asks is counted as its order, once, and platforms know it by its own id.',
});

export type OrderItem = z.infer<typeof ORDER.schema>;
type Sending = z.infer<typeof sending>;

export function itemOf({ counted, sent, others, amount, touch, last, refunds = [] }: Order) {
  const { receivedAtMs } = counted;
  return {
    ...reportItem(counted),
    o: sendingItem(counted),
    s: {
      p: [...sent.targets],
      ...unmergedItem(sent),
      ...(isSame(counted, sent, amount) ? {} : sentItem(sent)),
    },
    ...(others.length === 0
      ? {}
      : { r: others.map((each) => ({ ...sendingItem(each), ...reportItem(each) })) }),
    ...withoutUndefined({ a: amount, p: touch, q: last }),
    ...(refunds.length === 0 ? {} : { b: refunds.map(refundItem) }),
    expires: Math.ceil((receivedAtMs + ORDER_KEPT_MS) / 1_000),
  };
}

const unmergedItem = ({ countedAgain }: SentReport) =>
  countedAgain === undefined ? {} : { u: [...countedAgain] };

const isSame = (counted: KnownReport, sent: SentReport, amount: string | undefined): boolean =>
  sent.eventId === counted.eventId &&
  sent.channel === counted.channel &&
  sent.conversionId === counted.conversionId &&
  sent.byEventId === counted.byEventId &&
  sent.atMs === counted.receivedAtMs &&
  sent.amount === amount;

const reportItem = ({ eventId: e, ingestId: i, receivedAtMs: t, shard: h, kept }: KnownReport) => ({
  ...{ e, i, t },
  ...(h === undefined ? {} : { h }),
  ...(kept === undefined ? {} : { k: [...kept] }),
});

type Sent = Pick<SentReport, 'eventId' | 'channel' | 'conversionId' | 'byEventId'>;

const sendingItem = ({ eventId, channel: c, conversionId: d, byEventId }: Sent): Sending => ({
  c,
  ...(d === eventId ? {} : { d }),
  ...(byEventId ? { n: true } : {}),
});

const sentItem = (sent: SentReport) => ({
  ...sendingItem(sent),
  ...{ e: sent.eventId, t: sent.atMs },
  ...(sent.amount === undefined ? {} : { m: sent.amount }),
});

const refundItem = ({ eventId: e, ingestId: i, minor: m, state: s, early: a }: KnownRefund) => ({
  ...{ e, i, m, s },
  ...withoutUndefined({ a }),
});

export const waitingItem = (waiting: readonly WaitingRefund[]) => ({
  ...{ e: '', i: '', t: 0 },
  w: waiting.map(({ eventId: e, ingestId: i, receivedAtMs: t, early: a }) => ({ e, i, t, a })),
  expires: Math.ceil((Math.max(...waiting.map((each) => each.receivedAtMs)) + ORDER_KEPT_MS) / 1_000),
});

export const waitingIn = ({ w = [] }: OrderItem): readonly WaitingRefund[] =>
  w.map(({ e, i, t, a }) => ({ eventId: e, ingestId: i, receivedAtMs: t, early: a }));

/** The first release did not say what was sent: the event itself, to places that are not known. */
export function orderOf({
  o = { c: 'server' },
  s = { p: [] },
  r = [],
  a,
  p,
  q,
  b = [],
  ...own
}: OrderItem): Order {
  const counted = knownReport({ ...o, ...own });
  return {
    counted,
    sent: sentReport(s, counted, a),
    others: r.map(knownReport),
    ...withoutUndefined({ amount: a, touch: p, last: q }),
    ...(b.length === 0 ? {} : { refunds: b.map(knownRefund) }),
  };
}

type ReportItem = NonNullable<OrderItem['r']>[number];

const knownReport = ({ e, i, t, h, k, ...rest }: ReportItem): KnownReport => ({
  ...{ eventId: e, ingestId: i, receivedAtMs: t },
  ...(h === undefined ? {} : { shard: h }),
  ...sendingOf(e, rest),
  ...(k === undefined ? {} : { kept: k }),
});

const sendingOf = (eventId: string, { c, d = eventId, n }: Sending) => ({
  ...{ channel: c, conversionId: d },
  byEventId: n === true,
});

function sentReport(
  { c, e, t, m, p, u, ...rest }: NonNullable<OrderItem['s']>,
  { eventId, channel, conversionId, byEventId, receivedAtMs }: KnownReport,
  amount: string | undefined,
): SentReport {
  const own = { eventId, channel, conversionId, byEventId, atMs: receivedAtMs };
  const said = c === undefined || e === undefined || t === undefined ? undefined : { c, e, t };
  const worth = said === undefined ? amount : m;
  return {
    ...(said === undefined
      ? own
      : { eventId: said.e, ...sendingOf(said.e, { c: said.c, ...rest }), atMs: said.t }),
    ...withoutUndefined({ amount: worth, countedAgain: u }),
    targets: p,
  };
}

const knownRefund = ({ e, i, m, s, a }: NonNullable<OrderItem['b']>[number]): KnownRefund => ({
  ...{ eventId: e, ingestId: i, minor: m, state: s },
  ...(a === undefined ? {} : { early: a }),
});
