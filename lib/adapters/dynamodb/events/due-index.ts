// The due index of a table of events or batches: queries of what is due in a shard, and moving the due time of unread
// items.
import { INDEX } from '#lib/events/domain/topology.ts';
import type { DueEntry, DueIndex } from '#lib/events/ports/due-index.ts';
import { type Item, type Table, updateItem } from '../core/items/commands.ts';
import { parseDue, queryGroup, queryGroups } from '../core/items/due-index.ts';

/** `parseKey`: null for a key that this code did not write. */
export function createDueQueries<Key>(
  at: Table,
  dueShards: number,
  parseKey: (item: Item) => Key | null,
): DueIndex<Key> {
  const toEntry = (item: Item): DueEntry<Key>[] => {
    const due = parseDue(item.da);
    const key = parseKey(item);
    if (due === null || key === null) return [];
    const { atMs, parkedFor } = due;
    return [{ key, dueAtMs: atMs, ...(parkedFor === undefined ? {} : { parkedFor }) }];
  };
  return {
    dueShards,
    async dueGroups(shard, past, limit) {
      const { items, isCut } = await queryGroups(at, INDEX.due, shard, past, limit);
      return { entries: items.flatMap(toEntry), isCut };
    },
    async dueOf(query) {
      const { items, cursor } = await queryGroup(at, INDEX.due, query);
      return { entries: items.flatMap(toEntry), ...(cursor === undefined ? {} : { cursor }) };
    },
  };
}

export interface PutOff {
  readonly key: Item;
  readonly seen: { readonly da: string };
  readonly next: { readonly da: string };
  readonly sweeps: number;
}

/**
 * Moves the due time of an unreadable item, within its group, if it has not changed since it was read, and counts the
 * sweep.
 */
export const putOffUnread = (at: Table, { key, seen, next, sweeps }: PutOff): Promise<boolean> =>
  updateItem(at, key, {
    update: 'SET da = :due, sw = :sweeps',
    condition: 'da = :seenDue',
    values: { ':due': next.da, ':seenDue': seen.da, ':sweeps': sweeps + 1 },
  });
