// What every store of replay plans must do with the places of plans; the plans themselves are in jobs.suite.ts.
import { describe, expect, it } from 'vitest';
import type { ReplayStore } from '#lib/events/ports/replay-store.ts';
import { idAt } from './jobs.suite.ts';

export function replayStoreConformance(name: string, open: () => ReplayStore): void {
  describe(`replay plans on ${name}`, () => {
    it('have no more places than there are, however many want one at once', async () => {
      const plans = open();
      const merchant = crypto.randomUUID();
      const ids = Array.from({ length: 12 }, (_, n) => idAt(n));
      const taken = await Promise.all(ids.map((id) => plans.takePlace(merchant, id, 3)));
      const mine = ids.filter((_, n) => taken[n]);
      expect(mine).toHaveLength(3);
      expect(await plans.places(merchant)).toEqual(mine);
      const [first = '', ...others] = mine;
      expect(await plans.takePlace(merchant, first, 3)).toBe(true);
      await plans.leavePlace(merchant, first);
      await plans.leavePlace(merchant, 'never there');
      expect(await plans.places(merchant)).toEqual(others);
      expect(await plans.takePlace(merchant, idAt(99), 3)).toBe(true);
    });

    it('are found by who has a place, those of other merchants among them', async () => {
      const plans = open();
      const merchants: string[] = [crypto.randomUUID(), crypto.randomUUID()];
      for (const merchant of merchants) await plans.takePlace(merchant, idAt(1), 1);
      const active = [];
      let cursor: string | undefined;
      do {
        const page = await plans.activePlans(cursor);
        active.push(...page.plans);
        cursor = page.cursor;
      } while (cursor !== undefined);
      for (const merchantId of merchants) expect(active).toContainEqual({ merchantId, planId: idAt(1) });
      for (const merchant of merchants) await plans.leavePlace(merchant, idAt(1));
      const { plans: left } = await plans.activePlans();
      expect(left.filter(({ merchantId }) => merchants.includes(merchantId))).toEqual([]);
    });
  });
}
