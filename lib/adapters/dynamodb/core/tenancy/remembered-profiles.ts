// Remembers profiles of merchants within one process, for half a minute.
// That there is no such merchant is remembered as well, apart from the profiles, so that made-up ids neither cost a read
// each nor push out a profile.
import type { Clock } from '#lib/core/ports/clock.ts';

const PROFILE_AGE_MAX_MS = 30_000;
/** Shorter: a merchant that was created a moment ago is not kept out for long. */
const UNKNOWN_AGE_MAX_MS = 10_000;
const ENTRIES_MAX = 5_000;

export interface RememberedProfiles<Profile> {
  read(merchantId: string): Promise<Profile | null>;
  /** As it is remembered, however old. */
  known(merchantId: string): Profile | undefined;
  /** What is remembered becomes this one; its age stays. */
  replace(merchantId: string, profile: Profile): void;
  forget(merchantId: string): void;
}

export function rememberProfiles<Profile>(
  readNow: (merchantId: string) => Promise<Profile | null>,
  clock: Clock,
): RememberedProfiles<Profile> {
  const profiles = new Map<string, { readonly readAtMs: number; readonly profile: Profile }>();
  /** Merchant id → when it was read and not there. */
  const unknown = new Map<string, number>();
  return {
    async read(merchantId) {
      const known = profiles.get(merchantId);
      if (known !== undefined && clock.now() - known.readAtMs < PROFILE_AGE_MAX_MS) return known.profile;
      const missedAtMs = unknown.get(merchantId);
      if (missedAtMs !== undefined && clock.now() - missedAtMs < UNKNOWN_AGE_MAX_MS) return null;
      const profile = await readNow(merchantId);
      if (profile === null) remember(unknown, merchantId, clock.now());
      else remember(profiles, merchantId, { readAtMs: clock.now(), profile });
      return profile;
    },
    known: (merchantId) => profiles.get(merchantId)?.profile,
    replace(merchantId, profile) {
      const known = profiles.get(merchantId);
      if (known !== undefined) profiles.set(merchantId, { ...known, profile });
    },
    forget(merchantId) {
      profiles.delete(merchantId);
    },
  };
}

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  if (map.size >= ENTRIES_MAX && !map.has(key)) map.clear();
  map.set(key, value);
}
