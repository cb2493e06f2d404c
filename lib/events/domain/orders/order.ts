// One order and what reported it: servers, browsers, under one event id or several. The first report of a server is counted, as
// long as there is none the first of a browser, and every report that goes out goes out as one conversion. Pure: the stored order
// and a report give the order after it and what the event is to be. Guarantees: reported again, with any other reports between, an
// event goes out as it was to go out first.
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import type { BucketCounters } from '../analytics/analytics.ts';
import { DEDUP_WINDOW_MS } from '../event/dedup-window.ts';
import type { Channel } from '../event/normalized-event.ts';
import { type Refunded, takenEarly, type WaitingRefund, withEarly } from './refund.ts';

/** An event that is the purchase of an order. */
export interface OrderReport {
  readonly eventId: string;
  readonly ingestId: string;
  readonly channel: Channel;
  readonly receivedAtMs: number;
  /** Currency and value as normalized, e.g. `EUR 59.98`; absent if the event has none. */
  readonly amount?: string;
  /** The id under which platforms are to know it, as far as its own event id and its copy say. */
  readonly conversionId: string;
  /** Platforms must know it by that id, not by the order's. */
  readonly byEventId: boolean;
  /** Places of platforms that it is to be sent to. */
  readonly targets: readonly string[];
  /** Of them: platforms that never take it for what they have, nor later for this one. */
  readonly countedAgain?: readonly string[];
  /** What the order is credited to if this event is counted: see `OrderCredit`. */
  readonly touch?: string;
  readonly last?: string;
  /** Of its row; absent = 0. */
  readonly shard?: number;
}

/** What was sent to platforms for the order, or is about to be. */
export interface SentReport
  extends Pick<OrderReport, 'eventId' | 'channel' | 'conversionId' | 'byEventId' | 'countedAgain'> {
  readonly amount?: string;
  readonly atMs: number;
  readonly targets: readonly string[];
}

/** A report as it is remembered: enough to decide the same again. */
export interface KnownReport
  extends Pick<OrderReport, 'eventId' | 'ingestId' | 'channel' | 'receivedAtMs' | 'shard'> {
  readonly conversionId: string;
  readonly byEventId: boolean;
  /** Places that have the order from another report and would count it again, or take this one for it: it is not sent there. */
  readonly kept?: readonly string[];
}

export interface Order extends Refunded {
  readonly touch?: string;
  /** Platform of the last click before it; absent: the same. */
  readonly last?: string;
  /** The report that is counted. */
  readonly counted: KnownReport;
  readonly sent: SentReport;
  /** The others, oldest first, at most `REPORTS_MAX`. */
  readonly others: readonly KnownReport[];
}

export interface OrderDecision {
  /** Another report of the order is counted. */
  readonly isRepeated: boolean;
  readonly conversionId: string;
  readonly byEventId: boolean;
  /** Places that have the order already, to which the event is not sent. */
  readonly kept: readonly string[];
  /** A browser reported the order with another value before, and may have been sent: this one goes out apart from it. */
  readonly differs: boolean;
  /** Browsers' reports in whose place this one is counted: what was counted where they were received is to be counted again. */
  readonly displaced: readonly KnownReport[];
  /** What refunds took back that came before the order, and are counted with this event; absent: nothing. */
  readonly early?: BucketCounters['refunds'];
}

/** Reports above it are decided as the last one was, and not remembered: an order of a thousand reports costs no more. */
export const REPORTS_MAX = 20;

/** How long a platform knows an id, milliseconds; undefined: for ever, or it does not say. */
export type DedupWindowOf = (target: string) => number | undefined;

/**
 * The order after the report, and what to do with the event. The same order where nothing has to be stored. `waiting`: refunds that came
 * before its first report.
 */
