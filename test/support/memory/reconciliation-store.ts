// Reconciliations in memory: values copied in and frozen, every write one atomic conditional write.
import type { Reconciliation } from '#lib/events/domain/reconciliation/reconciliation.ts';
import type { PartKey, ReconciliationStore } from '#lib/events/ports/reconciliation-store.ts';
import { frozenCopy } from './frozen-copy.ts';

export interface MemoryReconciliationStore extends ReconciliationStore {
  reconciliations(): readonly Reconciliation[];
  /** Keys of all pieces, as text. */
  pieces(): ReadonlyMap<string, string>;
}

export function createMemoryReconciliationStore(): MemoryReconciliationStore {
  const jobs = new Map<string, Reconciliation>();
  const pieces = new Map<string, string>();
  const idOf = (merchantId: string, id: string): string => `${merchantId}/${id}`;
  const pieceOf = ({ merchantId, id, part, version }: PartKey, piece: number): string =>
    `${idOf(merchantId, id)}/${part}/${version}/${piece}`;
  const put = (job: Reconciliation): true => {
    jobs.set(idOf(job.merchantId, job.id), frozenCopy(job));
    return true;
  };
  const ofMerchant = (merchantId: string): Reconciliation[] =>
    [...jobs.values()].filter((job) => job.merchantId === merchantId).sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    createReconciliation: async (job) => !jobs.has(idOf(job.merchantId, job.id)) && put(job),
    reconciliation: async (merchantId, id) => jobs.get(idOf(merchantId, id)) ?? null,
    listReconciliations: async (merchantId, limit, before) =>
      ofMerchant(merchantId)
        .reverse()
        .filter(({ id }) => before === undefined || id < before)
        .slice(0, limit),
    expiredReconciliations: async (merchantId, nowMs, limit) =>
      ofMerchant(merchantId)
        .slice(0, limit)
        .filter(({ expiresAtMs }) => expiresAtMs <= nowMs),
    writeReconciliation: async (next, seenVersion) =>
      jobs.get(idOf(next.merchantId, next.id))?.version === seenVersion &&
      put({ ...next, version: seenVersion + 1 }),
    putPart: async (key, texts) => texts.forEach((text, piece) => void pieces.set(pieceOf(key, piece), text)),
    readPart: async (key, count) =>
      Array.from({ length: count }, (_, piece) => {
        const text = pieces.get(pieceOf(key, piece));
        if (text === undefined) throw new Error(`${pieceOf(key, piece)} is missing`);
        return text;
      }),
    deleteParts: async (merchantId, id, limit) => {
      const own = [...pieces.keys()].filter((key) => key.startsWith(`${idOf(merchantId, id)}/`));
      for (const key of own.slice(0, limit)) pieces.delete(key);
      return own.length === 0;
    },
    deleteReconciliation: async (merchantId, id) => void jobs.delete(idOf(merchantId, id)),
    reconciliations: () => [...jobs.values()],
    pieces: () => pieces,
  };
}
