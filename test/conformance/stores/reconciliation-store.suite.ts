// What every store of reconciliations must do.
import { describe, expect, it } from 'vitest';
import {
  NO_RECONCILIATION_COUNTS,
  type Reconciliation,
} from '#lib/events/domain/reconciliation/reconciliation.ts';
import type { ReconciliationStore } from '#lib/events/ports/reconciliation-store.ts';

const idAt = (n: number): string => `0193${String(n).padStart(4, '0')}-0000-7000-8000-000000000000`;

const jobOf = (n: number, merchantId: string): Reconciliation => ({
  merchantId,
  id: idAt(n),
  createdAtMs: n,
  updatedAtMs: n,
  expiresAtMs: n + 100,
  state: 'running',
  version: 1,
  notBeforeMs: n,
  fromMs: 0,
  toMs: n,
  places: [{ slot: 'meta#2', platform: 'meta', sinceVersion: 3, windowSec: 172_800 }],
  upload: { orders: 2, repeated: 0, withValue: 1, withCurrency: 1, withTime: 0 },
  parts: [{ version: 1, pieces: 2 }],
  cursor: { receivedAtMs: 7, ingestId: 'i' },
  counts: { ...NO_RECONCILIATION_COUNTS, seen: 2 },
});

export function reconciliationStoreConformance(name: string, open: () => Promise<ReconciliationStore>): void {
  describe(`reconciliations on ${name}`, () => {
    it('keep what was written, each for its merchant, the newest first', async () => {
      const store = await open();
      const [mine, theirs] = [crypto.randomUUID(), crypto.randomUUID()];
      const [one, two, three] = [jobOf(1, mine), jobOf(2, mine), jobOf(3, mine)] as const;
      for (const job of [two, one, three, jobOf(1, theirs)])
        expect(await store.createReconciliation(job)).toBe(true);
      expect(await store.createReconciliation({ ...one, state: 'done' })).toBe(false);
      expect(await store.reconciliation(mine, one.id)).toEqual(one);
      expect(await store.reconciliation(theirs, two.id)).toBeNull();
      await store.putPart({ merchantId: mine, id: two.id, part: 0, version: 1 }, ['x']);
      expect(await store.listReconciliations(mine, 10)).toEqual([three, two, one]);
      expect(await store.listReconciliations(mine, 1, three.id)).toEqual([two]);
      expect(await store.listReconciliations(mine, 10, one.id)).toEqual([]);
    });

    it('are written by one of several who saw the same', async () => {
      const store = await open();
      const merchant = crypto.randomUUID();
      const job = jobOf(1, merchant);
      await store.createReconciliation(job);
      const tries = Array.from({ length: 8 }, (_, seen) =>
        store.writeReconciliation({ ...job, counts: { seen, unreadable: 0, unlisted: 0 } }, 1),
      );
      const won = await Promise.all(tries);
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await store.reconciliation(merchant, job.id)).toMatchObject({
        version: 2,
        counts: { seen: won.indexOf(true) },
      });
      expect(await store.writeReconciliation(job, 1)).toBe(false);
    });

    it('have parts by job, number and version, whole or not at all', async () => {
      const store = await open();
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
      const store = await open();
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

    it('are found when they have expired, the oldest first, and deleted', async () => {
      const store = await open();
      const merchant = crypto.randomUUID();
      for (const n of [3, 1, 2]) await store.createReconciliation(jobOf(n, merchant));
      const expired = await store.expiredReconciliations(merchant, 102, 10);
      expect(expired.map(({ id }) => id)).toEqual([idAt(1), idAt(2)]);
      await store.deleteReconciliation(merchant, idAt(1));
      await store.deleteReconciliation(merchant, idAt(9));
      const left = await store.listReconciliations(merchant, 10);
      expect(left.map(({ id }) => id)).toEqual([idAt(3), idAt(2)]);
    });
  });
}
