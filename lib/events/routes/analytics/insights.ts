// What to do about the figures: match quality, the way to an order, who brought it, and whether all of it is true.
import * as z from 'zod';
import { SCANS } from '#lib/core/routes/call-limits.ts';
import { defineRoute, SEES } from '#lib/events/routes/define-route.ts';
import { CREDIT_MODELS } from '../../domain/analytics/credit-models.ts';
import { FUNNEL } from '../../domain/analytics/funnel.ts';
import { KNOWN_FIELDS } from '../../domain/event/known-fields.ts';
import {
  checkRange,
  count,
  money,
  nextSteps,
  overSpan,
  rangeQuery,
  rangeShape,
  reportedMoney,
} from './range.ts';

const share = z.number().min(0).max(1);
const examples = z
  .array(z.string())
  .max(3)
  .meta({ description: 'Ids of the newest such events, to look at.' });

const pageAfter = (part: string) =>
  z
    .int()
    .positive()
    .nullable()
    .meta({ description: `${part} of those completed had their page event within so long; 60: or later.` });

export const getQuality = defineRoute({
  ...SEES,
  id: 'getQuality',
  method: 'GET',
  path: '/v1/analytics/quality',
  summary: 'How well events can be matched to people, and what would help most',
  query: rangeQuery,
  replies: overSpan({
    events: count,
    score: z.number().min(0).max(100).meta({
      description:
        'Weighted share of the events that carry each field: email 30, phone 20, external_id 10, client_ip 8, user_agent 7, fbp and fbc 5, names and postal_code 3, city and country 2, state and date_of_birth 1. 0 without events.',
    }),
    deltas: z.record(z.string(), z.number()).meta({
      description: '`score` minus that of the preceding range of equal length, where that had events.',
    }),
    completeness: z.array(z.object({ field: z.enum(KNOWN_FIELDS), events: count, share })),
    click_ids: z
      .object({
        server_orders: count,
        with_click_id: count,
        gained_from_page: count.meta({
          description: 'Of these: orders that gained one from the browser event of their event_id.',
        }),
        gained_from_earlier: count.meta({
          description:
            'Of these: orders that have none but from earlier events of the same person. Without that join so many fewer had one.',
        }),
        share: share.meta({ description: '`with_click_id` of `server_orders`; 0 without orders.' }),
      })
      .meta({
        description: 'Purchases that came from servers, and whether a click id tells what brought them.',
      }),
    page_wait: z
      .object({
        orders: count,
        completed: count.meta({
          description: 'Of these: orders that gained something from a page event that came meanwhile.',
        }),
        in_vain: count.meta({ description: 'The others.' }),
        mean_sec: z.number().nonnegative().nullable().meta({
          description: 'From receipt to the end of the wait: so much later all of these went out.',
        }),
        page_after_p50_sec: pageAfter('Half'),
        page_after_p90_sec: pageAfter('Nine in ten'),
      })
      .meta({
        description: 'Purchases of servers that waited for their page (`page_copy_wait_sec` of the account).',
      }),
    issues: z
      .array(
        z.object({
          field: z.string(),
          code: z.string(),
          events: count,
          share,
          example_event_ids: examples,
          fix: z.string(),
        }),
      )
      .max(10)
      .meta({ description: 'The ten that most events have.' }),
    hints: z
      .array(
        z.object({
          field: z.enum(KNOWN_FIELDS),
          affected: count.meta({ description: 'Events without it.' }),
          expected_gain: z
            .number()
            .nonnegative()
            .meta({ description: 'Points of the score, once all of them had it.' }),
          example_event_ids: examples,
          fix: z.string(),
        }),
      )
      .meta({ description: 'The most useful first.' }),
    next_steps: nextSteps,
  }),
});

export const getFunnel = defineRoute({
  ...SEES,
  id: 'getFunnel',
  method: 'GET',
  path: '/v1/analytics/funnel',
  summary: 'From the first page to the order, and where visitors leave',
  query: rangeQuery,
  replies: overSpan({
    stages: z
      .array(
        z.object({
          name: z.enum(FUNNEL),
          count: count.meta({ description: 'Events, each logical one once; no crawlers, no replays.' }),
          drop_off: count.meta({
            description: 'As many fewer as in the stage before; 0 where there are more.',
          }),
          drop_off_rate: share,
          share_of_first: z.number().nonnegative(),
        }),
      )
      .length(FUNNEL.length),
    deltas: z.record(z.string(), z.int()).meta({
      description: 'Each count minus that of the preceding range, where that had events of the funnel.',
    }),
    next_steps: nextSteps,
  }),
});

