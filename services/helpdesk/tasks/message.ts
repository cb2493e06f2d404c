/** The queue of tasks: which job goes on, or which workspace is looked through. */
import * as z from 'zod';
import { TASK_KINDS } from '#lib/helpdesk/domain/job.ts';
import { pointerSchema } from '#lib/helpdesk/domain/pointer.ts';

/** `id`: of a job; of a `purge` the workspace. */
export const taskPointerSchema = pointerSchema.extend({ kind: z.enum(TASK_KINDS) });
export type TaskPointer = z.output<typeof taskPointerSchema>;
