// Runs: drafts of replies by a language model, as internal notes.
import * as z from 'zod';
import { defineRoute } from '../../core/http/route.ts';
import { limitParam, offsetParam } from '../../core/routes/list-query.ts';
import { OFFSET_MAX } from '../domain/account/limits.ts';
import { RUN_STATUSES } from '../domain/runs/run.ts';
import { CAPPED, count, id, paged, reads, success, time, timeOrNull, v1 } from './wire.ts';

export const run = z
  .object({
    id: z.guid(),
    ticket_id: z.guid(),
    status: z.enum(RUN_STATUSES),
    kind: z.literal('draft_reply'),
    trigger: z.enum(['message', 'manual']),
    trigger_message_id: z.guid().nullable(),
    provider: z.string().nullable(),
    model: z.string().nullable(),
    output_message_id: z.guid().nullable().meta({
      description: 'The internal note; null where no article helps: then nothing is said.',
    }),
    citations: z.array(z.object({ article_id: z.guid(), title: z.string(), score: z.number() })),
    error: z.string().nullable(),
    usage: z.object({ input_tokens: count, output_tokens: count }).nullable(),
    attempts: count,
    created_at: time,
    started_at: timeOrNull,
    completed_at: timeOrNull,
  })
  .meta({ id: 'Run' });

export const listRuns = defineRoute({
  ...v1('read:runs', 100),
  id: 'listRuns',
  method: 'GET',
  path: '/api/v1/runs',
  summary: 'Runs, newest first',
  query: z.strictObject({
    ticket_id: id.optional(),
    status: z.enum(RUN_STATUSES).optional(),
    limit: limitParam(20, 100),
    offset: offsetParam(OFFSET_MAX),
  }),
  replies: {
    200: z.object({ success, runs: z.array(run), ...paged }).meta({ id: 'RunListResponse' }),
  },
  replyHeaders: CAPPED,
  errors: [],
});

const getRun = defineRoute({
  ...v1('read:runs', 100),
  ...reads(run),
  id: 'getRun',
  path: '/api/v1/runs/:id',
  summary: 'One run',
  texts: { not_found: 'Run not found' },
});

export const createRun = defineRoute({
  ...v1('write:messages'),
  id: 'createRun',
  method: 'POST',
  path: '/api/v1/runs',
  summary:
    'Ask for a draft by hand; one that was asked for since the last message, and is not done yet, is answered instead',
  texts: { not_found: 'Conversation not found' },
  idempotent: true,
  body: z.strictObject({ ticket_id: id }),
  replies: { 201: run },
  replyHeaders: { location: 'Path of the run.' },
  errors: ['not_found'],
});

export const RUN_ROUTES = [listRuns, getRun, createRun] as const;
