// Reports purchases to their orders, before they are stored as normalized and before one that waited is released: an order is
// counted once and goes out as one conversion, whatever ids its events have. The write is conditional on what was read, so of
// two reports one sees the other. A failure is thrown: the event is then tried again, and none is counted twice.
import { hash } from 'node:crypto';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import type { OrderCredit } from '../../domain/analytics/attribution.ts';
import { platformOf } from '../../domain/connections/target.ts';
import { PENDING, targetsOf } from '../../domain/deliveries/progress.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { EventRow } from '../../domain/event/row.ts';
import { isEmptyWord } from '../../domain/identity/placeholder-values.ts';
import { amountOf, moneyIn } from '../../domain/orders/amount.ts';
import {
  type DedupWindowOf,
  type Order,
  type OrderDecision,
  type OrderReport,
  REPORTS_MAX,
  report,
} from '../../domain/orders/order.ts';
import {
  type KnownRefund,
  REFUNDS_MAX,
  type RefundReport,
  refund,
  wait,
} from '../../domain/orders/refund.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { OrderStore } from '../../ports/order-store.ts';

export interface OrderPorts {
  readonly orders: OrderStore;
  readonly platforms: readonly Pick<Platform, 'slug' | 'dedup'>[];
}

/** The verdict of places that have the order from another of its events. */
export const SAME_ORDER = 'same_order';

type Row = Pick<EventRow, 'key' | 'ingestId' | 'receivedAtMs' | 'shard'>;
type Event = Partial<Pick<NormalizedEvent, 'actionSource'>> &
  Pick<
    NormalizedEvent,
    'name' | 'orderId' | 'value' | 'currency' | 'dedupId' | 'noOrderDedup' | 'bot' | 'replay'
  >;

/** Without both: none is known. */
type Credit = Partial<Pick<OrderCredit, 'touch' | 'last'>>;

/** A refund that is counted, and of what. */
export interface RefundDecision extends Pick<KnownRefund, 'minor'> {
  /** `waiting`: it came before its order, and is counted with that. */
  readonly state: KnownRefund['state'] | 'waiting';
  /** Undefined where neither the refund nor the order says one. */
  readonly currency: string | undefined;
  /** With this refund; undefined: none is known. */
  readonly order: Order | undefined;
}

export interface OrderReports {
  /** Undefined: the event is no refund of a server, or names no order. */
  refund(row: Row, event: Event): Promise<RefundDecision | undefined>;
  /** Undefined: the event is no purchase of an order that has an id. */
  report(
    row: Row,
    event: Event,
    verdicts: Readonly<Record<string, string>>,
    credit?: Credit,
  ): Promise<OrderDecision | undefined>;
}

/** As keys have it: 96 bits. */
export const orderDigest = (orderId: string): string => hash('sha256', orderId, 'base64url').slice(0, 16);

/** Each conflict is another report or refund that is known from then on, and no more are: so many tries end. */
const WRITES_MAX = { what: 'an order', triesMax: REPORTS_MAX + REFUNDS_MAX + 2 } as const;

