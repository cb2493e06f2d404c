// What every store of idempotency keys does, whoever it is.
import { describe, expect, it } from 'vitest';
import type { IdempotencyStore } from '#lib/core/http/idempotency.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const claim = (holder: string, digest = 'd1') => ({
  digest,
  holder,
  leaseEndMs: NOW + 60_000,
  untilMs: NOW + 86_400_000,
});

export function idempotencyConformance(name: string, open: () => IdempotencyStore): void {
  let keys = 0;
  const fresh = (): string => `${name}-${keys++}`;

  describe(`idempotency keys in ${name}`, () => {
    it('lets one request begin, and shows the others that it runs', async () => {
      const [store, id] = [open(), fresh()];
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, i) => store.begin(id, claim(`h${i}`), NOW)),
      );
      expect(all.filter((begun) => 'idRoot' in begun)).toHaveLength(1);
      expect(all.filter((begun) => !('idRoot' in begun))).toEqual(
        Array.from({ length: 19 }, () => ({ digest: 'd1', answer: null })),
      );
    });

    it('keeps the answer, until it expires and not a second longer', async () => {
      const [store, id] = [open(), fresh()];
      await store.begin(id, claim('a'), NOW);
      await store.finish(id, 'a', 'sealed');
      for (const nowMs of [NOW, NOW + 60_000, NOW + 86_399_000])
        expect(await store.begin(id, claim('b', 'd2'), nowMs)).toEqual({ digest: 'd1', answer: 'sealed' });
      expect(await store.begin(id, claim('b', 'd2'), NOW + 86_400_000)).toEqual({ idRoot: 'b' });
    });

    it('gives a request that died to one like it once its lease has ended, and to no other', async () => {
      const [store, id] = [open(), fresh()];
      await store.begin(id, claim('a'), NOW);
      expect(await store.begin(id, claim('b'), NOW + 59_999)).toEqual({ digest: 'd1', answer: null });
      expect(await store.begin(id, claim('b', 'd2'), NOW + 60_000)).toEqual({ digest: 'd1', answer: null });
      expect(await store.begin(id, claim('c'), NOW + 60_000)).toEqual({ idRoot: 'a' });
    });

    it('tells each attempt of a request the same root, and the first after a day another one', async () => {
      const [store, id] = [open(), fresh()];
      const at = (nowMs: number) => ({ leaseEndMs: nowMs + 60_000, untilMs: nowMs + 86_400_000 });
      for (const [holder, laterMs] of [
        ['a', 0],
        ['b', 60_000],
        ['c', 120_000],
      ] as const) {
        const nowMs = NOW + laterMs;
        expect(await store.begin(id, { ...claim(holder), ...at(nowMs) }, nowMs)).toEqual({ idRoot: 'a' });
      }
      const endMs = NOW + 120_000 + 86_400_000;
      expect(await store.begin(id, { ...claim('d'), ...at(endMs) }, endMs)).toEqual({ idRoot: 'd' });
    });

    it('gives a request that died to one of many who repeat it at once', async () => {
      const [store, id] = [open(), fresh()];
      await store.begin(id, claim('a'), NOW);
      const again = (i: number) => ({ ...claim(`h${i}`), leaseEndMs: NOW + 120_000 });
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, i) => store.begin(id, again(i), NOW + 60_000)),
      );
      expect(all.filter((begun) => 'idRoot' in begun)).toEqual([{ idRoot: 'a' }]);
    });

    it('takes nothing of a holder that lost the key', async () => {
      const [store, id] = [open(), fresh()];
      await store.begin(id, claim('a'), NOW);
      await store.begin(id, { ...claim('b'), leaseEndMs: NOW + 120_000 }, NOW + 60_000);
      await store.finish(id, 'a', 'late');
      await store.release(id, 'a');
      expect(await store.begin(id, claim('c'), NOW + 60_001)).toEqual({ digest: 'd1', answer: null });
      await store.finish(id, 'b', 'mine');
      await store.release(id, 'b');
      expect(await store.begin(id, claim('c'), NOW + 60_001)).toEqual({ digest: 'd1', answer: 'mine' });
    });

    it('frees a key for the same request, which keeps its root, and for no other', async () => {
      const [store, id] = [open(), fresh()];
      await store.begin(id, claim('a'), NOW);
      await store.release(id, 'a');
      expect(await store.begin(id, claim('b', 'd2'), NOW)).toEqual({ digest: 'd1', answer: null });
      expect(await store.begin(id, claim('b'), NOW)).toEqual({ idRoot: 'a' });
      expect(await store.begin(id, claim('c'), NOW)).toEqual({ digest: 'd1', answer: null });
    });

    it('takes a finish and a release of what is not there', async () => {
      const [store, id] = [open(), fresh()];
      await store.finish(id, 'a', 'x');
      await store.release(id, 'a');
      expect(await store.begin(id, claim('b'), NOW)).toEqual({ idRoot: 'b' });
    });
  });
}