export function report(
  order: Order | undefined,
  own: OrderReport,
  windowOf: DedupWindowOf,
  waiting: readonly WaitingRefund[] = [],
): { readonly order: Order; readonly decision: OrderDecision } {
  if (order === undefined) {
    const first = { counted: known(own, own), sent: sentBy(own), others: [], ...worthOf(own) };
    const order: Order = withEarly(first, waiting);
    return { order, decision: decisionOf(order, order.counted, false) };
  }
  const before = [order.counted, ...order.others].find(({ ingestId }) => ingestId === own.ingestId);
  if (before !== undefined) return { order, decision: decisionOf(order, before, false) };
  const { sent } = order;
  const isFromServer = own.channel === 'server';
  if (sent.eventId === own.eventId) {
    // Its copy of the other channel has decided already whether it goes out as that one or apart from it.
    const isApart = own.conversionId !== sent.conversionId;
    const { conversionId, byEventId } = isApart || !sent.byEventId ? own : sent;
    const report = known(own, { conversionId, byEventId });
    return remember(order, own, { report, sent: isApart && isFromServer ? sentBy(own) : sent });
  }
  // Servers say who they are: another value of theirs is a correction, which platforms ignore or take in place of the first.
  if (own.amount === sent.amount || sent.channel === 'server') {
    const mayGo = isFromServer || sent.channel === 'browser';
    const kept = own.targets.filter((target) =>
      mayGo ? isCountedAgain(target, sent, own, windowOf) : sent.targets.includes(target),
    );
    const report = { ...known(own, sent), ...(kept.length === 0 ? {} : { kept }) };
    return remember(order, own, { report, sent });
  }
  // A browser needs no credential: what it said first must not take the place of what another report says.
  const apart = { conversionId: isFromServer ? own.ingestId : own.conversionId, byEventId: true };
  const next = isFromServer ? sentBy({ ...own, ...apart }) : sent;
  return remember(order, own, { report: known(own, apart), sent: next, differs: isFromServer });
}

interface Remembered {
  readonly report: KnownReport;
  readonly sent: SentReport;
  readonly differs?: boolean;
}

function remember(
  order: Order,
  own: OrderReport,
  { report, sent, differs = false }: Remembered,
): { readonly order: Order; readonly decision: OrderDecision } {
  const { counted, others } = order;
  // A browser needs no credential: a stranger who knows an order's id must not keep it out of revenue.
  if (own.channel === 'server' && counted.channel === 'browser') {
    const { amount: _a, touch: _t, last: _l, ...rest } = order;
    const kept = others.slice(0, REPORTS_MAX - 1);
    const next = { ...rest, ...worthOf(own), sent, counted: report, others: [...kept, counted] };
    const after: Order = withEarly(next);
    return { order: after, decision: decisionOf(after, report, differs) };
  }
  const after = others.length >= REPORTS_MAX ? order : { ...order, sent, others: [...others, report] };
  return { order: after, decision: decisionOf(after, report, differs) };
}

function decisionOf(order: Order, report: KnownReport, differs: boolean): OrderDecision {
  const { counted, others } = order;
  const { conversionId, byEventId, kept = [] } = report;
  const early = counted.ingestId === report.ingestId ? takenEarly(order) : undefined;
  const isCounted = counted.ingestId === report.ingestId && counted.channel === 'server';
  const displaced = isCounted
    ? others.filter((other) => other.channel === 'browser' && !isOneEvent(other, report))
    : [];
  return {
    ...{ isRepeated: !isOneEvent(counted, report), conversionId, byEventId, kept, differs, displaced },
    ...withoutUndefined({ early }),
  };
}

const worthOf = ({ amount, touch, last }: OrderReport): Pick<Order, 'amount' | 'touch' | 'last'> => ({
  ...withoutUndefined({ amount, touch, last }),
});

type Life = Pick<KnownReport, 'eventId' | 'receivedAtMs'>;

/** Copies of one event, from a browser and a server: of the two the server's is counted. */
const isOneEvent = (one: Life, other: Life): boolean =>
  one.eventId === other.eventId && Math.abs(one.receivedAtMs - other.receivedAtMs) < DEDUP_WINDOW_MS;

/** An hour before the platform forgets an id, a repetition is no longer sent: it may take that long to arrive. */
const ARRIVES_WITHIN_MS = 3_600_000;

function isCountedAgain(
  target: string,
  sent: SentReport,
  { receivedAtMs, countedAgain }: OrderReport,
  windowOf: DedupWindowOf,
): boolean {
  if (!sent.targets.includes(target)) return false;
  if (countedAgain?.includes(target) || sent.countedAgain?.includes(target)) return true;
  const windowMs = windowOf(target);
  return windowMs !== undefined && receivedAtMs - sent.atMs > windowMs - ARRIVES_WITHIN_MS;
}

const known = (
  { eventId, ingestId, channel, receivedAtMs, shard }: OrderReport,
  { conversionId, byEventId }: Pick<OrderReport, 'conversionId' | 'byEventId'>,
): KnownReport => ({
  ...{ eventId, ingestId, channel, receivedAtMs, conversionId, byEventId },
  ...(shard === undefined ? {} : { shard }),
});

const sentBy = (own: OrderReport): SentReport => ({
  eventId: own.eventId,
  channel: own.channel,
  conversionId: own.conversionId,
  byEventId: own.byEventId,
  ...withoutUndefined({ amount: own.amount, countedAgain: own.countedAgain }),
  atMs: own.receivedAtMs,
  targets: own.targets,
});
