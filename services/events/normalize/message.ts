/** The accepted queue: rows claimed by ingestion that are not normalized yet. */
import * as z from 'zod';
import { pointersSchema } from '#lib/events/domain/pointer.ts';

export const acceptedMessageSchema = pointersSchema.extend({
  /** True on the message that ends the wait of orders for their pages. */
  waited: z.boolean().optional(),
});
export type AcceptedMessage = z.output<typeof acceptedMessageSchema>;
