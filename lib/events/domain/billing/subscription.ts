// A merchant's subscription, as the payment provider last reported it. Pure.
// Guarantees: a subscription that is paid for, in trial, or whose payment is being retried gives its plan; any other
// gives the free one. Accepting events never depends on it.
import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';
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
type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

const subscription = z.looseObject({
  id: z.string(),
  status: z.enum(SUBSCRIPTION_STATUSES),
  /** Null if its price has none. */
  lookupKey: z.string().nullable(),
  periodStartMs: z.number(),
  periodEndMs: z.number(),
  /** When it ends by itself; null if it continues. */
  cancelAtMs: z.number().nullable(),
  createdAtMs: z.number(),
});
export type Subscription = StoredAs<typeof subscription>;

/** One for each merchant that ever opened a checkout. */
export const STORED_BILLING = z.looseObject({
  merchantId: z.string(),
  /** Counts its writes, from 1. */
  version: z.number(),
  /** The customer id at the payment provider. */
  customerId: z.string(),
  subscription: subscription.nullable(),
  /** The one checkout that may be open. */
  checkoutId: z.string().nullable(),
  updatedAtMs: z.number(),
});
export type BillingRecord = StoredAs<typeof STORED_BILLING>;

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
