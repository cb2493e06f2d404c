// One attempt of a language model to draft a reply, as an internal note. It never sends and never changes a state.
import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';
export const RUN_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const STORED_RUN = z.looseObject({
  /** UUIDv7. */
  id: z.string(),
  workspaceId: z.string(),
  ticketId: z.string(),
  status: z.enum(RUN_STATUSES),
  kind: z.literal('draft_reply'),
  trigger: z.enum(['message', 'manual']),
  triggerMessageId: z.string().nullable(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  /** Allocated with the run, and once more when its first draft is written down; never after that, so that no two notes are written. */
  noteId: z.string(),
  /** The note that was written; null where none was. */
  outputMessageId: z.string().nullable(),
  citations: z.array(z.looseObject({ articleId: z.string(), title: z.string(), score: z.number() })),
  error: z.string().nullable(),
  usage: z.looseObject({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
  attempts: z.number(),
  /** Until when its worker holds it; only while running. */
  leaseUntilMs: z.number().nullable(),
  createdAtMs: z.number(),
  startedAtMs: z.number().nullable(),
  completedAtMs: z.number().nullable(),
});
export type Run = StoredAs<typeof STORED_RUN>;
export type Citation = Run['citations'][number];
