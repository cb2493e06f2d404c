// Goal: however many workers write one row at the same time, each writes what its platform answered.
import { expect, it } from 'vitest';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { PENDING } from '#lib/events/domain/deliveries/progress.ts';
import { lease } from '#lib/events/domain/deliveries/transition.ts';
import { normalizedRow, store } from '#test/contract/stored-rows.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { recordDelivery } from './transitions.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const OTHERS = Array.from({ length: 25 }, (_, i) => `platform-${i}`);

it('writes a delivery although the workers of all other platforms write the row before it, one after the other', async () => {
  const events = createMemoryEventStore();
  const verdicts = Object.fromEntries([...OTHERS, 'mine'].map((slug) => [slug, PENDING]));
  const row = normalizedRow({ eventId: 'e', merchantId: 'm', receivedAtMs: NOW_MS, verdicts });
  await store(events, row);
  const first = [...OTHERS];
  const putDelivery: typeof events.putDelivery = async (seen, patch) => {
    const platform = first.pop();
    const stored = await events.read(row.key);
    // Each moves the row's due time.
    const dueAtMs = NOW_MS + first.length * 1_000;
    if (platform !== undefined && stored?.state === 'normalized')
      await events.putDelivery(stored, { platform, delivery: lease(undefined, NOW_MS, false), dueAtMs });
    return await events.putDelivery(seen, patch);
  };
  const mine = (previous: Delivery | undefined) => lease(previous, NOW_MS, false);
  await recordDelivery(row, 'mine', mine, { events: { read: events.read, putDelivery } });
  const stored = await events.read(row.key);
  expect(stored?.state === 'normalized' && Object.keys(stored.deliveries).sort()).toEqual(
    [...OTHERS, 'mine'].sort(),
  );
});
