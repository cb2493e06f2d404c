// Messages of the replay queue: which plan to continue. A lost one costs time: the sweep sends one for every plan that
// has a place.
import * as z from 'zod';
import { merchantSchema } from '../pointer.ts';

export const replayWorkSchema = z.object({
  merchant: merchantSchema,
  plan: z.guid(),
  /** The step that is to follow. Absent: whichever, where nothing has moved the plan for a while. */
  step: z.int().nonnegative().optional(),
});
export type ReplayWork = z.output<typeof replayWorkSchema>;
