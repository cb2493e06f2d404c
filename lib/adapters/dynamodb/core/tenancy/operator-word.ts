// What the operator says of a merchant: attributes beside the profile (config-item.ts).
import * as z from 'zod';
import type { Item } from '#lib/core/record/stored-item.ts';
import type { KeyMarks, Suspension } from '#lib/core/tenancy/suspension.ts';

export const SUSPENSION = 'susp';
export const EVENTS_PER_MINUTE = 'epm';
export const EVENTS_PER_DAY = 'epd';

/** Whatever it holds: a suspension that cannot be read is one. */
export const isSuspended = (profile: Item | undefined): boolean => profile?.[SUSPENSION] !== undefined;

const NOT_READ = { atMs: 0, by: '' };
/** What cannot be read of it is made up: a suspension holds, and a removal that was begun goes on. */
const STORED_SUSPENSION = z
  .object({
    atMs: z.number().catch(0),
    by: z.string().catch(''),
    reason: z.string().catch(''),
    removal: z
      .object({ atMs: z.number(), by: z.string(), doneAtMs: z.number().exactOptional() })
      .catch(NOT_READ)
      .exactOptional(),
  })
  .catch({ ...NOT_READ, reason: '' });

export const suspensionIn = (profile: Item): Suspension | undefined =>
  isSuspended(profile) ? STORED_SUSPENSION.parse(profile[SUSPENSION]) : undefined;

export function keyMarksIn(profile: Item | undefined): KeyMarks {
  const { [EVENTS_PER_MINUTE]: perMinute, [EVENTS_PER_DAY]: perDay } = profile ?? {};
  const suspension = profile === undefined ? undefined : suspensionIn(profile);
  return {
    ...(suspension === undefined ? {} : { suspendedAtMs: suspension.atMs }),
    ...(typeof perMinute === 'number' ? { eventsPerMinute: perMinute } : {}),
    ...(typeof perDay === 'number' ? { eventsPerDay: perDay } : {}),
  };
}
