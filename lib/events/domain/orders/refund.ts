// Refunds of one order: each is taken once, and together they take back no more than the order was worth. One that comes before
// its order waits for it, and is counted with it. Pure.

import type { BucketCounters } from '../analytics/analytics.ts';
import { fromMinorUnits, toMinorUnits } from '../event/decimal.ts';
import type { Decimal } from '../event/normalized-event.ts';
import { amountOf, type Money, moneyIn } from './amount.ts';

/** An event that takes an order back, wholly or in part. */
export interface RefundReport {
  readonly eventId: string;
  readonly ingestId: string;
  /** Absent: what is left of the order. */
  readonly value?: Decimal;
  readonly currency?: string;
}

/**
 * `applied`: as it came · `reduced`: to what was left of the order · `repeated`: its event id was taken before · `refused`: in
 * another currency than the order, or beyond `REFUNDS_MAX`.
 */
export const REFUND_STATES = ['applied', 'reduced', 'repeated', 'refused'] as const;

/**
 * Why a refund changes nothing at a platform · `no_way`: it takes none back · `no_grant`: not with what the connection may do there ·
 * `order_unknown`: of the order nothing is known, or not its worth · `from_page`: pages are not asked for refunds · `nothing`: it takes nothing back · `not_delivered`: the platform did
 * not get the purchase from here · `connection_changed`, `purchase_changed`: the connection since, or the purchase by a rule, so that
 * the platform might know it otherwise · `too_late`: it takes changes of the purchase no longer.
 */
export const NOT_TAKEN_BACK = [
  'no_way',
  'no_grant',
  'order_unknown',
  'from_page',
  'nothing',
  'not_delivered',
  'connection_changed',
  'purchase_changed',
  'too_late',
] as const;
/** Why the delivery of a refund waits: the platform may yet get its purchase. */
export const PURCHASE_OPEN = 'purchase_open';
export type NotTakenBack = (typeof NOT_TAKEN_BACK)[number];

export interface KnownRefund {
  readonly eventId: string;
  readonly ingestId: string;
  /** Taken back, in minor units of the order's currency. */
  readonly minor: string;
  readonly state: (typeof REFUND_STATES)[number];
  /** It came before the order: what it said, as `amountOf`; empty: what is left. */
  readonly early?: string;
}

/** A refund that came before its order. */
export interface WaitingRefund extends Pick<KnownRefund, 'eventId' | 'ingestId'> {
  readonly receivedAtMs: number;
  readonly early: string;
}

export interface Refunded {
  /** What the order was worth, e.g. `EUR 59.98`; absent where its counted event did not say. */
  readonly amount?: string;
  /** In the order in which they came. */
  readonly refunds?: readonly KnownRefund[];
}

export const REFUNDS_MAX = 100;

/** The refunds after this one, and what is taken back by it. The same refunds where it is known already. */
export function refund(
  order: Refunded,
  own: RefundReport,
): { readonly refunds: readonly KnownRefund[]; readonly decision: KnownRefund } {
  const { refunds = [] } = order;
  const before = refunds.find(({ ingestId }) => ingestId === own.ingestId);
  if (before !== undefined) return { refunds, decision: before };
  const decision = { eventId: own.eventId, ingestId: own.ingestId, ...takenOf(order, own) };
  return { refunds: refunds.length < REFUNDS_MAX ? [...refunds, decision] : refunds, decision };
}

/** The refunds that wait after this one; the same where it is not kept. Its currency is only known to be right once the order is. */
export function wait(
  waiting: readonly WaitingRefund[],
  { eventId, ingestId, ...own }: RefundReport,
  receivedAtMs: number,
): { readonly waiting: readonly WaitingRefund[]; readonly state: KnownRefund['state'] | 'waiting' } {
  if (waiting.some((each) => each.ingestId === ingestId)) return { waiting, state: 'waiting' };
  const isTaken = ({ early }: WaitingRefund): boolean => {
    const { currency } = moneyIn(early) ?? {};
    return currency === undefined || currency === own.currency;
  };
  if (waiting.some((each) => each.eventId === eventId && isTaken(each)))
    return { waiting, state: 'repeated' };
  if (waiting.length >= REFUNDS_MAX) return { waiting, state: 'refused' };
  const early = amountOf(own) ?? '';
  return { waiting: [...waiting, { eventId, ingestId, receivedAtMs, early }], state: 'waiting' };
}

