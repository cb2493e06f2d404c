import {
  createReconciliationStore,
  ORDERS_PIECE,
  RECONCILIATIONS,
} from '#lib/adapters/dynamodb/events/tasks/reconciliation-store.ts';
import type { Reconciliation } from '#lib/events/domain/reconciliation/reconciliation.ts';
import type { ReconciliationStore } from '#lib/events/ports/reconciliation-store.ts';
import { createMemoryTables, itemsOfKind } from './tables.ts';

export interface MemoryReconciliationStore extends ReconciliationStore {
  reconciliations(): readonly Reconciliation[];
  /** Pieces of orders, by their keys. */
  pieces(): ReadonlyMap<string, string>;
}

export function createMemoryReconciliationStore(): MemoryReconciliationStore {
  const tables = createMemoryTables();
  return {
    ...createReconciliationStore(tables.db, 'config'),
    reconciliations: () => itemsOfKind(tables, RECONCILIATIONS).map(({ value }) => value),
    pieces: () => new Map(itemsOfKind(tables, ORDERS_PIECE).map(({ key, value }) => [key, value])),
  };
}
