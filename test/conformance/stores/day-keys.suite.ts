// What every store of day keys must do: a day's key is one for ever until it is erased, and erasing meets no other merchant.
import { describe, expect, it } from 'vitest';
import type { DayKeyStore } from '#lib/core/ports/day-keys.ts';
import { freshMerchant } from './event-rows.ts';

export function dayKeyConformance(name: string, open: () => DayKeyStore): void {
  describe(`${name}: day keys`, () => {
    it('keep the first key of a day, whoever comes second', async () => {
      const store = open();
      const merchantId = freshMerchant();
      expect(await store.read(merchantId, '2026-11-21')).toBeNull();
      const made = ['one', 'two', 'three'];
      const answers = await Promise.all(made.map((key) => store.create(merchantId, '2026-11-21', key)));
      expect(new Set(answers).size).toBe(1);
      expect(made).toContain(answers[0]);
      expect(await store.read(merchantId, '2026-11-21')).toBe(answers[0]);
      expect(await store.read(merchantId, '2026-11-20')).toBeNull();
      expect(await store.read(freshMerchant(), '2026-11-21')).toBeNull();
    });

    it('are erased before a day, not on it, and of no other merchant', async () => {
      const store = open();
      const [merchantId, other] = [freshMerchant(), freshMerchant()];
      const days = Array.from({ length: 60 }, (_, i) =>
        new Date(Date.UTC(2026, 10, 1 + i)).toISOString().slice(0, 10),
      );
      for (const day of days)
        for (const id of [merchantId, other]) await store.create(id, day, `key of ${day}`);
      expect(await store.eraseBefore(merchantId, '2026-12-01')).toBe(30);
      const left = await Promise.all(days.map(async (day) => await store.read(merchantId, day)));
      expect(left.map((key) => key !== null)).toEqual(days.map((day) => day >= '2026-12-01'));
      expect(await store.eraseBefore(merchantId, '2026-12-01')).toBe(0);
      expect(await store.eraseBefore(freshMerchant(), '2099-01-01')).toBe(0);
      expect(await store.read(other, '2026-11-01')).toBe('key of 2026-11-01');
    });

    it('can be made again after they were erased', async () => {
      const store = open();
      const merchantId = freshMerchant();
      await store.create(merchantId, '2026-11-21', 'first');
      await store.eraseBefore(merchantId, '2026-11-22');
      expect(await store.create(merchantId, '2026-11-21', 'second')).toBe('second');
    });
  });
}
