// Remembers merchants within one process: a profile may be half a minute old. Whatever else a store has, keys, connections
// and routing, is passed on and always read.
// Who changes a profile here is shown what it wrote.

import type { Clock } from '#lib/core/ports/clock.ts';
import type { MerchantStore } from '#lib/events/ports/merchant-store.ts';
import { rememberProfiles } from '../core/tenancy/remembered-profiles.ts';

type Remembered = Pick<MerchantStore, 'merchant' | 'addServerEventName'> &
  Partial<Pick<MerchantStore, 'updateMerchant'>>;

export function rememberMerchants<Store extends Remembered>(store: Store, clock: Clock): Store {
  const profiles = rememberProfiles(store.merchant, clock);
  const { updateMerchant } = store;
  const update: MerchantStore['updateMerchant'] = async (merchantId, change, ifVersion) => {
    try {
      return (await updateMerchant?.(merchantId, change, ifVersion)) ?? null;
    } finally {
      // Also where it fails: it may have been written.
      profiles.forget(merchantId);
    }
  };
  return {
    ...store,
    merchant: profiles.read,
    ...(updateMerchant === undefined ? {} : { updateMerchant: update }),
    async addServerEventName(merchantId, name, nowMs) {
      const known = profiles.known(merchantId);
      const names = known?.serverEventNames ?? {};
      if (Object.hasOwn(names, name)) return;
      await store.addServerEventName(merchantId, name, nowMs);
      if (known !== undefined)
        profiles.replace(merchantId, { ...known, serverEventNames: { ...names, [name]: nowMs } });
    },
  };
}
