/** A reply that is to go out: ids only. */
import * as z from 'zod';

export const mailPointerSchema = z.object({ workspaceId: z.string().min(1), id: z.string().min(1) });
export type MailPointer = z.output<typeof mailPointerSchema>;
