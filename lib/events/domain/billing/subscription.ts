// What a merchant has subscribed to, as the payment provider last said. Pure.
// Guarantees: a subscription that is paid for, tried, or whose payment is being repeated gives its plan; any other gives the
// free one. Nothing here is asked when events are taken.
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
  /** Null where its price has none. */
  readonly lookupKey: string | null;
  readonly periodStartMs: number;
  readonly periodEndMs: number;
  /** When it ends by itself; null where it goes on. */
  readonly cancelAtMs: number | null;
  readonly createdAtMs: number;
}

/** One for each merchant who ever went to a checkout. */
export interface BillingRecord {
  readonly merchantId: string;
  /** Counts its writes, from 1. */
  readonly version: number;
  /** At the payment provider. */
  readonly customerId: string;
  readonly subscription: Subscription | null;
  /** The one checkout that may be open. */
  readonly checkoutId: string | null;
  readonly updatedAtMs: number;
}

const GIVING: ReadonlySet<SubscriptionStatus> = new Set(['active', 'trialing', 'past_due']);
const OVER: ReadonlySet<SubscriptionStatus> = new Set(['canceled', 'incomplete_expired']);

export const givesPlan = ({ status }: Pick<Subscription, 'status'>): boolean => GIVING.has(status);

/** True where it cannot come back: a new one may be bought beside it. */
export const isOver = ({ status }: Pick<Subscription, 'status'>): boolean => OVER.has(status);

/** The one that counts of all that a customer ever had: of the best that there are the newest. */
export function chooseSubscription<S extends Subscription>(all: readonly S[]): S | null {
  const rank = (one: S): number => (givesPlan(one) ? 0 : isOver(one) ? 2 : 1);
  const sorted = [...all].sort(
    (a, b) => rank(a) - rank(b) || b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1),
  );
  return sorted[0] ?? null;
}

/** The plan that holds. A subscription to something that is none of the plans gives the free one. */
export function planOf(subscription: Subscription | null): Plan {
  if (subscription === null || !givesPlan(subscription)) return FREE_PLAN;
  return planOfPrice(subscription.lookupKey) ?? FREE_PLAN;
}

export interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

/** The period that runs: the subscription's where it gives a plan, else the UTC month. */
export function currentPeriod(subscription: Subscription | null, nowMs: number): Period {
  if (subscription === null || !givesPlan(subscription)) return monthOf(nowMs);
  const { periodStartMs, periodEndMs } = subscription;
  // Renewed, and nobody has said so yet: the next one has begun where this one ended.
  const lengthMs = Math.max(DAY_MS, periodEndMs - periodStartMs);
  const passed = Math.max(0, Math.floor((nowMs - periodStartMs) / lengthMs));
  return { startMs: periodStartMs + passed * lengthMs, endMs: periodStartMs + (passed + 1) * lengthMs };
}

function monthOf(nowMs: number): Period {
  const now = new Date(nowMs);
  const start = (months: number): number => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1);
  return { startMs: start(0), endMs: start(1) };
}
