// What every RefusalStore must do: add up what any number of writers say, by merchant and day.
import { describe, expect, it } from 'vitest';
import {
  REFUSAL_FIELDS,
  REFUSAL_REASONS,
  type RefusalName,
  refusalName,
} from '#lib/events/domain/event/refusal.ts';
import { REFUSAL_SHARDS, type RefusalStore } from '#lib/events/ports/refusal-store.ts';
import { freshMerchant } from './event-rows.ts';

const DAY_MS = 86_400_000;
const DAY = Date.UTC(2026, 10, 21);
const WRITERS = 64;

/** Every counter there can be. */
export const EVERY_REFUSAL: readonly RefusalName[] = [
  ...REFUSAL_REASONS,
  ...REFUSAL_FIELDS.map((path) => refusalName('invalid_request', [{ path }]) as RefusalName),
];

/** `makeStore` may hand out the same table every time: tests use merchants of their own. */
export function refusalStoreConformance(name: string, makeStore: () => Promise<RefusalStore>): void {
  describe(`${name}: refusal store`, () => {
    it('adds up shards and days of the span, of this merchant, and knows nothing where nothing was refused', async () => {
      const store = await makeStore();
      const [mine, theirs] = [freshMerchant(), freshMerchant()];
      expect(await store.sum(mine, DAY, DAY + DAY_MS)).toEqual(new Map());
      await store.add(mine, DAY - DAY_MS, 0, new Map([['rate_limited', 100]]));
      for (let shard = 0; shard < REFUSAL_SHARDS; shard++)
        await store.add(mine, DAY, shard, new Map<RefusalName, number>([['.event_time', 2]]));
      await store.add(
        mine,
        DAY + DAY_MS,
        1,
        new Map<RefusalName, number>([
          ['.event_time', 1],
          ['duplicate_event', 3],
        ]),
      );
      await store.add(theirs, DAY, 0, new Map([['rate_limited', 7]]));
      expect(await store.sum(mine, DAY, DAY + DAY_MS)).toEqual(
        new Map([['.event_time', 2 * REFUSAL_SHARDS]]),
      );
      expect(await store.sum(mine, DAY, DAY + DAY_MS + 1)).toEqual(
        new Map([
          ['.event_time', 2 * REFUSAL_SHARDS + 1],
          ['duplicate_event', 3],
        ]),
      );
      expect(await store.sum(theirs, DAY - DAY_MS, DAY + 2 * DAY_MS)).toEqual(new Map([['rate_limited', 7]]));
    });

    it('takes every name there is in one addition', async () => {
      const store = await makeStore();
      const merchant = freshMerchant();
      const counts = new Map(EVERY_REFUSAL.map((one, i) => [one, i + 1]));
      await store.add(merchant, DAY, 0, counts);
      expect(await store.sum(merchant, DAY, DAY + 1)).toEqual(counts);
    });

    it(`loses nothing of ${WRITERS} who add at once`, async () => {
      const store = await makeStore();
      const merchant = freshMerchant();
      const add = (i: number) =>
        store.add(merchant, DAY, i % REFUSAL_SHARDS, new Map([['duplicate_event', i]]));
      await Promise.all(Array.from({ length: WRITERS }, (_, i) => add(i + 1)));
      expect((await store.sum(merchant, DAY, DAY + 1)).get('duplicate_event')).toBe(
        (WRITERS * (WRITERS + 1)) / 2,
      );
    });
  });
}
