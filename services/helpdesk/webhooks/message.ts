/** The queue of deliveries: which one to look at. */
import * as z from 'zod';

export const deliveryPointerSchema = z.object({
  workspaceId: z.string().min(1).max(200),
  /** `<event id>.<webhook id>` */
  id: z.string().min(1).max(200),
});
export type DeliveryPointer = z.output<typeof deliveryPointerSchema>;
