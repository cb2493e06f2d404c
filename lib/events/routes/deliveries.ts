// Reading deliveries: what became of events at platforms, across events.
import * as z from 'zod';
import { scansWith } from '../../core/routes/call-limits.ts';
import { cursorParam, integer, nextCursor, succeeds } from '../../core/routes/wire.ts';
import { defineRoute, READS_EVENTS } from './define-route.ts';
import { delivery } from './delivery.ts';
import { CODE_MAX_CHARS, LIST_LIMITS, SLUGS, STATUSES, trust } from './events.ts';
import { moment } from './instant.ts';
import { connectionId } from './platforms/connection-names.ts';

const listed = delivery
  .extend({
    event_id: z.string(),
    trust,
    event_name: z.string().meta({ description: 'Canonical, or the custom name as it was sent.' }),
    received_at: z.iso.datetime(),
  })
  .meta({ id: 'ListedDelivery' });

export const listDeliveries = defineRoute({
  ...READS_EVENTS,
  id: 'listDeliveries',
  rateLimit: scansWith('platform', 'connection_id', 'status', 'reason'),
  method: 'GET',
  path: '/v1/deliveries',
  summary: 'Deliveries, those of the event received last first',
  query: z.strictObject({
    platform: z.enum(SLUGS).optional(),
    connection_id: connectionId.optional().meta({
      description: 'Deliveries to this connection alone, one that was removed as well.',
    }),
    status: z.enum(STATUSES).optional().meta({
      description:
        'State or verdict, by the words of the list of events; a verdict that withholds finds none.',
    }),
    reason: z.string().min(1).max(CODE_MAX_CHARS).optional().meta({
      description:
        'As a delivery says it, or its beginning up to a `.` or `:`: `connection_paused`, `circuit_open`, `platform_limit`, `window_closed`, `meta.100`, `invalid`.',
    }),
    start: moment.optional().meta({ description: 'Event received at or after; 30 days back where absent.' }),
    end: moment.optional().meta({ description: 'Event received before; now where absent.' }),
    limit: integer(LIST_LIMITS.limitMax, 1).default(LIST_LIMITS.limitDefault),
    cursor: cursorParam,
  }),
  replies: succeeds({
    deliveries: z.array(listed),
    limit: z.int(),
    next_cursor: nextCursor,
  }),
});

export const DELIVERY_ROUTES = [listDeliveries] as const;
