// What a merchant used in the period that runs and what it costs so far: sums over counters, which are a fold of event rows.
import type { Success } from '#lib/core/http/handler.ts';
import { DAY_MS, floorTo } from '#lib/core/work/time-slot.ts';
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import { deliveryTotals } from '#lib/events/domain/analytics/delivery-totals.ts';
import { rowsIn } from '#lib/events/domain/analytics/sum.ts';
import {
  AWS_COST_PARTS,
  AWS_PRICES,
  type AwsCostPart,
  awsCostOf,
} from '#lib/events/domain/billing/aws-cost.ts';
import { billOf } from '#lib/events/domain/billing/bill.ts';
import { BILLING_CURRENCY, type Plan } from '#lib/events/domain/billing/plans.ts';
import { type BillingRecord, currentPeriod, planOf } from '#lib/events/domain/billing/subscription.ts';
import { readCounters, total } from '#lib/events/pipeline/counting/counter-range.ts';
import type { getBillingUsage } from '#lib/events/routes/billing.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';

type Usage = Success<typeof getBillingUsage>['body'];

const MINOR_PER_MAJOR = 100;
const AWS_COST_PRECISION = 10_000;

export function planView(plan: Plan) {
  return {
    id: plan.id,
    name: plan.name,
    currency: BILLING_CURRENCY,
    price_per_month: plan.priceMinor / MINOR_PER_MAJOR,
    included_events: plan.includedEvents,
    overage_per_thousand: plan.overageMinorPerThousand / MINOR_PER_MAJOR,
  };
}

export async function usageOf(
  merchantId: string,
  isConfigured: boolean,
  ports: Pick<ApiPorts, 'billing' | 'counters' | 'clock'>,
): Promise<Usage> {
  const nowMs = ports.clock.now();
  const record = await ports.billing.billing(merchantId);
  const subscription = record?.subscription ?? null;
  const plan = planOf(subscription);
  const { startMs, endMs } = currentPeriod(subscription, nowMs);
  const rows = await readCounters(merchantId, { fromMs: startMs, toMs: nowMs + 1 }, ports);
  const byDay = Map.groupBy(rows, ({ key }) => floorTo(key.startMs, DAY_MS));
  const firstDayMs = floorTo(startMs, DAY_MS);
  const days = Array.from({ length: Math.floor((nowMs - firstDayMs) / DAY_MS) + 1 }, (_, i) => {
    const dayMs = firstDayMs + i * DAY_MS;
    const counters = total(byDay.get(dayMs) ?? []);
    return {
      date: iso(dayMs).slice(0, 10),
      events: counters.events,
      replayed_events: counters.replays ?? 0,
      ...deliveryTotals(counters),
    };
  });
  const sum = (of: (day: (typeof days)[number]) => number) => days.reduce((all, day) => all + of(day), 0);
  const events = sum((day) => day.events);
  const replayed = sum((day) => day.replayed_events);
  const billed = events + replayed;
  const bill = billOf(plan, billed);
  return {
    success: true,
    period: { start: iso(startMs), end: iso(endMs) },
    plan: planView(plan),
    usage: {
      events,
      replayed_events: replayed,
      delivered: sum((day) => day.delivered),
      undelivered: sum((day) => day.undelivered),
      included_events: plan.includedEvents,
      remaining_events: Math.max(0, plan.includedEvents - billed),
      overage_events: bill.overageEvents,
      days,
    },
    cost: {
      currency: BILLING_CURRENCY,
      base: bill.baseMinor / MINOR_PER_MAJOR,
      overage: bill.overageMinor / MINOR_PER_MAJOR,
      total: bill.totalMinor / MINOR_PER_MAJOR,
    },
    aws_cost: awsCostView(total(rows), Math.max(0, nowMs - startMs) / 1_000),
    payment_provider: providerView(record, isConfigured),
  };
}

function awsCostView(counters: BucketCounters, seconds: number): Usage['aws_cost'] {
  const stored = rowsIn(counters);
  const { delivered, undelivered } = deliveryTotals(counters);
  const { parts } = awsCostOf({ stored, deliveries: delivered + undelivered, seconds });
  // Whole hundredths of a cent, so that the parts are the total.
  const units = (part: AwsCostPart): number => Math.round(parts[part] * AWS_COST_PRECISION);
  const shown = (part: AwsCostPart): number => units(part) / AWS_COST_PRECISION;
  return {
    currency: 'USD',
    total: AWS_COST_PARTS.reduce((sum, part) => sum + units(part), 0) / AWS_COST_PRECISION,
    parts: {
      writes: shown('writes'),
      reads: shown('reads'),
      queues: shown('queues'),
      functions: shown('functions'),
      storage: shown('storage'),
    },
    stored_events: stored,
    region: AWS_PRICES.region,
    prices_as_of: AWS_PRICES.asOf,
  };
}

function providerView(record: BillingRecord | null, isConfigured: boolean): Usage['payment_provider'] {
  const subscription = record?.subscription ?? null;
  return {
    configured: isConfigured,
    has_customer: record !== null,
    subscription:
      subscription === null
        ? null
        : {
            status: subscription.status,
            current_period_end: iso(subscription.periodEndMs),
            ends_at: subscription.cancelAtMs === null ? null : iso(subscription.cancelAtMs),
          },
  };
}