export function createOrderReports({ orders, platforms }: OrderPorts): OrderReports {
  const windows = new Map(platforms.map(({ slug, dedup }) => [slug as string, dedup?.windowSec]));
  const windowOf: DedupWindowOf = (target) => {
    const windowSec = windows.get(platformOf(target));
    return windowSec === undefined ? undefined : windowSec * 1_000;
  };
  const countingAgain = (targets: readonly string[], event: Event): readonly string[] => {
    const slugs = platforms
      .filter(({ dedup }) => dedup?.countsAgain?.(event))
      .map(({ slug }) => slug as string);
    return targets.filter((target) => slugs.includes(platformOf(target)));
  };
  const inTurn = createTurns();

  const reportTo = async (merchantId: string, digest: string, own: OrderReport): Promise<OrderDecision> => {
    // Most orders are reported once: the first report is written unread.
    const first = report(undefined, own, windowOf);
    if (await orders.create(merchantId, digest, first.order)) return first.decision;
    return await retryConflicts(WRITES_MAX, async () => {
      const stored = await orders.read(merchantId, digest, own.receivedAtMs);
      if (stored === 'unreadable') return first.decision;
      const { order, decision } = report(stored.order, own, windowOf, stored.waiting);
      const isWritten =
        order === stored.order || (await orders.write(merchantId, digest, order, stored.version));
      return isWritten ? decision : CONFLICT;
    });
  };

  const refundOf = (
    merchantId: string,
    digest: string,
    nowMs: number,
    own: RefundReport,
  ): Promise<RefundDecision> =>
    retryConflicts(WRITES_MAX, async () => {
      const stored = await orders.read(merchantId, digest, nowMs);
      const unknown = { minor: '0', currency: own.currency, order: undefined };
      if (stored === 'unreadable') return { ...unknown, ...refund({}, own).decision };
      const { order, version, waiting: before = [] } = stored;
      if (order === undefined) {
        const { waiting, state } = wait(before, own, nowMs);
        const isWritten =
          waiting === before || (await orders.writeWaiting(merchantId, digest, waiting, version));
        return isWritten ? { ...unknown, state } : CONFLICT;
      }
      const { refunds, decision } = refund(order, own);
      // A process died before its row was written: it is counted with its order by now.
      if (decision.early !== undefined) return { ...unknown, state: 'waiting' };
      const currency = moneyIn(order.amount)?.currency ?? own.currency;
      const after = { ...order, refunds };
      const isWritten = refunds === order.refunds || (await orders.write(merchantId, digest, after, version));
      return isWritten ? { ...decision, currency, order: after } : CONFLICT;
    });

  return {
    async refund({ key, ingestId, receivedAtMs }, event) {
      const { value, currency } = event;
      const orderId = key.channel === 'server' ? orderNamed(event, 'Refund') : undefined;
      if (orderId === undefined) return undefined;
      const digest = orderDigest(orderId);
      const own = {
        ...{ eventId: key.eventId, ingestId },
        ...(value === undefined || currency === undefined ? {} : { value, currency }),
      };
      return await inTurn(`${key.merchantId} ${digest}`, () =>
        refundOf(key.merchantId, digest, receivedAtMs, own),
      );
    },

    async report(row, event, verdicts, credit = {}) {
      const orderId = purchasedOrder(event);
      if (orderId === undefined) return undefined;
      const digest = orderDigest(orderId);
      const targets = targetsOf({ verdicts });
      const own = ownReport(row, event, { targets, countedAgain: countingAgain(targets, event) }, credit);
      const { merchantId } = row.key;
      return await inTurn(`${merchantId} ${digest}`, () => reportTo(merchantId, digest, own));
    },
  };
}

/** The order that the event is a purchase of; none for copies of crawlers, replays, and placeholders for a missing id. */
export const purchasedOrder = (event: Event): string | undefined => orderNamed(event, 'Purchase');

export function orderNamed(
  { name, orderId, bot, replay }: Event,
  by: 'Purchase' | 'Refund',
): string | undefined {
  if (name !== by || bot === true || replay === true) return undefined;
  return orderId === undefined || orderId === '0' || isEmptyWord(orderId) ? undefined : orderId;
}

function ownReport(
  { key, ingestId, receivedAtMs, shard }: Row,
  event: Event,
  { targets, countedAgain = [] }: Pick<OrderReport, 'targets' | 'countedAgain'>,
  { touch, last }: Credit,
): OrderReport {
  const { dedupId, noOrderDedup } = event;
  const amount = amountOf(event);
  return {
    eventId: key.eventId,
    channel: key.channel,
    ...{ ingestId, receivedAtMs, targets },
    ...(countedAgain.length === 0 ? {} : { countedAgain }),
    ...withoutUndefined({ shard, touch, last, amount }),
    conversionId: dedupId,
    byEventId: noOrderDedup === true,
  };
}

/** Refunds that came before their order are counted with its purchase. */
export const withEarlyRefunds = (credit: OrderCredit, { early }: OrderDecision): OrderCredit =>
  early === undefined ? credit : { ...credit, early };

/** The verdicts where those places have the order already. */
export const withoutKept = (
  verdicts: Readonly<Record<string, string>>,
  kept: readonly string[],
): Readonly<Record<string, string>> =>
  kept.length === 0
    ? verdicts
    : Object.fromEntries(
        Object.entries(verdicts).map(([target, word]) => [
          target,
          word === PENDING && kept.includes(target) ? SAME_ORDER : word,
        ]),
      );

/** One after another by key: reports of one order in one process would only refuse each other's writes. */
function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key);
    const own = before === undefined ? work() : before.then(work, work);
    last.set(key, own);
    const end = (): void => {
      if (last.get(key) === own) last.delete(key);
    };
    own.then(end, end);
    return own;
  };
}
