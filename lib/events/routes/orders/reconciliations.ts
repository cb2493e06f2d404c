// Comparing a merchant's own orders with what its platforms were sent: missing, doubled, or with another value or currency.
import * as z from 'zod';
import { JOBS } from '#lib/core/routes/call-limits.ts';
import { cursorParam, integer, succeeds } from '#lib/core/routes/wire.ts';
import { CONVERSIONS_MAX, STANDINGS } from '../../domain/analytics/order-standing.ts';
import { EVENT_LIMITS } from '../../domain/event/event.ts';
import { RECONCILIATION_LIMITS } from '../../domain/reconciliation/reconciliation.ts';
import { PLAN_LIMITS } from '../../domain/replays/plan.ts';
import { defineRoute, MANAGES, SEES } from '../define-route.ts';
import { LIST_LIMITS } from '../events.ts';
import { moment } from '../instant.ts';
import { createReplay } from '../replays.ts';

const params = z.object({ id: z.guid() });
const limit = integer(LIST_LIMITS.limitMax).pipe(z.int().min(1)).default(LIST_LIMITS.limitDefault);
const slug = z.string().min(1).max(40);

const time = z.iso.datetime();
const figures = z.object(
  Object.fromEntries(STANDINGS.map((standing) => [standing, z.int().nonnegative()])) as Record<
    (typeof STANDINGS)[number],
    z.ZodInt
  >,
);

const reconciliation = z
  .object({
    id: z.guid(),
    status: z.enum(['running', 'done']),
    created_at: time,
    updated_at: time,
    expires_at: time.meta({ description: 'When it is deleted, and what was uploaded with it.' }),
    covers: z
      .object({ start: time, end: time })
      .meta({ description: 'Events received from `start` on, and before `end`.' }),
    upload: z
      .object({
        orders: z.int().positive(),
        repeated: z
          .int()
          .nonnegative()
          .meta({ description: 'Rows that said again what an earlier one said.' }),
        with_value: z.int().nonnegative(),
        with_currency: z.int().nonnegative(),
        with_time: z.int().nonnegative(),
      })
      .meta({ description: 'What was read of the upload: a column of another name is not.' }),
    progress: z.object({
      events: z.int().nonnegative().meta({ description: 'Events looked at.' }),
      unreadable: z.int().nonnegative().meta({ description: 'Events among them that could not be read.' }),
      up_to: time.meta({ description: 'Everything received before was looked at.' }),
      share: z
        .number()
        .min(0)
        .max(1)
        .meta({ description: 'Of the time to be looked at; 1 when it is done.' }),
    }),
    unlisted: z.int().nonnegative().nullable().meta({
      description:
        'Purchases with an order id that was not uploaded, made between the first and the last time that was; null where no time was uploaded.',
    }),
    platforms: z.record(z.string(), figures.nullable()).meta({
      description:
        'Orders by platform; null until it is done. `matched`: counted once, as uploaded · `missing`: the platform has none of its events · `doubled`: the platform counts it more than once · `wrong_value`, `wrong_currency`: it was sent another · `waiting`: on its way, or waits for a retry · `withheld`: kept from the platform by a rule, by consent, as a crawler’s, or because it has no use for it · `out_of_range`: no event found, and its time is outside `covers`.',
    }),
  })
  .meta({ id: 'Reconciliation' });
const one = z.object({ success: z.literal(true), reconciliation });

const AMOUNT = 'must be an amount like 1059.98: digits and a point, no sign, blank or comma';

const order = z.strictObject({
  order_id: z.string().min(1).max(RECONCILIATION_LIMITS.idMaxChars).optional(),
  event_id: z.string().min(1).max(EVENT_LIMITS.eventIdMaxChars).optional(),
  value: z
    .union([z.number().nonnegative().max(1e15), z.string().regex(/^\d{1,15}(?:\.\d{1,12})?$/, AMOUNT)])
    .optional()
    .meta({ description: 'Not compared where it is absent.' }),
  currency: z
    .string()
    .min(3)
    .max(3)
    .optional()
    .meta({ description: 'ISO 4217. Not compared where it is absent.' }),
  time: z
    .union([z.string().min(1).max(40), z.int().nonnegative()])
    .optional()
    .meta({
      description:
        'When it was made: ISO 8601 with offset, or Unix time. The events of a day before it are looked at.',
    }),
});

