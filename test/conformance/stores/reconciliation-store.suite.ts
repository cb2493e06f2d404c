// What every store of reconciliations must do with the parts of their orders; the jobs themselves are in jobs.suite.ts.
import { describe, expect, it } from 'vitest';
import type { ReconciliationStore } from '#lib/events/ports/reconciliation-store.ts';
import { idAt, reconciliationOf } from './jobs.suite.ts';

export function reconciliationStoreConformance(name: string, open: () => ReconciliationStore): void {
  describe(`reconciliations on ${name}`, () => {
    it('have parts by job, number and version, whole or not at all', async () => {
      const store = open();
      const [merchantId, other] = [crypto.randomUUID(), crypto.randomUUID()];
      const key = { merchantId, id: idAt(1), part: 3, version: 7 };
      const pieces = ['a'.repeat(300_000), 'é'.repeat(1_000)];
      await store.putPart(key, pieces);
      await store.putPart({ ...key, version: 8 }, ['newer']);
      expect(await store.readPart(key, 2)).toEqual(pieces);
      expect(await store.readPart({ ...key, version: 8 }, 1)).toEqual(['newer']);
      for (const wrong of [{ part: 2 }, { version: 9 }, { id: idAt(2) }, { merchantId: other }])
        await expect(store.readPart({ ...key, ...wrong }, 1)).rejects.toThrow('is missing');
      await expect(store.readPart(key, 3)).rejects.toThrow('is missing');
    });

    it('lose all their parts and no others, some at a time', async () => {
      const store = open();
      const merchantId = crypto.randomUUID();
      const [mine, others] = [idAt(1), idAt(2)];
      for (const id of [mine, others])
        for (let part = 0; part < 12; part++)
          await store.putPart({ merchantId, id, part, version: 1 }, ['x', 'y']);
      let rounds = 1;
      while (!(await store.deleteParts(merchantId, mine, 10))) rounds += 1;
      expect(rounds).toBe(4);
      await expect(store.readPart({ merchantId, id: mine, part: 11, version: 1 }, 1)).rejects.toThrow();
      expect(await store.readPart({ merchantId, id: others, part: 0, version: 1 }, 2)).toEqual(['x', 'y']);
    });

    it('are listed without them', async () => {
      const store = open();
      const job = reconciliationOf(2, crypto.randomUUID());
      await store.createReconciliation(job);
      await store.putPart({ merchantId: job.merchantId, id: job.id, part: 0, version: 1 }, ['x']);
      expect(await store.listReconciliations(job.merchantId, 10)).toEqual([job]);
    });
  });
}
