// Work on many records of a workspace that goes on in steps: each step notes how far it came, and any later one takes it up.

/** `erase`: all that is kept of a contact goes. `remove`: what belonged to a ticket that is gone goes as well. */
export const JOB_KINDS = ['erase', 'remove'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** What a worker can be told to do: a job, or to look for tickets that a workspace keeps no longer. */
export const TASK_KINDS = [...JOB_KINDS, 'purge'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export interface Job {
  /** `eraseJobId`, one for each contact; `removeJobId`, one for each ticket. */
  readonly id: string;
  readonly workspaceId: string;
  readonly kind: JobKind;
  readonly status: 'running' | 'done';
  /** Whose data goes, or whose ticket it was. */
  readonly contactId: string | null;
  /** Only while it runs: a job that is done holds nothing personal. */
  readonly email: string | null;
  readonly phase: JobPhase;
  /** What was looked at last in this phase; null at its start. */
  readonly cursor: string | null;
  /** Passes over all of it that have ended. */
  readonly pass: number;
  readonly counts: JobCounts;
  /** Whoever works on it; null while nobody does. */
  readonly leaseUntilMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly completedAtMs: number | null;
  /** Of a `remove`: the ticket that is gone, and what it was found under. */
  readonly ticket?: { readonly id: string; readonly version: number; readonly tokens: readonly string[] };
}

/** Of an erasure, in this order; `links` in the last pass only, because they say where to look. */
export type JobPhase = 'tickets' | 'deliveries' | 'contact' | 'links';

export interface JobCounts {
  readonly tickets: number;
  readonly messages: number;
  readonly runs: number;
  readonly deliveries: number;
  readonly mails: number;
}

export const NO_JOB_COUNTS: JobCounts = { tickets: 0, messages: 0, runs: 0, deliveries: 0, mails: 0 };

/** As it begins. */
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
