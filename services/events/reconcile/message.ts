// The recount queue (AUDIT_QUEUE_URL; the queue and the variable keep the name, because another one would replace the
// queue): which part of an hour to recount. A lost message costs that part its recount and nothing else: what it
// would have found is due anyway, or is found by the recount of the next hour.
import * as z from 'zod';
import { HOUR_MS } from '#lib/core/work/time-slot.ts';
import { merchantSchema, minuteSchema } from '#lib/events/domain/pointer.ts';
import { SPARSE_SHARD } from '#lib/events/domain/shard.ts';

/** Start of the hour, UTC milliseconds. */
const hour = minuteSchema.multipleOf(HOUR_MS);

const listingSchema = z.object({ hour, list: z.literal('merchants'), after: merchantSchema.optional() });
/**
 * Recount these merchants, and erase data past their retention. Names are checked one by one: an invalid one does not
 * stop the others.
 */
const merchantsSchema = z.object({ hour, merchants: z.array(z.unknown()).min(1) });
const minutesSchema = z.object({
  hour,
  merchant: merchantSchema,
  shard: z.int().nonnegative().max(SPARSE_SHARD),
  minutes: z.array(minuteSchema).min(1),
});

/** Go on with the archive of this merchant. */
const archiveSchema = z.object({ archive: merchantSchema });

export const recountMessageSchema = z.union([archiveSchema, listingSchema, merchantsSchema, minutesSchema]);
export type ListingMessage = z.output<typeof listingSchema>;
export type MerchantsMessage = z.output<typeof merchantsSchema>;
export type MinutesMessage = z.output<typeof minutesSchema>;
export type RecountMessage = z.output<typeof recountMessageSchema>;
