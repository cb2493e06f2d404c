// What the operator says of a merchant: attributes beside the profile (config-item.ts).
import type { Item } from '#lib/core/record/stored-item.ts';
import type { KeyMarks, Suspension } from '#lib/core/tenancy/suspension.ts';

export const SUSPENSION = 'susp';
export const EVENTS_PER_MINUTE = 'epm';

/** Whatever it holds: a suspension that cannot be read is one. */
export const isSuspended = (profile: Item | undefined): boolean => profile?.[SUSPENSION] !== undefined;

export function suspensionIn(profile: Item): Suspension | undefined {
  if (!isSuspended(profile)) return undefined;
  const { atMs, by, reason, removal } = profile[SUSPENSION] as Partial<Suspension>;
  return {
    atMs: Number(atMs ?? 0),
    by: String(by ?? ''),
    reason: String(reason ?? ''),
    ...(removal === undefined ? {} : { removal }),
  };
}

export function keyMarksIn(profile: Item | undefined): KeyMarks {
  const { [EVENTS_PER_MINUTE]: perMinute } = profile ?? {};
  const suspension = profile === undefined ? undefined : suspensionIn(profile);
  return {
    ...(suspension === undefined ? {} : { suspendedAtMs: suspension.atMs }),
    ...(typeof perMinute === 'number' ? { eventsPerMinute: perMinute } : {}),
  };
}
