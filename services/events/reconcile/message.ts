// The audit queue: which part of an hour to audit. A lost message costs that part its audit and nothing else: what it
// would have found is due anyway, or is found by the audit of the next hour.
import * as z from 'zod';
import { HOUR_MS } from '#lib/core/work/time-slot.ts';
import { merchantSchema, minuteSchema } from '#lib/events/domain/pointer.ts';
import { SHARDS_MAX } from '#lib/events/domain/shard.ts';

/** Start of the hour, UTC milliseconds. */
const hour = minuteSchema.multipleOf(HOUR_MS);

/** List the merchants, from the beginning or after this one. */
const listingSchema = z.object({ hour, list: z.literal('merchants'), after: merchantSchema.optional() });
/**
 * Audit these merchants, and erase data past their retention. Names are checked one by one: an invalid one does not
 * stop the others.
 */
const merchantsSchema = z.object({ hour, merchants: z.array(z.unknown()).min(1) });
/** Audit these minutes of one shard. */
const minutesSchema = z.object({
  hour,
  merchant: merchantSchema,
  shard: z.int().nonnegative().lt(SHARDS_MAX),
  minutes: z.array(minuteSchema).min(1),
});

export const auditMessageSchema = z.union([listingSchema, merchantsSchema, minutesSchema]);
export type ListingMessage = z.output<typeof listingSchema>;
export type MerchantsMessage = z.output<typeof merchantsSchema>;
export type MinutesMessage = z.output<typeof minutesSchema>;
export type AuditMessage = z.output<typeof auditMessageSchema>;