export const createReconciliation = defineRoute({
  ...MANAGES,
  id: 'createReconciliation',
  rateLimit: JOBS,
  method: 'POST',
  path: '/v1/reconciliations',
  summary:
    'Compare orders, as JSON or CSV with the columns order_id, event_id, value, currency and time, with what platforms were sent',
  idempotent: true,
  headers: z.object({
    'idempotency-key': z.string().optional(),
    'content-type': z.string().optional(),
  }),
  query: z.strictObject({
    start: moment.optional().meta({
      description:
        'Events received at or after; a day before the first time uploaded where absent, or 30 days back where no time was.',
    }),
    end: moment.optional().meta({ description: 'Events received before; now where absent or later.' }),
    platforms: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .meta({ description: 'Slugs of connected platforms, separated by commas; all that are where absent.' }),
  }),
  rawBody: true,
  bodyTypes: ['application/json', 'text/csv'],
  bodySizeMaxBytes: RECONCILIATION_LIMITS.uploadSizeMaxBytes,
  body: z.strictObject({ orders: z.array(order).min(1).max(RECONCILIATION_LIMITS.ordersMax) }),
  replies: { 202: one },
  errors: ['rate_limited'],
});

export const listReconciliations = defineRoute({
  ...SEES,
  id: 'listReconciliations',
  method: 'GET',
  path: '/v1/reconciliations',
  summary: 'Reconciliations, newest first',
  query: z.strictObject({ limit, cursor: cursorParam }),
  replies: succeeds({
    reconciliations: z.array(reconciliation),
    limit: z.int(),
    next_cursor: z.string().nullable(),
  }),
});

export const readReconciliation = defineRoute({
  ...SEES,
  id: 'readReconciliation',
  method: 'GET',
  path: '/v1/reconciliations/:id',
  summary: `How far a reconciliation is, and what it found; kept for ${RECONCILIATION_LIMITS.keptDays} days`,
  params,
  replies: { 200: one },
  errors: ['not_found'],
});

const standing = z.object({
  status: z.enum(STANDINGS),
  times: z
    .int()
    .nonnegative()
    .max(CONVERSIONS_MAX)
    .meta({
      description: `How often the platform counts the order, at most ${CONVERSIONS_MAX}: copies that it merges by their id, or by the order id, count once.`,
    }),
  reason: z.string().optional().meta({
    description:
      'Why the platform has nothing although an event was found, as a delivery or verdict says it.',
  }),
  sent: z
    .object({ value: z.string().nullable(), currency: z.string().nullable() })
    .optional()
    .meta({ description: 'What came with the event, where that is not what was uploaded.' }),
});

export const listReconciledOrders = defineRoute({
  ...SEES,
  id: 'listReconciledOrders',
  method: 'GET',
  path: '/v1/reconciliations/:id/orders',
  summary:
    'Orders of a reconciliation that is done and how each stands at the platforms, as they were uploaded',
  params,
  query: z.strictObject({
    platform: slug.optional().meta({ description: 'This one alone.' }),
    status: z.enum(STANDINGS).optional().meta({
      description: 'Orders that stand so at a platform; all that are not `matched` everywhere where absent.',
    }),
    limit,
    cursor: cursorParam,
  }),
  replies: succeeds({
    orders: z.array(
      z.object({
        order_id: z.string().optional(),
        event_id: z.string().optional(),
        value: z.string().optional(),
        currency: z.string().optional(),
        time: time.optional(),
        events: z
          .array(z.object({ event_id: z.string(), trust: z.enum(['server', 'browser']) }))
          .meta({ description: 'The first events found of it, each id and channel once.' }),
        platforms: z.record(z.string(), standing),
      }),
    ),
    limit: z.int(),
    next_cursor: z.string().nullable(),
  }),
  errors: ['not_found', 'reconciliation_running'],
});

export const replayReconciliation = defineRoute({
  ...MANAGES,
  id: 'replayReconciliation',
  rateLimit: JOBS,
  method: 'POST',
  path: '/v1/reconciliations/:id/replay',
  summary: 'Plan to send again, to one platform, the orders it misses and events were found of',
  idempotent: true,
  headers: z.object({ 'idempotency-key': z.string().optional() }),
  params,
  body: z.strictObject({
    platform: slug.meta({ description: 'One that is connected and was compared.' }),
    rate: z.int().min(PLAN_LIMITS.rateMin).max(PLAN_LIMITS.rateMax).default(PLAN_LIMITS.rateDefault),
    dry_run: z.boolean().default(false),
    cursor: cursorParam.meta({
      description: `\`next_cursor\` of the replay before: one takes ${RECONCILIATION_LIMITS.replayOrdersMax} orders.`,
    }),
  }),
  replies: {
    202: createReplay.replies[202].extend({
      orders: z.int().positive().meta({ description: 'That the replay takes.' }),
      next_cursor: z.string().nullable().meta({ description: 'Where there are more.' }),
    }),
  },
  errors: ['not_found', 'reconciliation_running', 'nothing_to_replay', 'too_many_replays'],
});

export const RECONCILIATION_ROUTES = [
  createReconciliation,
  listReconciliations,
  readReconciliation,
  listReconciledOrders,
  replayReconciliation,
] as const;
