// First clicks and claims of orders in memory: every write one atomic conditional write.
import {
  ATTRIBUTION_WINDOW_MS,
  isWithinWindow,
  type Touch,
} from '#lib/events/domain/analytics/attribution.ts';
import type { AttributionStore, OrderClaim } from '#lib/events/ports/attribution-store.ts';

export interface MemoryAttributionStore extends AttributionStore {
  /** How many touches and claims there are, for tests: no part of the port. */
  size(): number;
}

export function createMemoryAttributionStore(): MemoryAttributionStore {
  const touches = new Map<string, Touch>();
  const claims = new Map<string, OrderClaim>();
  const id = (merchantId: string, key: string): string => JSON.stringify([merchantId, key]);
  return {
    touches: async (merchantId, keys) =>
      new Map(
        keys.flatMap((key) => {
          const touch = touches.get(id(merchantId, key));
          return touch === undefined ? [] : [[key, touch] as const];
        }),
      ),
    addTouch: async (merchantId, key, touch) => {
      const seen = touches.get(id(merchantId, key));
      if (seen === undefined || !isWithinWindow(seen, touch.atMs))
        touches.set(id(merchantId, key), { ...touch });
    },
    claimOrder: async (merchantId, order, claim) => {
      const seen = claims.get(id(merchantId, order));
      if (seen !== undefined && claim.receivedAtMs - seen.receivedAtMs <= ATTRIBUTION_WINDOW_MS) return seen;
      claims.set(id(merchantId, order), { ...claim });
      return claim;
    },
    forgetTouches: async (merchantId, keys) => {
      for (const key of keys) touches.delete(id(merchantId, key));
    },
    size: () => touches.size + claims.size,
  };
}
