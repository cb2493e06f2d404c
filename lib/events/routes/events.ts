// Reading events. Nothing here returns plain personal data: digests are shortened, addresses and identifiers masked.
import * as z from 'zod';
import { scansWith } from '../../core/routes/call-limits.ts';
import { cursorParam, integer, succeeds } from '../../core/routes/wire.ts';
import { DELIVERY_STATES } from '../domain/deliveries/delivery.ts';
import { OUTCOMES } from '../domain/deliveries/outcome.ts';
import { EVENT_LIMITS } from '../domain/event/event.ts';
import { VERDICT_CODES } from '../pipeline/verdicts.ts';
import { PLATFORMS } from '../platforms/registry.ts';
import { defineRoute, READS_EVENTS } from './define-route.ts';
import { confirmation, delivery, status } from './delivery.ts';
import { moment } from './instant.ts';
import { connectionId, holder } from './platforms/connection-names.ts';

export const LIST_LIMITS = { limitMax: 100, limitDefault: 50, offsetMax: 10_000, rangeMaxDays: 100 } as const;
/** A replayed event's id is longer than any a caller may choose. */
export const STORED_ID_MAX_CHARS = EVENT_LIMITS.eventIdMaxChars + 31;
export const PROCESSING = 'processing';
export const CODE_MAX_CHARS = 200;
export const SLUGS = PLATFORMS.map(({ slug }): string => slug);
/** What a delivery that is over is called as the one verdict of an event at a platform. */
export const ENDED = ['delivered', 'failed', 'error', 'skipped'] as const;
const VERDICTS = [PROCESSING, ...VERDICT_CODES, ...ENDED] as const;
/** What a platform's entry in `explain` may say, as its verdict or as its delivery: the filter takes exactly these. */
export const STATUSES = [...VERDICTS, ...DELIVERY_STATES] as const;

const query = z.strictObject({
  platform: z.enum(SLUGS).optional().meta({ description: 'Events targeted at this platform.' }),
  connection_id: connectionId.optional().meta({
    description: 'Events targeted at this connection, also a removed one; status and outcome are then of it.',
  }),
  status: z.enum(STATUSES).optional().meta({
    description: 'Verdict or delivery state as `explain` says it, at the platform given or at any.',
  }),
  outcome: z.enum(OUTCOMES).optional().meta({
    description: 'What became of it at the platform given, or at any, as `platforms` of the overview counts.',
  }),
  code: z.string().trim().min(1).max(CODE_MAX_CHARS).optional().meta({
    description:
      'Why it was refused, given up or withheld: the reason of a delivery that is over, or the verdict where nothing was to be delivered, or its beginning up to a `.` or `:`. With or without the name of the platform: `meta.190` is `190` at Meta.',
  }),
  event_name: z.string().min(1).max(EVENT_LIMITS.eventNameMaxChars).optional().meta({
    description: 'Canonical name, an alias of it, or a custom name as it was sent.',
  }),
  source: z.string().min(1).max(40).optional(),
  test: z.enum(['true', 'false']).optional().meta({ description: 'Events of test keys, or of others only.' }),
  order_id: z.string().trim().min(1).max(EVENT_LIMITS.orderIdMaxChars).optional().meta({
    description: 'Events of this order, refunds among them: found at once, however old.',
  }),
  start: moment.optional().meta({ description: 'Received at or after; 30 days back where absent.' }),
  end: moment.optional().meta({ description: 'Received before; now where absent.' }),
  search: z.string().trim().min(1).max(254).optional().meta({
    description: 'Start of an event_id or order_id, or a whole e-mail address.',
  }),
  limit: integer(LIST_LIMITS.limitMax, 1).default(LIST_LIMITS.limitDefault),
  offset: integer(LIST_LIMITS.offsetMax).optional(),
  cursor: cursorParam,
  orderBy: z.enum(['event_time', 'received_at', 'value']).default('received_at'),
  orderDirection: z.enum(['asc', 'desc']).default('desc'),
});

export const trust = z.enum(['server', 'browser']);
export const shownItem = z.object({
  id: z.string(),
  quantity: z.number(),
  price: z.number().optional(),
  name: z.string().optional(),
  brand: z.string().optional(),
  category: z.string().optional(),
  variant: z.string().optional(),
});

export const listedEvent = z
  .object({
    event_id: z.string(),
    trust: trust.meta({ description: 'Whether the event came with a credential or from a browser.' }),
    event_name: z.string().meta({ description: 'Canonical, or the custom name as it was sent.' }),
    canonical_name: z.string(),
    event_time: z.int().meta({ description: 'Unix time in seconds.' }),
    received_at: z.iso.datetime(),
    state: z.enum(['accepted', 'normalized']),
    source: z.string(),
    value: z.number().optional(),
    currency: z.string().optional(),
    order_id: z.string().optional(),
    bot: z.boolean(),
    test: z.boolean().meta({ description: 'It came with a test key; `~test` ends its id.' }),
    deliveries: z.array(holder.extend({ platform: z.string(), status })).meta({
      description:
        'One entry per targeted platform. Of several connections the one that is not over, or ended worst.',
    }),
    withheld: z.array(z.object({ platform: z.string(), verdict: z.enum(VERDICT_CODES) })).meta({
      description: 'Connected platforms that are not to have the event, and why.',
    }),
  })
  .meta({ id: 'ListedEvent' });

