// Remembers, within one process, what may be remembered: a merchant's profile may be half a minute old. Keys, connections
// and routing are always read.

import type { Clock } from '../../../core/ports/clock.ts';
import type { Merchant } from '../../../core/tenancy/merchant.ts';
import type { ConfigStore } from '../../../events/ports/config-store.ts';

const PROFILE_AGE_MAX_MS = 30_000;
const ENTRIES_MAX = 5_000;

export function rememberConfig(store: ConfigStore, clock: Clock): ConfigStore {
  const profiles = new Map<string, { readonly readAtMs: number; readonly merchant: Merchant }>();
  return {
    ...store,
    async merchant(merchantId) {
      const known = profiles.get(merchantId);
      if (known !== undefined && clock.now() - known.readAtMs < PROFILE_AGE_MAX_MS) return known.merchant;
      const merchant = await store.merchant(merchantId);
      // An unknown merchant is not remembered: it may be created the next moment.
      if (merchant !== null) {
        if (profiles.size >= ENTRIES_MAX && !profiles.has(merchantId)) profiles.clear();
        profiles.set(merchantId, { readAtMs: clock.now(), merchant });
      }
      return merchant;
    },
  };
}
