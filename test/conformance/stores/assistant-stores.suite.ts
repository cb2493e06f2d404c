// What every store of the assistant does, whoever it is.
import { describe, expect, it } from 'vitest';
import type { DailyBudget } from '#lib/core/assistant/budget.ts';
import type { OneTimeStore } from '#lib/core/assistant/confirmations.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const DAY = '2026-11-20';

export interface AssistantStores {
  readonly confirmations: OneTimeStore;
  readonly perDay: DailyBudget;
}

export function assistantConformance(name: string, open: () => AssistantStores): void {
  let ids = 0;
  const fresh = (): string => `${name}-${ids++}`;

  describe(`texts that can be had once, in ${name}`, () => {
    it('give one of many takers the text, and nothing to the others', async () => {
      const [{ confirmations }, id] = [open(), fresh()];
      await confirmations.put(id, 'sealed', NOW + 600_000);
      const taken = await Promise.all(Array.from({ length: 20 }, () => confirmations.take(id, NOW)));
      expect(taken.filter((text) => text !== null)).toEqual(['sealed']);
      expect(await confirmations.take(id, NOW)).toBeNull();
    });

    it('are not there once they have expired, nor under another id', async () => {
      const [{ confirmations }, id, late] = [open(), fresh(), fresh()];
      await confirmations.put(id, 'sealed', NOW + 600_000);
      await confirmations.put(late, 'sealed', NOW + 600_000);
      expect(await confirmations.take(fresh(), NOW)).toBeNull();
      expect(await confirmations.take(id, NOW + 599_000)).toBe('sealed');
      expect(await confirmations.take(late, NOW + 600_000)).toBeNull();
    });
  });

  describe(`what a day has, in ${name}`, () => {
    it('lets through as many requests as there are, however many come at once', async () => {
      const [{ perDay }, merchant] = [open(), fresh()];
      const limit = { requests: 5, tokens: 1_000 };
      const begun = await Promise.all(Array.from({ length: 20 }, () => perDay.begin(merchant, DAY, limit)));
      expect(begun.filter(Boolean)).toHaveLength(5);
      expect(await perDay.begin(merchant, '2026-11-21', limit)).toBe(true);
      expect(await perDay.begin(fresh(), DAY, limit)).toBe(true);
    });

    it('lets nothing through once its tokens are spent, added up exactly', async () => {
      const [{ perDay }, merchant] = [open(), fresh()];
      const limit = { requests: 100, tokens: 1_000 };
      await Promise.all(Array.from({ length: 9 }, () => perDay.spend(merchant, DAY, 111)));
      expect(await perDay.begin(merchant, DAY, limit)).toBe(true);
      await perDay.spend(merchant, DAY, 0);
      await perDay.spend(merchant, DAY, 1);
      expect(await perDay.begin(merchant, DAY, limit)).toBe(false);
    });

    it('may be nothing at all', async () => {
      const [{ perDay }, merchant] = [open(), fresh()];
      expect(await perDay.begin(merchant, DAY, { requests: 0, tokens: 1 })).toBe(false);
      expect(await perDay.begin(merchant, DAY, { requests: 1, tokens: 0 })).toBe(false);
    });
  });
}