const credited = z.object({
  orders: count,
  unlinked_orders: count.meta({
    description: 'Of them, orders for which neither earlier clicks nor earlier purchases were looked up.',
  }),
  revenue: z
    .record(z.string(), money)
    .meta({ description: 'By currency, of orders that say what they are worth.' }),
  reported: reportedMoney,
});

export const getRevenueAttribution = defineRoute({
  ...SEES,
  id: 'getRevenueAttribution',
  method: 'GET',
  path: '/v1/analytics/revenue-attribution',
  summary: 'Orders and revenue by the platform of the first click, or of the last',
  query: z
    .strictObject({
      ...rangeShape,
      model: z.enum(CREDIT_MODELS).default('first_click').meta({
        description: 'Which of an order’s clicks it is credited to.',
      }),
    })
    .check(checkRange),
  replies: overSpan({
    model: z.enum(CREDIT_MODELS),
    platforms: z
      .array(credited.extend({ platform: z.string(), deltas: z.record(z.string(), z.int()) }))
      .meta({
        description:
          'The platform of the first click id, or the last, that was seen in 90 days before the order with an identifier it carries; `direct` where there was none. An order counts once, with the first purchase of its order_id.',
      }),
    total: credited,
    repeated_orders: count.meta({ description: 'Purchases of orders that were counted already.' }),
    next_steps: nextSteps,
  }),
});

export const VERIFIED_ROWS_MAX = 5_000;
export const CREDIT_EXAMPLES_MAX = 10;

const clicked = { credited_to: z.string(), last_click: z.string() };

export const verifyAnalytics = defineRoute({
  ...SEES,
  id: 'verifyAnalytics',
  rateLimit: SCANS,
  method: 'POST',
  path: '/v1/analytics/verify',
  summary: 'Recount the events of a range, and compare',
  readOnly: true,
  body: z
    .strictObject({
      ...rangeShape,
      settle: z.boolean().default(true).meta({
        description:
          'Credits the orders that differ to what their persons’ clicks say now, with their refunds. False: only looks.',
      }),
    })
    .check(checkRange),
  replies: overSpan({
    verified: z.object({ start: z.iso.datetime(), end: z.iso.datetime() }).meta({
      description: `The part that was recounted: from the start of the range, about ${VERIFIED_ROWS_MAX} events at most.`,
    }),
    next_start: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Where to go on, as `start`; null when the whole range was recounted.' }),
    rows: count.meta({ description: 'Events that were read, whatever they count for.' }),
    unreadable: count.meta({
      description: 'Of them, events that cannot be read: they stand in no figure.',
    }),
    drift: z.number().nonnegative().meta({ description: 'Sum over all figures, without signs.' }),
    settling: z.boolean().meta({
      description: 'True where counters may still follow their events: figures are at most two minutes late.',
    }),
    credit: z
      .object({
        orders: count,
        differing: count.meta({
          description:
            'Credited to another platform than the clicks that are known now say: a click was stored after its order. In `figures` under `credits` and `moves`, as it was before.',
        }),
        settled: count.meta({
          description: 'Of them, credited anew; counters follow within two minutes. Each is moved once.',
        }),
        unknown: count.meta({
          description: 'Personal data is erased, or the click may have ended since.',
        }),
        examples: z
          .array(z.object({ event_id: z.string(), ...clicked, recounted: z.object(clicked) }))
          .max(CREDIT_EXAMPLES_MAX),
      })
      .meta({ description: 'Who brought each order, asked once more of its person’s clicks.' }),
    figures: z.record(
      z.string(),
      z.object({ counted: z.number(), recounted: z.number(), drift: z.number() }),
    ),
  }),
  errors: ['too_much_to_verify'],
});

export const INSIGHT_ROUTES = [getQuality, getFunnel, getRevenueAttribution, verifyAnalytics] as const;
