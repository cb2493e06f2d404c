/** The queue of tasks: which job goes on, or which workspace is looked through. */
import * as z from 'zod';
import { TASK_KINDS } from '#lib/helpdesk/domain/job.ts';

export const taskPointerSchema = z.object({
  workspaceId: z.string().min(1).max(200),
  kind: z.enum(TASK_KINDS),
  /** Of a job; of a `purge` the workspace. */
  id: z.string().min(1).max(200),
});
export type TaskPointer = z.output<typeof taskPointerSchema>;
