// What every store of erasures must do.
import { describe, expect, it } from 'vitest';
import { type Erasure, NO_COUNTS } from '#lib/events/domain/erasure/erasure.ts';
import type { ErasureStore } from '#lib/events/ports/erasure-store.ts';

const idAt = (n: number): string => `0193${String(n).padStart(4, '0')}-0000-7000-8000-000000000000`;

const erasureOf = (n: number, merchantId: string): Erasure => ({
  merchantId,
  id: idAt(n),
  createdAtMs: n,
  updatedAtMs: n,
  expiresAtMs: n + 100,
  state: 'running',
  version: 1,
  subjectDigest: 'ab',
  sealedSubject: 'c2VhbGVk',
  pass: 1,
  notBeforeMs: n,
  fromMs: 0,
  cursor: { receivedAtMs: 7, ingestId: 'i' },
  counts: { ...NO_COUNTS, seen: 2 },
});

export function erasureStoreConformance(name: string, open: () => Promise<ErasureStore>): void {
  describe(`erasures on ${name}`, () => {
    it('keep what was written, each for its merchant, the newest first', async () => {
      const store = await open();
      const [mine, theirs] = [crypto.randomUUID(), crypto.randomUUID()];
      const [one, two, three] = [erasureOf(1, mine), erasureOf(2, mine), erasureOf(3, mine)] as const;
      for (const erasure of [two, one, three, erasureOf(1, theirs)])
        expect(await store.createErasure(erasure)).toBe(true);
      expect(await store.createErasure({ ...one, pass: 9 })).toBe(false);
      expect(await store.erasure(mine, one.id)).toEqual(one);
      expect(await store.erasure(theirs, two.id)).toBeNull();
      expect(await store.listErasures(mine, 10)).toEqual([three, two, one]);
      expect(await store.listErasures(mine, 1)).toEqual([three]);
      expect(await store.listErasures(mine, 1, three.id)).toEqual([two]);
      expect(await store.listErasures(mine, 10, two.id)).toEqual([one]);
      expect(await store.listErasures(mine, 10, one.id)).toEqual([]);
      expect(await store.listErasures(crypto.randomUUID(), 10)).toEqual([]);
    });

    it('are written by one of several who saw the same, and without what the last writer left out', async () => {
      const store = await open();
      const merchant = crypto.randomUUID();
      const erasure = erasureOf(1, merchant);
      await store.createErasure(erasure);
      const { sealedSubject: _, ...receipt } = erasure;
      const tries = Array.from({ length: 8 }, (_, pass) => store.writeErasure({ ...receipt, pass }, 1));
      const won = await Promise.all(tries);
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await store.erasure(merchant, erasure.id)).toEqual({
        ...receipt,
        pass: won.indexOf(true),
        version: 2,
      });
      expect(await store.writeErasure(erasure, 1)).toBe(false);
      expect(await store.writeErasure(erasureOf(2, merchant), 1)).toBe(false);
    });

    it('are found when they have expired, the oldest first, and deleted', async () => {
      const store = await open();
      const [merchant, other] = [crypto.randomUUID(), crypto.randomUUID()];
      for (const n of [3, 1, 2]) await store.createErasure(erasureOf(n, merchant));
      await store.createErasure(erasureOf(1, other));
      expect(await store.expiredErasures(merchant, 100, 10)).toEqual([]);
      expect((await store.expiredErasures(merchant, 102, 10)).map(({ id }) => id)).toEqual([
        idAt(1),
        idAt(2),
      ]);
      expect((await store.expiredErasures(merchant, 103, 1)).map(({ id }) => id)).toEqual([idAt(1)]);
      await store.deleteErasure(merchant, idAt(1));
      await store.deleteErasure(merchant, idAt(9));
      expect((await store.listErasures(merchant, 10)).map(({ id }) => id)).toEqual([idAt(3), idAt(2)]);
      expect(await store.listErasures(other, 10)).toHaveLength(1);
    });
  });
}
