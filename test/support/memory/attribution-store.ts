import { createAttributionStore } from '#lib/adapters/dynamodb/events/attribution-store.ts';
import type { AttributionStore } from '#lib/events/ports/attribution-store.ts';
import { createMemoryTables } from './tables.ts';

export interface MemoryAttributionStore extends AttributionStore {
  /** How many people, one by identifier, there are. */
  size(): number;
  /** As they are stored. */
  items(): readonly Readonly<Record<string, unknown>>[];
}

export function createMemoryAttributionStore(): MemoryAttributionStore {
  const { db, items } = createMemoryTables();
  return {
    ...createAttributionStore(db, 'analytics'),
    size: () => items('analytics').length,
    items: () => items('analytics'),
  };
}
