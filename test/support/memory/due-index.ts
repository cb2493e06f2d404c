// A due index in memory: each shard is a list of groups, each group a list by time, as the sort key of the real index has them.
import { groupShard } from '#lib/core/work/due-shard.ts';
import type { DueEntry, DueGroup, DueIndex } from '#lib/events/ports/due-index.ts';

export interface MemoryDueIndex<Key> extends DueIndex<Key> {
  /** `entry` null: it is due no more. */
  update(id: string, merchantId: string, entry: DueEntry<Key> | null): void;
}

export function createMemoryDueIndex<Key>(dueShards: number): MemoryDueIndex<Key> {
  type Group = Map<string, DueEntry<Key>>;
  const shards = Array.from({ length: dueShards }, () => new Map<string, Group>());
  const places = new Map<string, { readonly shard: number; readonly group: string }>();
  const groupText = ({ merchantId, parkedFor = '' }: DueGroup): string => `${merchantId}|${parkedFor}`;
  const sorted = (group: ReadonlyMap<string, DueEntry<Key>> | undefined) =>
    [...(group ?? [])]
      .map(([id, entry]) => ({ entry, place: `${String(entry.dueAtMs).padStart(15, '0')}/${id}` }))
      .sort((a, b) => (a.place < b.place ? -1 : 1));
  return {
    dueShards,
    update(id, merchantId, entry) {
      const old = places.get(id);
      if (old !== undefined) {
        const group = shards[old.shard]?.get(old.group);
        group?.delete(id);
        if (group?.size === 0) shards[old.shard]?.delete(old.group);
        places.delete(id);
      }
      if (entry === null) return;
      const group = groupText({ merchantId, parkedFor: entry.parkedFor });
      const shard = groupShard(group, id, dueShards);
      places.set(id, { shard, group });
      const entries: Group = shards[shard]?.get(group) ?? new Map();
      entries.set(id, entry);
      shards[shard]?.set(group, entries);
    },
    async dueGroups(shard, past, limit) {
      const behind = past === undefined ? '' : groupText(past);
      const found: DueEntry<Key>[] = [];
      for (const group of [...(shards[shard]?.keys() ?? [])].sort()) {
        if (past !== undefined && group <= behind) continue;
        found.push(...sorted(shards[shard]?.get(group)).map(({ entry }) => entry));
        if (found.length > limit) break;
      }
      return { entries: found.slice(0, limit), isCut: found.length > limit };
    },
    async dueOf({ shard, group, beforeMs, limit, cursor = '' }) {
      const found = sorted(shards[shard]?.get(groupText(group))).filter(
        ({ entry, place }) => entry.dueAtMs < beforeMs && place > cursor,
      );
      const taken = found.slice(0, limit);
      const last = taken.at(-1);
      return {
        entries: taken.map(({ entry }) => entry),
        ...(found.length > taken.length && last !== undefined ? { cursor: last.place } : {}),
      };
    },
  };
}
