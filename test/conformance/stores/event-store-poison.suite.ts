// What every EventStore must do with a row that it cannot read: tell it apart, hand out the others, put it off by its key.
import { describe, expect, it } from 'vitest';
import { type EventKey, UnreadableRowError } from '#lib/events/domain/event/row.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import { acceptedRow, dueIds, freshMerchant, normalizedRow, T0 } from './event-rows.ts';

const keyOf = (merchantId: string, eventId: string): EventKey => ({ merchantId, channel: 'server', eventId });

export interface PoisonStore {
  readonly store: EventStore;
  /** Ways to make a stored row unreadable. */
  readonly spoilers: Readonly<Record<string, (key: EventKey) => Promise<void>>>;
}

export function poisonConformance(name: string, poisons: readonly string[], open: () => PoisonStore): void {
  describe.each(poisons)(`a row with %s in ${name}`, (poison) => {
    const prepare = async (dueAtMs?: number) => {
      const { store, spoilers } = open();
      const merchantId = freshMerchant();
      for (const id of ['a', 'poison', 'b']) {
        const row = acceptedRow(keyOf(merchantId, id));
        await store.claim(row);
        await store.normalize(normalizedRow(row));
        const stored = await store.read(row.key);
        if (dueAtMs !== undefined && stored?.state === 'normalized')
          expect(await store.reschedule(stored, dueAtMs, 3)).toBe(true);
      }
      await spoilers[poison]?.(keyOf(merchantId, 'poison'));
      return { store, merchantId, keys: ['a', 'poison', 'b'].map((id) => keyOf(merchantId, id)) };
    };

    it.each(['strong', 'eventual'] as const)('leaves the others of a %s read alone', async (consistency) => {
      const { store, keys, merchantId } = await prepare();
      const { rows, unreadable } = await store.readMany(keys, consistency);
      expect(rows.map((row) => row.key.eventId).sort()).toEqual(['a', 'b']);
      expect(unreadable).toMatchObject([{ key: keyOf(merchantId, 'poison'), sweeps: 0 }]);
      expect(unreadable[0]?.problem).not.toBe('');
    });

    it('is said to be unreadable, not missing', async () => {
      const { store, merchantId } = await prepare();
      await expect(store.read(keyOf(merchantId, 'poison'))).rejects.toThrow(UnreadableRowError);
      expect(await store.claim(acceptedRow(keyOf(merchantId, 'poison')))).toBe('exists');
    });

    it('is put off by its key, once for each look', async () => {
      const { store, keys } = await prepare(T0 + 1_000);
      const [seen] = (await store.readMany(keys)).unreadable;
      expect(seen).toMatchObject({ dueAtMs: T0 + 1_000, sweeps: 3 });
      if (seen === undefined) return;
      expect(await store.deferUnreadable(seen, T0 + 60_000)).toBe(true);
      expect(await store.deferUnreadable(seen, T0 + 90_000)).toBe(false);
      const [after] = (await store.readMany(keys)).unreadable;
      expect(after).toMatchObject({ dueAtMs: T0 + 60_000, sweeps: 4 });
      expect((await dueIds(store, seen.key.merchantId, T0 + 2_000)).sort()).toEqual(['a', 'b']);
      expect(await dueIds(store, seen.key.merchantId, T0 + 60_001)).toContain('poison');
    });
  });
}
