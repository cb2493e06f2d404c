// A merchant's subscription, as the payment provider last reported it. Pure.
// Guarantees: a subscription that is paid for, in trial, or whose payment is being retried gives its plan; any other
// gives the free one. Accepting events never depends on it.
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { FREE_PLAN, type Plan, planOfPrice } from './plans.ts';

/** https://docs.stripe.com/api/subscriptions/object#subscription_object-status (read 2026-11-22) */
export const SUBSCRIPTION_STATUSES = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
  'incomplete',
  'incomplete_expired',
  'canceled',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export interface Subscription {
  readonly id: string;
  readonly status: SubscriptionStatus;
  /** Null if its price has none. */
  readonly lookupKey: string | null;
  readonly periodStartMs: number;
  readonly periodEndMs: number;
  /** When it ends by itself; null if it continues. */
  readonly cancelAtMs: number | null;
  readonly createdAtMs: number;
}

/** One for each merchant that ever opened a checkout. */
export interface BillingRecord {
  readonly merchantId: string;
  /** Counts its writes, from 1. */
  readonly version: number;
  /** The customer id at the payment provider. */
  readonly customerId: string;
  readonly subscription: Subscription | null;
  /** The one checkout that may be open. */
  readonly checkoutId: string | null;
  readonly updatedAtMs: number;
}

const GIVING: ReadonlySet<SubscriptionStatus> = new Set(['active', 'trialing', 'past_due']);
const OVER: ReadonlySet<SubscriptionStatus> = new Set(['canceled', 'incomplete_expired']);

export const givesPlan = ({ status }: Pick<Subscription, 'status'>): boolean => GIVING.has(status);

/** True if it cannot come back: a new one may be bought. */
export const isOver = ({ status }: Pick<Subscription, 'status'>): boolean => OVER.has(status);

/** The one that counts among all subscriptions of a customer: the newest of the best status. */
export function chooseSubscription<S extends Subscription>(all: readonly S[]): S | null {
  const rank = (one: S): number => (givesPlan(one) ? 0 : isOver(one) ? 2 : 1);
  const sorted = [...all].sort(
    (a, b) => rank(a) - rank(b) || b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1),
  );
  return sorted[0] ?? null;
}

/** The current plan. A subscription to an unknown price gives the free one. */
export function planOf(subscription: Subscription | null): Plan {
  if (subscription === null || !givesPlan(subscription)) return FREE_PLAN;
  return planOfPrice(subscription.lookupKey) ?? FREE_PLAN;
}

export interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

/** The current period: the subscription's if it gives a plan, else the UTC month. */
export function currentPeriod(subscription: Subscription | null, nowMs: number): Period {
  if (subscription === null || !givesPlan(subscription)) return monthOf(nowMs);
  const { periodStartMs, periodEndMs } = subscription;
  // Renewed, but the provider has not reported it yet: the next period began where this one ended.
  const lengthMs = Math.max(DAY_MS, periodEndMs - periodStartMs);
  const passed = Math.max(0, Math.floor((nowMs - periodStartMs) / lengthMs));
  return { startMs: periodStartMs + passed * lengthMs, endMs: periodStartMs + (passed + 1) * lengthMs };
}

function monthOf(nowMs: number): Period {
  const now = new Date(nowMs);
  const start = (months: number): number => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1);
  return { startMs: start(0), endMs: start(1) };
}
