// A job of many steps as it is stored.
import * as z from 'zod';
import { JOB_KINDS, type Job, type JobCounts } from './job.ts';

export const STORED_JOB: z.ZodType<Job> = z.looseObject({
  id: z.string(),
  workspaceId: z.string(),
  kind: z.enum(JOB_KINDS),
  status: z.enum(['running', 'done']),
  contactId: z.string().nullable(),
  email: z.string().nullable(),
  phase: z.enum(['tickets', 'deliveries', 'contact', 'links']),
  cursor: z.string().nullable(),
  pass: z.number(),
  counts: z.looseObject({
    tickets: z.number(),
    messages: z.number(),
    runs: z.number(),
    deliveries: z.number(),
    mails: z.number(),
  } satisfies Record<keyof JobCounts, z.ZodType>),
  leaseUntilMs: z.number().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  completedAtMs: z.number().nullable(),
  ticket: z.looseObject({ id: z.string(), version: z.number(), tokens: z.array(z.string()) }).exactOptional(),
} satisfies Record<keyof Job, z.ZodType>);
