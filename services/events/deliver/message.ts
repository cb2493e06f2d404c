// The delivery queues: rows one platform is to have.
import * as z from 'zod';
import { pointersSchema } from '../../../lib/events/domain/pointer.ts';

export const deliveryMessageSchema = pointersSchema.extend({ platform: z.string().min(1) });
export type DeliveryMessage = z.output<typeof deliveryMessageSchema>;
