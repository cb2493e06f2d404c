// Messages of the task queue: which job of a merchant to continue. A lost one costs time: the hourly audit sends one
// for every job that has not ended.
import * as z from 'zod';
import { STEP } from '#lib/core/work/long-task.ts';
import { KEPT_KINDS } from '../connections/incident.ts';
import { merchantSchema } from '../pointer.ts';

interface Moved {
  readonly updatedAtMs: number;
  readonly notBeforeMs: number;
}

/** From then on any message may take the job up: its last step has died, or its message is lost. */
export const stalledAtMs = ({ updatedAtMs, notBeforeMs }: Moved): number =>
  Math.max(updatedAtMs, notBeforeMs) + STEP.leaseMs;

export const isStalled = (job: Moved, nowMs: number): boolean => nowMs >= stalledAtMs(job);

/** The version that is to follow. Absent: whichever, where nothing has moved the job for a while. */
const version = z.int().positive().optional();

const erasureWorkSchema = z.object({ merchant: merchantSchema, erasure: z.guid(), version });
const reconciliationWorkSchema = z.object({ merchant: merchantSchema, reconciliation: z.guid(), version });

/** Id of a connection that was paused, and its place: its merchant is to get a mail. */
const pausedWorkSchema = z.object({
  merchant: merchantSchema,
  paused: z.string().min(1).max(100),
  slot: z.string().min(1).max(100),
});

/** Of one whose calls keep failing. */
const failingWorkSchema = pausedWorkSchema.omit({ paused: true }).extend({
  failing: pausedWorkSchema.shape.paused,
});

/** Of one of either kind that a probe found to work again. */
const resumedWorkSchema = pausedWorkSchema.omit({ paused: true }).extend({
  resumed: pausedWorkSchema.shape.paused,
});

/** A kept incident: what was found, or the next look at one that goes on, where it names the version. */
const incidentWorkSchema = z.object({
  merchant: merchantSchema,
  incident: z.enum(KEPT_KINDS),
  subject: z.string().min(1).max(100),
  version,
  /** Of `window`. */
  closesAtMs: z.int().optional(),
  /** Of `limit`, in events. */
  used: z.int().nonnegative().optional(),
  limit: z.int().positive().optional(),
});

export const taskWorkSchema = z.union([
  erasureWorkSchema,
  reconciliationWorkSchema,
  pausedWorkSchema,
  failingWorkSchema,
  resumedWorkSchema,
  incidentWorkSchema,
]);
export type TaskWork = z.output<typeof taskWorkSchema>;
