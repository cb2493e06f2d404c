// Sending stored events once more: one event, or a plan for many. Every one of them goes through the whole pipeline again,
// as an event of its own whose id is the original's with an ending.
import * as z from 'zod';
import { JOBS } from '../../core/routes/call-limits.ts';
import { integer, succeeds } from '../../core/routes/wire.ts';
import { EVENT_LIMITS } from '../domain/event/event.ts';
import { PLAN_LIMITS, PLAN_STATES, PLAN_VERDICTS } from '../domain/replays/plan.ts';
import { DEDUPES } from '../domain/replays/replay-id.ts';
import { defineRoute, MANAGES, SEES } from './define-route.ts';
import { LIST_LIMITS, STORED_ID_MAX_CHARS } from './events.ts';
import { moment } from './instant.ts';
import { holder } from './platforms/connection-names.ts';

const eventParams = z.object({ id: z.string().min(1).max(STORED_ID_MAX_CHARS) });
const planParams = z.object({ id: z.guid() });

const dedupe = z.enum(DEDUPES).default('original').meta({
  description:
    'What platforms recognise the event by. `original`: the id they may know already, so that one that has the event counts it once, for as long as it remembers ids. `new`: the id of the replay. A platform that has the event counts it, and its value, a second time; those that deduplicate by order id still merge it.',
});
const platforms = z.array(z.string().min(1).max(40)).min(1).max(100).meta({
  description:
    'Slugs of connected platforms, or ids of connections. Duplicates count once; one that is not connected is refused.',
});

const replayed = z.object({
  success: z.literal(true),
  ok: z.literal(true),
  replayed_at: z.iso.datetime(),
  event_id: z.string().meta({ description: 'Id of the new event: that of the original with an ending.' }),
});
/** Repeated with its key, also after whoever did it first has died, a request finds what it did. */
const keyed = {
  idempotent: true,
  headers: z.object({ 'idempotency-key': z.string().optional() }),
} as const;
const NOT_SENDABLE = [
  'not_found',
  'event_test',
  'event_processing',
  'event_erased',
  'event_unreadable',
] as const;

export const replayEvent = defineRoute({
  ...MANAGES,
  id: 'replayEvent',
  method: 'POST',
  path: '/v1/events/:id/replay',
  summary: 'Send an event once more, through the full pipeline, to every platform that is connected now',
  ...keyed,
  params: eventParams,
  body: z.strictObject({ dedupe }).optional(),
  replies: { 202: replayed },
  errors: NOT_SENDABLE,
});

export const forwardEvent = defineRoute({
  ...MANAGES,
  id: 'forwardEvent',
  method: 'POST',
  path: '/v1/events/:id/forward',
  summary: 'Send an event once more, to the platforms listed and no others',
  ...keyed,
  params: eventParams,
  body: z.strictObject({ platforms, dedupe }),
  replies: { 202: replayed.extend({ platforms: z.array(z.string()) }) },
  errors: NOT_SENDABLE,
});

export const retryFailed = defineRoute({
  ...MANAGES,
  id: 'retryFailed',
  method: 'POST',
  path: '/v1/events/:id/retry-failed',
  summary: 'Send an event again to the platforms where it is FAILED, ERROR or RETRY; waiting retries end',
  idempotent: true,
  params: eventParams,
  body: z.strictObject({}).optional(),
  replies: {
    202: replayed.extend({
      platforms: z.array(z.string()),
      connections: z.array(z.string()).meta({ description: 'Ids of the connections it is sent to again.' }),
      removed: z
        .array(holder.extend({ platform: z.string() }))
        .optional()
        .meta({
          description: 'Connections where it failed that were removed since: nothing is sent there.',
        }),
    }),
  },
  errors: [...NOT_SENDABLE, 'nothing_to_retry', 'connection_removed'],
});

const filter = z.strictObject({
  start: moment.optional().meta({ description: 'Received at or after; 30 days back where absent.' }),
  end: moment.optional().meta({
    description: 'Received before; now where absent or later: what comes after is never in a plan.',
  }),
  event_name: z.string().min(1).max(EVENT_LIMITS.eventNameMaxChars).optional(),
  source: z.string().min(1).max(40).optional(),
  event_ids: z
    .array(z.string().min(1).max(STORED_ID_MAX_CHARS))
    .min(1)
    .max(PLAN_LIMITS.eventIdsMax)
    .optional()
    .meta({ description: 'These ids alone; the latest event of each.' }),
});
const rate = z.int().min(PLAN_LIMITS.rateMin).max(PLAN_LIMITS.rateMax);

