// Work on many records of a workspace in steps: each step stores its progress, and any later worker continues from
// there.

/** `erase`: deletes all that is kept of a contact. `remove`: deletes what belonged to a removed ticket. */
export const JOB_KINDS = ['erase', 'remove'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** Tasks of a worker: a job, or `purge`, which looks for tickets past the workspace's retention. */
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
  /** Only while it runs: a finished job holds no personal data. */
  readonly email: string | null;
  readonly phase: JobPhase;
  /** The last item of this phase that was processed; null at its start. */
  readonly cursor: string | null;
  /** Completed passes over all phases. */
  readonly pass: number;
  readonly counts: JobCounts;
  /** The end of the working worker's lease; null if no worker has it. */
  readonly leaseUntilMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly completedAtMs: number | null;
  /** Of a `remove`: the removed ticket, with its search tokens. */
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
