// One order: which of its events is counted, and what became of each of them.
import * as z from 'zod';
import { SCANS } from '#lib/core/routes/call-limits.ts';
import { cursorParam, integer, nextCursor, succeeds } from '#lib/core/routes/wire.ts';
import { EVENT_LIMITS } from '../../domain/event/event.ts';
import { REPORTS_MAX } from '../../domain/orders/order.ts';
import { REFUND_STATES } from '../../domain/orders/refund.ts';
import { money, reportedMoney } from '../analytics/range.ts';
import { defineRoute, READS_EVENTS } from '../define-route.ts';
import { LIST_LIMITS, listedEvent, shownItem, trust } from '../events.ts';
import { moment } from '../instant.ts';

/** Each needs a read of its own. */
const ORDERS_DEFAULT = 25;

const reported = listedEvent
  .extend({
    counted: z
      .boolean()
      .meta({ description: 'Whether revenue and attribution count the order by this event.' }),
    dedup_id: z.string().optional().meta({ description: 'What platforms deduplicate on.' }),
  })
  .meta({ id: 'OrderEvent' });

export const worth = {
  value: z.number().optional().meta({ description: 'As the counted event said.' }),
  currency: z.string().optional(),
  refunded: z.number().optional().meta({ description: 'What all refunds took back, at most the value.' }),
  net: z.number().optional().meta({ description: 'What is left of the value.' }),
  credited_to: z.string().optional().meta({
    description: 'Platform of the first click before the order, or `direct`.',
  }),
  last_click: z.string().optional().meta({
    description: 'Platform of the last click before the order, or `direct`.',
  }),
};

export const listOrders = defineRoute({
  ...READS_EVENTS,
  id: 'listOrders',
  rateLimit: SCANS,
  method: 'GET',
  path: '/v1/orders',
  summary: 'Orders, each once, the one received last first',
  query: z.strictObject({
    start: moment.optional().meta({
      description:
        'Received at or after; where absent, 30 days of the merchant, the last of them among them.',
    }),
    end: moment.optional().meta({ description: 'Received before; now where absent.' }),
    limit: integer(LIST_LIMITS.limitMax, 1).default(ORDERS_DEFAULT),
    cursor: cursorParam,
  }),
  replies: succeeds({
    orders: z.array(
      z
        .object({
          order_id: z.string().optional().meta({
            description: 'Absent of a purchase without one: it is an order by itself.',
          }),
          event_id: z.string().meta({ description: 'Of the event that is counted.' }),
          trust,
          placed_at: z.iso.datetime(),
          received_at: z.iso.datetime(),
          ...worth,
          ...listedEvent.pick({ deliveries: true, withheld: true }).shape,
          reports: z.int().meta({
            description: `Events that reported the order, the counted one among them; at most ${REPORTS_MAX + 1}.`,
          }),
        })
        .meta({ id: 'ListedOrder' }),
    ),
    totals: z
      .object({
        start: z.iso.datetime(),
        end: z.iso.datetime(),
        revenue: z.record(z.string(), money),
        reported: reportedMoney,
      })
      .nullable()
      .meta({
        description:
          'Of the range in whole ten minutes, as the overview counts it: refunds on the day on which they came, where `net` of an order has all of them. Null on later pages.',
      }),
    limit: z.int(),
    next_cursor: nextCursor,
  }),
});

const refund = z.object({
  event_id: z.string(),
  amount: z.number(),
  status: z.enum(REFUND_STATES),
  not_taken_back: z.array(z.object({ platform: z.string(), explanation: z.string() })).meta({
    description: 'Connected platforms where it changes nothing, as far as its event is still kept.',
  }),
});

export const readOrder = defineRoute({
  ...READS_EVENTS,
  id: 'readOrder',
  method: 'GET',
  path: '/v1/orders/:id',
  summary: 'One order with every event that reported it',
  params: z.object({ id: z.string().trim().min(1).max(EVENT_LIMITS.orderIdMaxChars) }),
  replies: succeeds({
    order: z
      .object({
        order_id: z.string(),
        placed_at: z.iso.datetime().optional(),
        ...worth,
        items: z.array(shownItem).meta({
          description:
            'As the counted event said, as far as it is still kept; what was refunded is among them.',
        }),
        refunds: z.array(refund).meta({
          description:
            '`applied` · `reduced` to what was left · `repeated`: its event_id was taken before · `refused`: in another currency, or one too many.',
        }),
        events: z.array(reported).meta({
          description: `Those that are still kept, the counted one first: its copies and at most ${REPORTS_MAX} others.`,
        }),
        is_complete: z
          .boolean()
          .meta({ description: 'False when more events than those may have reported it.' }),
      })
      .meta({ id: 'Order' }),
  }),
  errors: ['not_found'],
});

export const ORDER_ROUTES = [listOrders, readOrder] as const;
