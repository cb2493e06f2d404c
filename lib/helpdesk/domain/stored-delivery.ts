// A delivery to a webhook as it is stored.
import * as z from 'zod';
import type { Delivery } from './webhooks/delivery.ts';

export const STORED_DELIVERY: z.ZodType<Delivery> = z.looseObject({
  id: z.string(),
  workspaceId: z.string(),
  webhookId: z.string(),
  eventId: z.string(),
  type: z.string(),
  payload: z.string(),
  isUnasked: z.literal(true).exactOptional(),
  status: z.enum(['pending', 'delivered', 'failed', 'cancelled', 'test']),
  attempts: z.number(),
  step: z.number().exactOptional(),
  leaseUntilMs: z.number().nullable().exactOptional(),
  lastStatus: z.number().nullable(),
  lastError: z.string().nullable(),
  lastLatencyMs: z.number().nullable(),
  nextAttemptAtMs: z.number().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
} satisfies Record<keyof Delivery, z.ZodType>);