const event = listedEvent
  .omit({ deliveries: true, withheld: true })
  .extend({
    dedup_id: z.string().optional().meta({ description: 'What platforms deduplicate on.' }),
    replay_of: z.string().optional().meta({
      description: 'Of a replay: the event_id of its original. Replays are counted apart.',
    }),
    action_source: z.string().optional(),
    event_source_url: z.string().optional().meta({ description: 'Without query and fragment.' }),
    referrer_url: z.string().optional().meta({ description: 'Without query and fragment.' }),
    items: z.array(shownItem),
    consent: z.record(z.string(), z.enum(['granted', 'denied'])),
    custom_data: z.record(z.string(), z.unknown()).optional(),
    app: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'The app and its device; ids are masked.' }),
    personal_data: z.enum(['kept', 'erased', 'unreadable']).meta({
      description:
        'Once `erased`, URLs, custom_data, app and the values of identity are gone for good; `identity.fields` stays. `unreadable`: kept, and damaged.',
    }),
    identity: z.object({
      fields: z.array(z.string()).meta({ description: 'What was sent about the person, by name.' }),
      hashed: z.record(z.string(), z.union([z.string(), z.array(z.string())])).meta({
        description: 'Start of each SHA-256 digest.',
      }),
      raw: z.record(z.string(), z.string()).meta({ description: 'Masked.' }),
    }),
    issues: z.array(z.object({ field: z.string(), code: z.string() })).meta({
      description:
        'What was noticed about the values sent. `unknown_property` names a property outside the schema (`*`: more of them, or names that are no plain word). `repeated_order`: another event is counted as this order.',
    }),
    completed_from_earlier: z.array(z.string()).optional().meta({
      description:
        'Click ids of a server purchase that were seen with the same person within 90 days before it, and that were not denied then or now; absent: none.',
    }),
    completed_from_page: z.array(z.string()).optional().meta({
      description:
        'Fields that the server did not send and that were taken from the browser event of the same event_id. Absent where none was.',
    }),
    expires_at: z.iso.datetime().meta({ description: 'End of the dedup window.' }),
    copies: z.object({ server: z.boolean(), browser: z.boolean() }).meta({
      description: 'Which copies of this event_id exist.',
    }),
  })
  .meta({ id: 'StoredEvent' });

const params = z.object({ id: z.string().min(1).max(STORED_ID_MAX_CHARS) });
const copyQuery = z.strictObject({
  trust: trust.optional().meta({ description: 'The copy to read; the server one is preferred.' }),
});

export const listEvents = defineRoute({
  ...READS_EVENTS,
  id: 'listEvents',
  rateLimit: scansWith(
    'platform',
    'connection_id',
    'status',
    'outcome',
    'code',
    'event_name',
    'source',
    'test',
    'order_id',
    'search',
    'orderBy',
  ),
  method: 'GET',
  path: '/v1/events',
  summary: 'Events, filtered and sorted',
  query,
  replies: succeeds({
    events: z.array(listedEvent),
    total: z.int().nonnegative(),
    total_is_exact: z.boolean().meta({
      description: 'False where there may be more: one request looks at so many, and counters do not say it.',
    }),
    limit: z.int(),
    offset: z.int(),
    next_cursor: z.string().nullable(),
  }),
});

export const readEvent = defineRoute({
  ...READS_EVENTS,
  id: 'readEvent',
  method: 'GET',
  path: '/v1/events/:id',
  summary: 'One event with its deliveries',
  params,
  query: copyQuery,
  replies: succeeds({ event, deliveries: z.array(delivery) }),
  errors: ['not_found'],
});

const said = holder.partial().extend({
  verdict: z.enum(VERDICTS).meta({
    description: '`pending` while the platform is to have it and does not yet; then what became of it.',
  }),
  subject: z.string().optional().meta({
    description: 'The rule, signal, field or event name it is about, or why a delivery was skipped.',
  }),
  explanation: z.string(),
  changed_by: z.array(z.string()).optional().meta({
    description: 'Rules that changed the event for this connection, in their order.',
  }),
  delivery: z.enum(DELIVERY_STATES).optional(),
  confirmation: confirmation.optional(),
});

export const explainEvent = defineRoute({
  ...READS_EVENTS,
  id: 'explainEvent',
  method: 'GET',
  path: '/v1/events/:id/explain',
  summary: 'Why each platform gets the event, or does not: one verdict per platform',
  params,
  query: copyQuery,
  replies: succeeds({
    event_id: z.string(),
    trust,
    copies: z.object({ server: z.boolean(), browser: z.boolean() }),
    trace_id: z.string().meta({ description: 'Of its `traceparent`, or made for it: webhooks get it.' }),
    request_id: z.string().optional().meta({ description: 'Its `X-Request-Id`, where that was a UUID.' }),
    verdicts: z.array(
      z.object({
        platform: z.string(),
        label: z.string(),
        ...said.shape,
        connections: z.array(said).optional().meta({
          description: 'The same of each, where several connections to the platform were asked.',
        }),
      }),
    ),
  }),
  errors: ['not_found'],
});
export const EVENT_ROUTES = [listEvents, readEvent, explainEvent] as const;
