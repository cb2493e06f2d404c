import { createReplayStore, PLAN } from '#lib/adapters/dynamodb/events/tasks/replay-store.ts';
import type { ReplayPlan } from '#lib/events/domain/replays/plan.ts';
import type { ReplayStore } from '#lib/events/ports/replay-store.ts';
import { createMemoryTables, itemsOfKind } from './tables.ts';

export interface MemoryReplayStore extends ReplayStore {
  plans(): readonly ReplayPlan[];
}

export function createMemoryReplayStore(): MemoryReplayStore {
  const tables = createMemoryTables();
  return {
    ...createReplayStore(tables.db, 'config'),
    plans: () => itemsOfKind(tables, PLAN).map(({ value }) => value),
  };
}
