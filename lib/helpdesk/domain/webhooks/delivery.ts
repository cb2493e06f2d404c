import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';

export const STORED_DELIVERY = z.looseObject({
  /** `<event id>.<webhook id>`: creating it twice gives one delivery. */
  id: z.string(),
  workspaceId: z.string(),
  webhookId: z.string(),
  eventId: z.string(),
  type: z.string(),
  /** What is signed and sent, byte for byte. */
  payload: z.string(),
  /** Made while its webhook could not be read: whether the webhook wants this kind is checked once it can be read. */
  isUnasked: z.literal(true).exactOptional(),
  status: z.enum(['pending', 'delivered', 'failed', 'cancelled', 'test']),
  /** Attempts that were made. */
  attempts: z.number(),
  /** Places of the retry table that are used up, by attempts and while its receiver rested; absent: as many as attempts. */
  step: z.number().exactOptional(),
  /** While an attempt is being made: until when no other worker makes one. */
  leaseUntilMs: z.number().nullable().exactOptional(),
  lastStatus: z.number().nullable(),
  lastError: z.string().nullable(),
  lastLatencyMs: z.number().nullable(),
  /** When the next attempt is due; null if none is. */
  nextAttemptAtMs: z.number().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
});
/** One event on its way to one webhook. */
export type Delivery = StoredAs<typeof STORED_DELIVERY>;
