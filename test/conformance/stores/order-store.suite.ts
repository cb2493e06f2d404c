// What every OrderStore must do: what was written is read, and of writes that saw the same one holds.
import { describe, expect, it } from 'vitest';
import { ORDER_KEPT_MS } from '#lib/events/domain/event/row-expiry.ts';
import type { Order } from '#lib/events/domain/orders/order.ts';
import type { OrderStore } from '#lib/events/ports/order-store.ts';
import { freshMerchant, T0 } from './event-rows.ts';

const RACERS = 64;
const reportOf = (eventId: string) =>
  ({
    eventId,
    ingestId: `ingest of ${eventId}`,
    channel: 'server',
    receivedAtMs: T0,
    conversionId: eventId,
    byEventId: false,
  }) as const;
const orderOf = (eventId: string): Order => ({
  counted: reportOf(eventId),
  sent: { eventId, channel: 'server', conversionId: eventId, byEventId: false, atMs: T0, targets: ['meta'] },
  others: [],
});
const FULL: Order = {
  ...{ amount: 'EUR 59.98', touch: 'tiktok' },
  refunds: [
    { eventId: 'q', ingestId: 'h', minor: '0', state: 'refused', early: 'USD 1' },
    { eventId: 'p', ingestId: 'g', minor: '1', state: 'applied', early: '' },
    { eventId: 'r', ingestId: 'i', minor: '5998', state: 'reduced' },
  ],
  counted: { ...reportOf('ü#~'), channel: 'browser', byEventId: true },
  sent: {
    ...{ eventId: 'b', channel: 'server', conversionId: 'apart', byEventId: true },
    ...{ amount: 'EUR 59.98', atMs: T0 + 5, targets: ['meta', 'ga4#2'], countedAgain: ['meta'] },
  },
  others: [{ ...reportOf('constructor'), kept: ['meta'] }, reportOf('c')],
};

/** `makeStore` may hand out the same table every time: tests use merchants of their own. */
export function orderStoreConformance(name: string, makeStore: () => Promise<OrderStore>): void {
  describe(`${name}: order store`, () => {
    const read = async (store: OrderStore, merchant: string, digest = 'o', nowMs = T0) => {
      const found = await store.read(merchant, digest, nowMs);
      return found === 'unreadable' ? expect.unreachable() : found;
    };

    it('reads what was written, of this merchant and order, until its window is over', async () => {
      const store = await makeStore();
      const [mine, theirs] = [freshMerchant(), freshMerchant()];
      for (const order of [orderOf('a'), FULL]) {
        const { version } = await read(store, mine);
        expect(await store.write(mine, 'o', order, version)).toBe(true);
        expect((await read(store, mine)).order).toEqual(order);
      }
      expect((await read(store, theirs)).order).toBeUndefined();
      expect((await read(store, mine, 'constructor')).order).toBeUndefined();
      expect((await read(store, mine, 'o', T0 + ORDER_KEPT_MS)).order).toEqual(FULL);
      const over = await read(store, mine, 'o', T0 + ORDER_KEPT_MS + 1);
      expect(over.order).toBeUndefined();
      expect(await store.write(mine, 'o', orderOf('next'), over.version)).toBe(true);
    });

    it('keeps refunds that come before their order until they are over, or it comes', async () => {
      const store = await makeStore();
      const merchant = freshMerchant();
      const { version: none } = await read(store, merchant);
      const waiting = [
        { eventId: 'r', ingestId: 'i', receivedAtMs: T0, early: 'EUR 1.5' },
        { eventId: 's', ingestId: 'j', receivedAtMs: T0 + 1, early: '' },
      ];
      expect(await store.writeWaiting(merchant, 'o', waiting.slice(0, 1), none)).toBe(true);
      expect(await store.writeWaiting(merchant, 'o', waiting, none)).toBe(false);
      expect(await store.create(merchant, 'o', orderOf('a'))).toBe(false);
      const { version } = await read(store, merchant);
      expect(await store.writeWaiting(merchant, 'o', waiting, version)).toBe(true);
      const seen = await read(store, merchant);
      expect(seen).toEqual({ version: seen.version, waiting });
      expect(await store.readMany(merchant, ['o'], T0)).toEqual(new Map());
      expect((await read(store, merchant, 'o', T0 + ORDER_KEPT_MS + 1)).waiting).toEqual(waiting.slice(1));
      expect(await read(store, merchant, 'o', T0 + ORDER_KEPT_MS + 2)).toEqual({ version: seen.version });
      expect(await store.write(merchant, 'o', orderOf('a'), seen.version)).toBe(true);
      expect(await read(store, merchant)).toMatchObject({ order: orderOf('a') });
      expect(await read(store, merchant)).not.toHaveProperty('waiting');
    });

    it('reads many by digest, without those that are not there, of another merchant, or over', async () => {
      const store = await makeStore();
      const [mine, theirs] = [freshMerchant(), freshMerchant()];
      await store.create(mine, 'a', orderOf('a'));
      await store.create(mine, 'ü#~', FULL);
      await store.create(theirs, 'theirs', orderOf('theirs'));
      const digests = ['a', 'ü#~', 'a', 'theirs', 'none'];
      expect(await store.readMany(mine, digests, T0 + ORDER_KEPT_MS)).toEqual(
        new Map([
          ['a', orderOf('a')],
          ['ü#~', FULL],
        ]),
      );
      expect(await store.readMany(mine, digests, T0 + ORDER_KEPT_MS + 1)).toEqual(new Map());
    });

    it(`takes one of ${RACERS} writes that saw the same, from none and from one`, async () => {
      const store = await makeStore();
      const merchant = freshMerchant();
      for (let round = 0; round < 2; round++) {
        const { version } = await read(store, merchant);
        const taken = await Promise.all(
          Array.from({ length: RACERS }, (_, i) =>
            round === 0
              ? store.create(merchant, 'o', orderOf(`e${i}`))
              : store.write(merchant, 'o', orderOf(`e${i}`), version),
          ),
        );
        expect(taken.filter(Boolean)).toHaveLength(1);
        expect((await read(store, merchant)).order).toEqual(orderOf(`e${taken.indexOf(true)}`));
      }
    });
  });
}
