// Sums over counters. A range ends now; days are those of the merchant's time zone and the current one is among them.
import * as z from 'zod';
import { defineRoute, SEES } from '#lib/events/routes/define-route.ts';
import { EVENT_NAMES } from '../../domain/event/names.ts';
import { REFUSAL_FIELDS, REFUSAL_REASONS } from '../../domain/event/refusal.ts';
import { holder } from '../platforms/connection-names.ts';
import { INSIGHT_ROUTES } from './insights.ts';
import { count, nextSteps, overSpan, rangeQuery } from './range.ts';

export const getOverview = defineRoute({
  ...SEES,
  id: 'getOverview',
  method: 'GET',
  path: '/v1/analytics/overview',
  summary: 'Key figures of the range',
  query: rangeQuery,
  replies: overSpan({
    events_24h: count.meta({ description: 'Events of the last 24 UTC hours, whatever the range.' }),
    delivery_rate: z.number().min(0).max(1).meta({
      description:
        'delivered / due: of what is over and what was tried or held back and waits to be sent again. Skipped ones, and those that have not had their turn, are apart. 0 while nothing was due.',
    }),
    health_score: z.number().min(0).max(100).meta({
      description:
        'Weighted mean of delivery rate (50), match quality (20), freshness (15) and connection health (15); a part without data is left out. 0 where the range has no event.',
    }),
    active_platforms: count.meta({ description: 'Connections that are not paused.' }),
    revenue_tracked: z.number().meta({
      description:
        'Value of orders less what refunds that came in the range took back, in `revenue_currency`. An order counts once.',
    }),
    avg_latency_ms: z.number().nonnegative().meta({ description: 'From received to delivered.' }),
    deltas: z.record(z.string(), z.number()).meta({
      description:
        'Each figure minus the same figure of the preceding range of equal length; a figure without data here or there is left out.',
    }),
    without_data: z
      .array(z.enum(['delivery_rate', 'health_score', 'revenue_tracked', 'avg_latency_ms']))
      .meta({ description: 'Figures the range has nothing for: they are 0, and say nothing.' }),
    events: count,
    bots: count,
    delivered: count,
    undelivered: count.meta({ description: 'Deliveries that ended in FAILED or ERROR.' }),
    waiting: count.meta({ description: 'Deliveries that are not over: QUEUED, SENDING or RETRY.' }),
    due: count.meta({ description: 'delivered + undelivered + those in RETRY.' }),
    platforms: z
      .array(
        z.object({
          platform: z.string(),
          delivered: count,
          waiting: count.meta({ description: 'Not normalized, queued, being sent, or to be sent again.' }),
          failed: count,
          withheld: count.meta({
            description: 'Not to be sent: not connected, no such event there, rules, consent.',
          }),
        }),
      )
      .meta({ description: 'What became of the events at each platform: adds up to `events`.' }),
    connections: z
      .array(
        holder.extend({
          platform: z.string(),
          ...{ delivered: count, waiting: count, failed: count, withheld: count },
        }),
      )
      .meta({
        description:
          'The same of each connection, of events that came while it was connected, those removed since among them. The list of events shows them by `connection_id` and `outcome`.',
      }),
    next_steps: nextSteps,
    revenue_currency: z
      .string()
      .nullable()
      .meta({ description: 'The reporting currency of the account; without one, that of most orders.' }),
    revenue_not_included: z.array(z.string()).meta({
      description:
        'Currencies of `revenue_by_currency` that `revenue_tracked` leaves out: those without a rate, or without a reporting currency all others.',
    }),
    revenue_by_currency: z.record(
      z.string(),
      z.object({ orders: count, amount: z.number(), refunded: z.number(), net: z.number() }),
    ),
    browser_limit: z
      .object({ events_per_minute: count, reached_at: z.iso.datetime().nullable() })
      .meta({ description: 'Browser events taken in a minute, and the last minute in which more came.' }),
    refused: z
      .object({
        total: count,
        by_reason: z.array(
          z.object({
            reason: z.enum(REFUSAL_REASONS).meta({ description: 'The code of the answer.' }),
            field: z.enum(REFUSAL_FIELDS).optional().meta({
              description: 'Of `invalid_request`: the first field that was wrong, where it is one of these.',
            }),
            count,
          }),
        ),
      })
      .meta({
        description:
          'Events, or whole requests, that were refused on the UTC days of the range, the most frequent reason first. Approximate: written about once a minute, and what a process had not written when it ended is missing. What nobody can be found for, such as an unknown key, is in none.',
      }),
  }),
});

export const getVolume = defineRoute({
  ...SEES,
  id: 'getVolume',
  method: 'GET',
  path: '/v1/analytics/volume',
  summary: 'Events over time',
  query: rangeQuery,
  replies: overSpan({
    interval: z.enum(['hour', 'day']),
    total: count,
    points: z.array(
      z.object({
        start: z.iso.datetime(),
        events: count,
        bots: count,
        delivered: count,
        undelivered: count,
      }),
    ),
  }),
});

export const getCoverage = defineRoute({
  ...SEES,
  id: 'getCoverage',
  method: 'GET',
  path: '/v1/analytics/coverage',
  summary: 'Deliveries by event name and platform',
  query: rangeQuery,
  replies: overSpan({
    event_names: z.array(z.enum(EVENT_NAMES)),
    platforms: z.array(z.string()),
    matrix: z
      .array(z.array(count))
      .meta({ description: 'Delivered events: one row per event name, one column per platform.' }),
    cells: z
      .array(
        z.object({
          event_name: z.enum(EVENT_NAMES),
          platform: z.string(),
          delivered: count,
          counts: z.record(z.string(), count).meta({ description: 'Every state and verdict that occurred.' }),
        }),
      )
      .meta({ description: 'The same cells with everything that occurred; empty ones are left out.' }),
    connections: z
      .array(
        holder.extend({
          platform: z.string(),
          cells: z.array(
            z.object({
              event_name: z.enum(EVENT_NAMES),
              delivered: count,
              counts: z.record(z.string(), count),
            }),
          ),
        }),
      )
      .meta({
        description:
          'Each connection by itself: those to the platforms in the range, those removed since among them. An event counts once for a platform, however many connections it has; the list of events tells them apart by `connection_id`.',
      }),
  }),
});

export const ANALYTICS_ROUTES = [getOverview, getVolume, getCoverage, ...INSIGHT_ROUTES] as const;
