// Messages of the task queue: which job of a merchant is to go on. A lost one costs time: the hourly audit tells every job that
// has not ended.
import * as z from 'zod';
import { merchantSchema } from './pointer.ts';

export const taskWorkSchema = z.object({
  merchant: merchantSchema,
  erasure: z.guid(),
  /** The version that is to follow. Absent: whichever, where nothing has moved the job for a while. */
  version: z.int().positive().optional(),
});
export type TaskWork = z.output<typeof taskWorkSchema>;