type Early = Pick<WaitingRefund, 'eventId' | 'ingestId' | 'early'>;

/**
 * The order with those that waited for it. Anew where another report is counted in place of a page's: a stranger's must not have said
 * what they may take back.
 */
export function withEarly<O extends Refunded>(order: O, waiting?: readonly WaitingRefund[]): O {
  const { refunds: known = [] } = order;
  const early: readonly Early[] = waiting ?? known.filter(isEarly);
  if (early.length === 0) return order;
  const late = known.filter((each) => !isEarly(each));
  const taking = late.filter(({ state }) => state !== 'repeated');
  const taken: KnownRefund[] = [];
  for (const { eventId, ingestId, early: said } of early) {
    const own = { eventId, ingestId, ...moneyIn(said) };
    taken.push({
      eventId,
      ingestId,
      ...takenOf({ ...order, refunds: [...taken, ...taking] }, own),
      early: said,
    });
  }
  return { ...order, refunds: [...taken, ...late] };
}

const isEarly = (known: KnownRefund): known is KnownRefund & Early => known.early !== undefined;

/** What they took back, as counters have it. Undefined: nothing. */
export function takenEarly({ amount, refunds = [] }: Refunded): BucketCounters['refunds'] {
  const ordered = moneyIn(amount)?.currency;
  const sums = new Map<string, { readonly orders: number; readonly minor: string }>();
  for (const { early, minor } of refunds) {
    const currency = ordered ?? moneyIn(early)?.currency;
    if (early === undefined || minor === '0' || currency === undefined) continue;
    const { orders, minor: before } = sums.get(currency) ?? { orders: 0, minor: '0' };
    sums.set(currency, { orders: orders + 1, minor: String(BigInt(before) + BigInt(minor)) });
  }
  return sums.size === 0 ? undefined : Object.fromEntries(sums);
}

/** What is left of an order. */
export interface Left extends Money {
  /** `value` in minor units. */
  readonly minor: bigint;
  /** What refunds took back together, in minor units. */
  readonly gone: bigint;
}

/** Undefined where it is not known what the order was worth. */
export function leftOf({ amount, refunds = [] }: Refunded): Left | undefined {
  const whole = moneyIn(amount);
  if (whole === undefined) return undefined;
  const { currency, value } = whole;
  const gone = refunds.reduce((sum, { minor }) => sum + BigInt(minor), 0n);
  const minor = toMinorUnits(value, currency) - gone;
  return { currency, value: fromMinorUnits(minor, currency), minor, gone };
}

function takenOf(
  order: Refunded,
  { eventId, value, currency }: RefundReport,
): Pick<KnownRefund, 'minor' | 'state'> {
  const { refunds = [] } = order;
  const left = leftOf(order);
  const ordered = left?.currency ?? currency;
  const nothing = { minor: '0' } as const;
  // What was refused took nothing back: sent again as it should be, it is taken.
  const isTaken = refunds.some((each) => each.eventId === eventId && each.state !== 'refused');
  if (isTaken) return { ...nothing, state: 'repeated' };
  const isOther = currency !== undefined && currency !== ordered;
  if (isOther || ordered === undefined || refunds.length >= REFUNDS_MAX)
    return { ...nothing, state: 'refused' };
  const wanted = value === undefined ? undefined : toMinorUnits(value, ordered);
  if (left === undefined) return { minor: String(wanted ?? 0), state: 'applied' };
  // A server may have said that the order was worth less than was taken back of what a page said.
  const rest = left.minor > 0n ? left.minor : 0n;
  if (wanted === undefined || wanted <= rest) return { minor: String(wanted ?? rest), state: 'applied' };
  return { minor: String(rest), state: 'reduced' };
}
