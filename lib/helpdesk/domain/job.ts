// Work on many records of a workspace in steps: each step stores its progress, and any later worker continues from
// there.
import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';
/** `erase`: deletes all that is kept of a contact. `remove`: deletes what belonged to a removed ticket. */
export const JOB_KINDS = ['erase', 'remove'] as const;

/** Tasks of a worker: a job, or `purge`, which looks for tickets past the workspace's retention. */
export const TASK_KINDS = [...JOB_KINDS, 'purge'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export const STORED_JOB = z.looseObject({
  /** `eraseJobId`, one for each contact; `removeJobId`, one for each ticket. */
  id: z.string(),
  workspaceId: z.string(),
  kind: z.enum(JOB_KINDS),
  status: z.enum(['running', 'done']),
  /** Whose data goes, or whose ticket it was. */
  contactId: z.string().nullable(),
  /** Only while it runs: a finished job holds no personal data. */
  email: z.string().nullable(),
  /** Of an erasure, in this order; `links` in the last pass only, because they say where to look. */
  phase: z.enum(['tickets', 'deliveries', 'contact', 'links']),
  /** The last item of this phase that was processed; null at its start. */
  cursor: z.string().nullable(),
  /** Completed passes over all phases. */
  pass: z.number(),
  counts: z.looseObject({
    tickets: z.number(),
    messages: z.number(),
    runs: z.number(),
    deliveries: z.number(),
    mails: z.number(),
  }),
  /** The end of the working worker's lease; null if no worker has it. */
  leaseUntilMs: z.number().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  completedAtMs: z.number().nullable(),
  /** Of a `remove`: the removed ticket, with its search tokens. */
  ticket: z.looseObject({ id: z.string(), version: z.number(), tokens: z.array(z.string()) }).exactOptional(),
});
export type Job = StoredAs<typeof STORED_JOB>;

export const NO_JOB_COUNTS: Job['counts'] = { tickets: 0, messages: 0, runs: 0, deliveries: 0, mails: 0 };

export const newJob = (
  { contactId, email, ...of }: Pick<Job, 'id' | 'workspaceId' | 'kind' | 'contactId' | 'email'>,
  atMs: number,
): Job => ({
  ...of,
  status: 'running',
  contactId,
  email,
  phase: 'tickets',
  cursor: null,
  pass: 0,
  counts: NO_JOB_COUNTS,
  leaseUntilMs: null,
  createdAtMs: atMs,
  updatedAtMs: atMs,
  completedAtMs: null,
});

export const eraseJobId = (contactId: string): string => `erase.${contactId}`;
export const removeJobId = (ticketId: string): string => `remove.${ticketId}`;
