// Erasures in memory: values copied in and frozen, every write one atomic conditional write.
import type { Erasure } from '#lib/events/domain/erasure/erasure.ts';
import type { ErasureStore } from '#lib/events/ports/erasure-store.ts';
import { frozenCopy } from './frozen-copy.ts';

export interface MemoryErasureStore extends ErasureStore {
  erasures(): readonly Erasure[];
}

export function createMemoryErasureStore(): MemoryErasureStore {
  const erasures = new Map<string, Erasure>();
  const idOf = (merchantId: string, id: string): string => `${merchantId}/${id}`;
  const put = (erasure: Erasure): true => {
    erasures.set(idOf(erasure.merchantId, erasure.id), frozenCopy(erasure));
    return true;
  };
  return {
    createErasure: async (erasure) => !erasures.has(idOf(erasure.merchantId, erasure.id)) && put(erasure),
    erasure: async (merchantId, id) => erasures.get(idOf(merchantId, id)) ?? null,
    listErasures: async (merchantId, limit, before) =>
      [...erasures.values()]
        .filter((erasure) => erasure.merchantId === merchantId)
        .filter(({ id }) => before === undefined || id < before)
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit),
    expiredErasures: async (merchantId, nowMs, limit) =>
      [...erasures.values()]
        .filter((erasure) => erasure.merchantId === merchantId && erasure.expiresAtMs <= nowMs)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit),
    writeErasure: async (next, seenVersion) =>
      erasures.get(idOf(next.merchantId, next.id))?.version === seenVersion &&
      put({ ...next, version: seenVersion + 1 }),
    deleteErasure: async (merchantId, id) => void erasures.delete(idOf(merchantId, id)),
    erasures: () => [...erasures.values()],
  };
}
