import { type BucketCounters, EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { sumCounters } from '#lib/events/domain/analytics/sum.ts';
import type { BucketKey, CounterStore } from '#lib/events/ports/counter-store.ts';

/** States of deliveries of purchases, and how many there are of each. */
export type States = Readonly<Record<string, number>>;

export const statesAt = (platform: string, states: States): Partial<BucketCounters> => ({
  deliveries: { [platform]: { Purchase: states } },
});

/** To what the slot counts already. */
export async function addCounters(store: CounterStore, key: BucketKey, part: Partial<BucketCounters>) {
  const seen = await store.read(key);
  const counters = sumCounters([seen?.counters ?? EMPTY_COUNTERS, { ...EMPTY_COUNTERS, ...part }]);
  await store.write({ key, version: (seen?.version ?? 0) + 1, counters });
}

/** As counting leaves it: the minute, its hour and its day. */
export async function addStates(
  store: CounterStore,
  merchantId: string,
  platform: string,
  atMs: number,
  states: States,
) {
  for (const [grain, lengthMs] of Object.entries({ minute: 60_000, hour: 3_600_000, day: 86_400_000 })) {
    const key = { merchantId, grain: grain as BucketKey['grain'], startMs: atMs - (atMs % lengthMs) };
    await addCounters(store, key, statesAt(platform, states));
  }
}
