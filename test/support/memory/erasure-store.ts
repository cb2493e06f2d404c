import { createErasureStore, ERASURES } from '#lib/adapters/dynamodb/events/tasks/erasure-store.ts';
import type { Erasure } from '#lib/events/domain/erasure/erasure.ts';
import type { ErasureStore } from '#lib/events/ports/erasure-store.ts';
import { createMemoryTables, itemsOfKind } from './tables.ts';

export interface MemoryErasureStore extends ErasureStore {
  erasures(): readonly Erasure[];
}

export function createMemoryErasureStore(): MemoryErasureStore {
  const tables = createMemoryTables();
  return {
    ...createErasureStore(tables.db, 'config'),
    erasures: () => itemsOfKind(tables, ERASURES).map(({ value }) => value),
  };
}
