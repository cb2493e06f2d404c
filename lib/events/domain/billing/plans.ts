// All plans: the price of a month, the included events, and the price of more. Guarantees: money is whole minor units,
// so that sums are exact. The first one is what a merchant without a subscription has.
// Stripe identifies a paid plan by the lookup key of its price; a price that differs from this file is never sold.

export interface Plan {
  readonly id: string;
  readonly name: string;
  /** Per month. */
  readonly priceMinor: number;
  /** Events per period included in the price. */
  readonly includedEvents: number;
  /** Per thousand events above them, a started thousand counted whole; 0: shown and not charged. */
  readonly overageMinorPerThousand: number;
  /** Lookup key of the recurring price at Stripe; absent on a plan that is not sold. */
  readonly lookupKey?: string;
}

/** ISO 4217; of every plan. */
export const BILLING_CURRENCY = 'USD';

export const FREE_PLAN: Plan = {
  id: 'free',
  name: 'Free',
  priceMinor: 0,
  includedEvents: 100_000,
  overageMinorPerThousand: 0,
};

export const PAID_PLAN_IDS = ['growth', 'scale'] as const;
export type PaidPlanId = (typeof PAID_PLAN_IDS)[number];
export type PaidPlan = Plan & { readonly id: PaidPlanId; readonly lookupKey: string };

const PAID_PLANS: Readonly<Record<PaidPlanId, PaidPlan>> = {
  growth: {
    id: 'growth',
    name: 'Growth',
    priceMinor: 4_900,
    includedEvents: 1_000_000,
    overageMinorPerThousand: 4,
    lookupKey: 'millrace_growth_monthly',
  },
  scale: {
    id: 'scale',
    name: 'Scale',
    priceMinor: 19_900,
    includedEvents: 10_000_000,
    overageMinorPerThousand: 2,
    lookupKey: 'millrace_scale_monthly',
  },
};

export const paidPlan = (id: PaidPlanId): PaidPlan => PAID_PLANS[id];

export const PLANS: readonly Plan[] = [FREE_PLAN, ...PAID_PLAN_IDS.map(paidPlan)];

/** Null for a price that belongs to no plan. */
export function planOfPrice(lookupKey: string | null): Plan | null {
  return PLANS.find((plan) => plan.lookupKey !== undefined && plan.lookupKey === lookupKey) ?? null;
}
