// Plans, what the period that runs used and costs, and the pages of the payment provider. For owners in person, never for keys.
import * as z from 'zod';
import { succeeds } from '#lib/core/routes/wire.ts';
import { READS } from '../../core/routes/call-limits.ts';
import { PAID_PLAN_IDS } from '../domain/billing/plans.ts';
import { SUBSCRIPTION_STATUSES } from '../domain/billing/subscription.ts';
import { defineRoute, OWNS } from './define-route.ts';

const URL_MAX_CHARS = 2_000;

const count = z.int().nonnegative();
const amount = z.number().nonnegative();

const plan = z
  .object({
    id: z.string(),
    name: z.string(),
    currency: z.string(),
    price_per_month: amount,
    included_events: count.meta({ description: 'Events of a month that are in the price.' }),
    overage_per_thousand: amount.meta({
      description: 'For each thousand events over them, a started one counted whole; 0: not charged.',
    }),
  })
  .meta({ id: 'Plan' });

const page = z.string().min(1).max(URL_MAX_CHARS).meta({
  description: 'A page of an origin that may call this API.',
});

export const listBillingPlans = defineRoute({
  id: 'listBillingPlans',
  part: 'api',
  method: 'GET',
  path: '/v1/billing/plans',
  summary: 'Plans and their prices',
  auth: 'public',
  cors: 'any',
  query: z.strictObject({}),
  replies: succeeds({ plans: z.array(plan) }),
  errors: [],
});

export const getBillingUsage = defineRoute({
  ...OWNS,
  id: 'getBillingUsage',
  rateLimit: READS,
  method: 'GET',
  path: '/v1/billing/usage',
  summary: 'What the period that runs used and costs so far; the plan and its payment',
  query: z.strictObject({}),
  replies: succeeds({
    period: z
      .object({ start: z.iso.datetime(), end: z.iso.datetime() })
      .meta({ description: 'Of the subscription; without one, the UTC month.' }),
    plan,
    usage: z.object({
      events: count.meta({
        description:
          'As analytics counts them: bots and browser copies of server events apart. More than the plan includes are taken like any other.',
      }),
      replayed_events: count.meta({
        description: 'Replays, which the plan includes and charges like events: they cost as much.',
      }),
      delivered: count,
      undelivered: count.meta({ description: 'Deliveries that ended in FAILED or ERROR.' }),
      included_events: count,
      remaining_events: count,
      overage_events: count,
      days: z
        .array(
          z.object({
            date: z.iso.date(),
            events: count,
            replayed_events: count,
            delivered: count,
            undelivered: count,
          }),
        )
        .meta({ description: 'UTC days of the period up to today.' }),
    }),
    cost: z
      .object({ currency: z.string(), base: amount, overage: amount, total: amount })
      .meta({ description: 'Of the period so far, before taxes.' }),
    aws_cost: z
      .object({
        currency: z.literal('USD'),
        total: amount,
        parts: z.object({
          writes: amount,
          reads: amount,
          queues: amount,
          functions: amount,
          storage: amount.meta({ description: 'A month of keeping what came.' }),
        }),
        stored_events: count.meta({ description: 'What it is for: bots, copies and replays included.' }),
        region: z.string(),
        prices_as_of: z.iso.date(),
      })
      .meta({
        description:
          'Estimate of what AWS takes for it: units counted per event at the mean rate of the period, times list prices. Without free tiers, logs, data out and what stands idle. Nobody is charged by it.',
      }),
    payment_provider: z.object({
      configured: z.boolean().meta({ description: 'False: plans and usage are all there is.' }),
      has_customer: z.boolean().meta({ description: 'True once a checkout was opened.' }),
      subscription: z
        .object({
          status: z.enum(SUBSCRIPTION_STATUSES),
          current_period_end: z.iso.datetime(),
          ends_at: z.iso.datetime().nullable(),
        })
        .nullable(),
    }),
  }),
});

export const openBillingCheckout = defineRoute({
  ...OWNS,
  id: 'openBillingCheckout',
  method: 'POST',
  path: '/v1/billing/checkout',
  summary: 'A page on which a plan is paid for; opening it closes the one before',
  idempotent: true,
  body: z.strictObject({ plan: z.enum(PAID_PLAN_IDS), success_url: page, cancel_url: page.optional() }),
  replies: succeeds({
    kind: z.enum(['checkout', 'portal']).meta({
      description: '`portal`: there is a subscription already, whose change is confirmed there.',
    }),
    url: z.string(),
  }),
  errors: ['plan_active', 'billing_not_configured'],
});

export const openBillingPortal = defineRoute({
  ...OWNS,
  id: 'openBillingPortal',
  method: 'POST',
  path: '/v1/billing/portal',
  summary: 'The page on which the payment method is changed and the plan is cancelled',
  idempotent: true,
  body: z.strictObject({ return_url: page.optional() }),
  replies: succeeds({ url: z.string() }),
  errors: ['billing_customer_missing', 'billing_not_configured'],
});

export const takeBillingEvent = defineRoute({
  id: 'takeBillingEvent',
  part: 'api',
  method: 'POST',
  path: '/v1/billing/webhook',
  summary: 'News of the payment provider, signed by it',
  auth: 'public',
  headers: z.object({ 'stripe-signature': z.string().max(4_096).optional() }),
  rawBody: true,
  replies: {
    200: z.object({
      received: z.literal(true),
      result: z.enum(['applied', 'unchanged', 'ignored', 'repeated']),
    }),
  },
  errors: ['invalid_signature', 'billing_not_configured'],
});

export const BILLING_ROUTES = [
  listBillingPlans,
  getBillingUsage,
  openBillingCheckout,
  openBillingPortal,
  takeBillingEvent,
] as const;
