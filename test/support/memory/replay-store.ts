// Replay plans in memory: values copied in and frozen, every write one atomic conditional write.
import type { ReplayPlan } from '#lib/events/domain/replays/plan.ts';
import type { ReplayStore } from '#lib/events/ports/replay-store.ts';
import { frozenCopy } from './frozen-copy.ts';

export interface MemoryReplayStore extends ReplayStore {
  plans(): readonly ReplayPlan[];
}

export function createMemoryReplayStore(): MemoryReplayStore {
  const plans = new Map<string, ReplayPlan>();
  const taken = new Map<string, Set<string>>();
  const idOf = (merchantId: string, planId: string): string => `${merchantId}/${planId}`;
  const placesOf = (merchantId: string): Set<string> => {
    const places = taken.get(merchantId) ?? new Set();
    taken.set(merchantId, places);
    return places;
  };
  const put = (plan: ReplayPlan): true => {
    plans.set(idOf(plan.merchantId, plan.id), frozenCopy(plan));
    return true;
  };
  return {
    takePlace: async (merchantId, planId, placesMax) => {
      const places = placesOf(merchantId);
      if (places.size >= placesMax && !places.has(planId)) return false;
      places.add(planId);
      return true;
    },
    leavePlace: async (merchantId, planId) => void placesOf(merchantId).delete(planId),
    places: async (merchantId) => [...placesOf(merchantId)].sort(),
    activePlans: async () => ({
      plans: [...taken].flatMap(([merchantId, ids]) =>
        [...ids].sort().map((planId) => ({ merchantId, planId })),
      ),
    }),
    createPlan: async (plan) => !plans.has(idOf(plan.merchantId, plan.id)) && put(plan),
    plan: async (merchantId, planId) => plans.get(idOf(merchantId, planId)) ?? null,
    listPlans: async (merchantId, limit, before) =>
      [...plans.values()]
        .filter((plan) => plan.merchantId === merchantId && (before === undefined || plan.id < before))
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit),
    writePlan: async (next, seenVersion) =>
      plans.get(idOf(next.merchantId, next.id))?.version === seenVersion &&
      put({ ...next, version: seenVersion + 1 }),
    plans: () => [...plans.values()],
  };
}
