// The delivery queues: rows, or a batch of them, that one platform is to have.
import * as z from 'zod';
import { batchPointerSchema, pointersSchema } from '#lib/events/domain/pointer.ts';

const platform = z.string().min(1);

export const deliveryMessageSchema = z.union([
  pointersSchema.extend({ platform }),
  batchPointerSchema.extend({ platform }),
]);
export type DeliveryMessage = z.output<typeof deliveryMessageSchema>;
