// Messages of the task queue: which job of a merchant is to go on. A lost one costs time: the hourly audit tells every job that
// has not ended.
import * as z from 'zod';
import { merchantSchema } from './pointer.ts';

/** Nobody works on a job that has not moved for so long: longer than a step and the way of its message. */
const JOB_STALLED_MS = 120_000;

/** True where any message may take it up. */
export const isStalled = (
  job: { readonly updatedAtMs: number; readonly notBeforeMs: number },
  nowMs: number,
): boolean => nowMs - Math.max(job.updatedAtMs, job.notBeforeMs) >= JOB_STALLED_MS;

/** The version that is to follow. Absent: whichever, where nothing has moved the job for a while. */
const version = z.int().positive().optional();

const erasureWorkSchema = z.object({ merchant: merchantSchema, erasure: z.guid(), version });
const reconciliationWorkSchema = z.object({ merchant: merchantSchema, reconciliation: z.guid(), version });

export const taskWorkSchema = z.union([erasureWorkSchema, reconciliationWorkSchema]);
export type TaskWork = z.output<typeof taskWorkSchema>;
