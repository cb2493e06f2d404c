/** The queue of runs: which one to look at. */
import * as z from 'zod';

export const runPointerSchema = z.object({
  workspaceId: z.string().min(1).max(200),
  id: z.string().min(1).max(200),
});
export type RunPointer = z.output<typeof runPointerSchema>;
