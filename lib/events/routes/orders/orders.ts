// One order: which of its events is counted, and what became of each of them.
import * as z from 'zod';
import { EVENT_LIMITS } from '../../domain/event/event.ts';
import { REPORTS_MAX } from '../../domain/orders/order.ts';
import { REFUND_STATES } from '../../domain/orders/refund.ts';
import { defineRoute, READS_EVENTS } from '../define-route.ts';
import { listedEvent } from '../events.ts';

const reported = listedEvent
  .extend({
    counted: z
      .boolean()
      .meta({ description: 'Whether revenue and attribution count the order by this event.' }),
    dedup_id: z.string().optional().meta({ description: 'What platforms deduplicate on.' }),
  })
  .meta({ id: 'OrderEvent' });

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
  replies: {
    200: z.object({
      success: z.literal(true),
      order: z
        .object({
          order_id: z.string(),
          placed_at: z.iso.datetime().optional(),
          value: z.number().optional().meta({ description: 'As the counted event said.' }),
          currency: z.string().optional(),
          refunded: z
            .number()
            .optional()
            .meta({ description: 'What all refunds took back, at most the value.' }),
          net: z.number().optional().meta({ description: 'What is left of the value.' }),
          refunds: z.array(refund).meta({
            description:
              '`applied` · `reduced` to what was left · `repeated`: its event_id was taken before · `refused`: in another currency, or one too many.',
          }),
          credited_to: z.string().optional().meta({
            description: 'Platform of the first click before the order, or `direct`.',
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
  },
  errors: ['not_found'],
});

export const ORDER_ROUTES = [readOrder] as const;
