// A run as it is stored.
import * as z from 'zod';
import { type Citation, RUN_STATUSES, type Run } from './runs/run.ts';

const citation = z.looseObject({
  articleId: z.string(),
  title: z.string(),
  score: z.number(),
} satisfies Record<keyof Citation, z.ZodType>);

export const STORED_RUN: z.ZodType<Run> = z.looseObject({
  id: z.string(),
  workspaceId: z.string(),
  ticketId: z.string(),
  status: z.enum(RUN_STATUSES),
  kind: z.literal('draft_reply'),
  trigger: z.enum(['message', 'manual']),
  triggerMessageId: z.string().nullable(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  noteId: z.string(),
  outputMessageId: z.string().nullable(),
  citations: z.array(citation),
  error: z.string().nullable(),
  usage: z.looseObject({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
  attempts: z.number(),
  leaseUntilMs: z.number().nullable(),
  createdAtMs: z.number(),
  startedAtMs: z.number().nullable(),
  completedAtMs: z.number().nullable(),
} satisfies Record<keyof Run, z.ZodType>);
