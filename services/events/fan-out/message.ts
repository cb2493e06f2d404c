// The normalized queue: rows, or a batch of them, whose deliveries are to be (re)considered.
import * as z from 'zod';
import { batchPointerSchema, pointersSchema } from '#lib/events/domain/pointer.ts';

export const normalizedMessageSchema = z.union([pointersSchema, batchPointerSchema]);
export type NormalizedMessage = z.output<typeof normalizedMessageSchema>;