const counts = z.object(
  Object.fromEntries(PLAN_VERDICTS.map((word) => [word, z.int().nonnegative()])) as Record<
    (typeof PLAN_VERDICTS)[number],
    z.ZodInt
  >,
);
const plan = z
  .object({
    id: z.guid(),
    state: z.enum(PLAN_STATES),
    dry_run: z.boolean(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    filter: z.object({
      start: z.iso.datetime(),
      end: z.iso.datetime(),
      event_name: z.string().optional(),
      source: z.string().optional(),
      event_ids: z.array(z.string()).optional(),
    }),
    platforms: z.array(z.string()).nullable().meta({ description: 'Null: all that are connected.' }),
    only: z.enum(['undelivered', 'all']),
    dedupe: z.enum(DEDUPES),
    rate: z.int().meta({ description: 'Events sent in a second, at most.' }),
    progress: z.object({
      seen: z.int().nonnegative(),
      matched: z.int().nonnegative(),
      sent: z.int().nonnegative().meta({ description: 'Of a dry run: that would be sent.' }),
      unreadable: z.int().nonnegative(),
      up_to: z.iso.datetime().optional().meta({ description: 'Everything received before was looked at.' }),
    }),
    counts: z.record(z.string(), counts).meta({
      description:
        'Events by platform, or by connection where the replay names one. `will_send`: sent, or would be · `already_delivered` · `in_progress`: its own delivery is under way, or waits for a retry · `too_old` for the platform · `erased`: what was personal is gone · `excluded` by a rule, consent, or what the event lacks · `unreadable`.',
    }),
  })
  .meta({ id: 'Replay' });
const one = z.object({ success: z.literal(true), replay: plan });

export const createReplay = defineRoute({
  ...MANAGES,
  id: 'createReplay',
  rateLimit: JOBS,
  method: 'POST',
  path: '/v1/replays',
  summary: 'Plan to send many events once more, or count what such a plan would do',
  ...keyed,
  body: z.strictObject({
    filter: filter.default({}),
    platforms: platforms.optional(),
    only: z.enum(['undelivered', 'all']).meta({
      description: '`undelivered`: not to platforms that have taken the event already.',
    }),
    rate: rate.default(PLAN_LIMITS.rateDefault),
    dedupe,
    dry_run: z.boolean().default(false),
  }),
  replies: { 202: one },
  errors: ['too_many_replays'],
});

export const listReplays = defineRoute({
  ...SEES,
  id: 'listReplays',
  method: 'GET',
  path: '/v1/replays',
  summary: 'Replays, newest first',
  query: z.strictObject({
    limit: integer(LIST_LIMITS.limitMax).pipe(z.int().min(1)).default(LIST_LIMITS.limitDefault),
    cursor: z.guid().optional().meta({ description: '`next_cursor` of the page before.' }),
  }),
  replies: succeeds({ replays: z.array(plan), next_cursor: z.string().nullable() }),
});

export const readReplay = defineRoute({
  ...SEES,
  id: 'readReplay',
  method: 'GET',
  path: '/v1/replays/:id',
  summary: 'One replay and how far it is',
  params: planParams,
  replies: { 200: one },
  errors: ['not_found'],
});

export const changeReplay = defineRoute({
  ...MANAGES,
  id: 'changeReplay',
  method: 'PATCH',
  path: '/v1/replays/:id',
  summary: 'Pause a replay, resume it, or change its rate',
  idempotent: true,
  params: planParams,
  body: z
    .strictObject({ state: z.enum(['running', 'paused']).optional(), rate: rate.optional() })
    .refine((change) => change.state !== undefined || change.rate !== undefined, 'must change something'),
  replies: { 200: one },
  errors: ['not_found', 'replay_over'],
});

export const cancelReplay = defineRoute({
  ...MANAGES,
  id: 'cancelReplay',
  method: 'DELETE',
  path: '/v1/replays/:id',
  summary: 'Cancel a replay; what it has sent stays sent',
  idempotent: true,
  params: planParams,
  replies: { 200: one },
  errors: ['not_found', 'replay_over'],
});

export const REPLAY_ROUTES = [
  replayEvent,
  forwardEvent,
  retryFailed,
  createReplay,
  listReplays,
  readReplay,
  changeReplay,
  cancelReplay,
] as const;
