// What is due, without what it points to: for who asks how much there is and since when.

import { BATCH_DUE_SHARDS } from '#lib/events/ports/batch-store.ts';
import type { DueIndex } from '#lib/events/ports/due-index.ts';
import { DUE_SHARDS } from '#lib/events/ports/event-store.ts';
import type { Db } from '../core/items/commands.ts';
import { createDueQueries } from './due-index.ts';

type Places = Pick<DueIndex<unknown>, 'dueShards' | 'dueGroups'>;

export const duePlaces = (
  db: Db,
  tables: { readonly events: string; readonly batches: string },
): { readonly events: Places; readonly batches: Places } => ({
  events: createDueQueries<unknown>({ db, table: tables.events }, DUE_SHARDS, (item) => item),
  batches: createDueQueries<unknown>({ db, table: tables.batches }, BATCH_DUE_SHARDS, (item) => item),
});
