// What every store of replay plans must do.
import { describe, expect, it } from 'vitest';
import { NO_PROGRESS, type ReplayPlan } from '#lib/events/domain/replays/plan.ts';
import type { ReplayStore } from '#lib/events/ports/replay-store.ts';

const [MINE, THEIRS] = [crypto.randomUUID(), crypto.randomUUID()];
const idAt = (n: number): string => `0193${String(n).padStart(4, '0')}-0000-7000-8000-000000000000`;

const planOf = (n: number, merchantId: string): ReplayPlan => ({
  merchantId,
  id: idAt(n),
  createdAtMs: n,
  updatedAtMs: n,
  state: 'running',
  version: 1,
  step: 0,
  filter: { fromMs: 1, toMs: 2, eventIds: ['ünïcode~#', 'b'] },
  platforms: ['meta'],
  only: 'undelivered',
  dedupe: 'original',
  dryRun: false,
  rate: 50,
  progress: { ...NO_PROGRESS, counts: { meta: { will_send: 2 } } },
});

export function replayStoreConformance(name: string, open: () => Promise<ReplayStore>): void {
  describe(`replay plans on ${name}`, () => {
    it('keep what was written, each for its merchant, the newest first', async () => {
      const plans = await open();
      const [one, two, three] = [planOf(1, MINE), planOf(2, MINE), planOf(3, MINE)] as const;
      for (const plan of [two, one, three, planOf(1, THEIRS)])
        expect(await plans.createPlan(plan)).toBe(true);
      expect(await plans.createPlan({ ...one, rate: 1 })).toBe(false);
      expect(await plans.plan(MINE, one.id)).toEqual(one);
      expect(await plans.plan(THEIRS, two.id)).toBeNull();
      expect(await plans.listPlans(MINE, 10)).toEqual([three, two, one]);
      expect(await plans.listPlans(MINE, 1)).toEqual([three]);
      expect(await plans.listPlans(MINE, 10, three.id)).toEqual([two, one]);
      expect(await plans.listPlans(MINE, 10, one.id)).toEqual([]);
      expect(await plans.listPlans(crypto.randomUUID(), 10)).toEqual([]);
    });

    it('are written by one of several who saw the same', async () => {
      const plans = await open();
      const merchant = crypto.randomUUID();
      const plan = planOf(1, merchant);
      await plans.createPlan(plan);
      const tries = Array.from({ length: 8 }, (_, rate) => plans.writePlan({ ...plan, rate }, 1));
      const won = await Promise.all(tries);
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await plans.plan(merchant, plan.id)).toEqual({ ...plan, rate: won.indexOf(true), version: 2 });
      expect(await plans.writePlan(plan, 1)).toBe(false);
      expect(await plans.writePlan(planOf(2, merchant), 1)).toBe(false);
    });

    it('have no more places than there are, however many want one at once', async () => {
      const plans = await open();
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
      const plans = await open();
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
