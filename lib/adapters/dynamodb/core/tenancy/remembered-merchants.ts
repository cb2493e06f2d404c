// Remembers merchants within one process: a profile may be half a minute old. Whatever else a store has, keys, connections
// and routing, is passed on and always read.
// Who changes a profile here is shown what it wrote.
// That there is no such merchant is remembered as well, apart from the profiles, so that made-up ids neither cost a read
// each nor push out a profile.

import type { Clock } from '#lib/core/ports/clock.ts';
import type { Merchant } from '#lib/core/tenancy/merchant.ts';
import type { MerchantStore } from '#lib/core/tenancy/merchant-store.ts';

const PROFILE_AGE_MAX_MS = 30_000;
/** Shorter: a merchant that was created a moment ago is not kept out for long. */
const UNKNOWN_AGE_MAX_MS = 10_000;
const ENTRIES_MAX = 5_000;

type Remembered = Pick<MerchantStore, 'merchant' | 'addServerEventName'> &
  Partial<Pick<MerchantStore, 'updateMerchant'>>;

export function rememberMerchants<Store extends Remembered>(store: Store, clock: Clock): Store {
  const profiles = new Map<string, { readonly readAtMs: number; readonly merchant: Merchant }>();
  /** Merchant id → when it was read and not there. */
  const unknown = new Map<string, number>();
  const { updateMerchant } = store;
  const update: MerchantStore['updateMerchant'] = async (merchantId, change, ifVersion) => {
    try {
      return (await updateMerchant?.(merchantId, change, ifVersion)) ?? null;
    } finally {
      // Also where it fails: it may have been written.
      profiles.delete(merchantId);
    }
  };
  return {
    ...store,
    async merchant(merchantId) {
      const known = profiles.get(merchantId);
      if (known !== undefined && clock.now() - known.readAtMs < PROFILE_AGE_MAX_MS) return known.merchant;
      const missedAtMs = unknown.get(merchantId);
      if (missedAtMs !== undefined && clock.now() - missedAtMs < UNKNOWN_AGE_MAX_MS) return null;
      const merchant = await store.merchant(merchantId);
      if (merchant === null) remember(unknown, merchantId, clock.now());
      else remember(profiles, merchantId, { readAtMs: clock.now(), merchant });
      return merchant;
    },
    ...(updateMerchant === undefined ? {} : { updateMerchant: update }),
    async addServerEventName(merchantId, name, nowMs) {
      const known = profiles.get(merchantId);
      const names = known?.merchant.serverEventNames ?? {};
      if (Object.hasOwn(names, name)) return;
      await store.addServerEventName(merchantId, name, nowMs);
      if (known === undefined) return;
      const merchant = { ...known.merchant, serverEventNames: { ...names, [name]: nowMs } };
      remember(profiles, merchantId, { ...known, merchant });
    },
  };
}

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  if (map.size >= ENTRIES_MAX && !map.has(key)) map.clear();
  map.set(key, value);
}
