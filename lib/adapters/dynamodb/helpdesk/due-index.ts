// Due records by workspace. Guarantees: a workspace with any number of due records costs a reader one more query and
// does not hide another one's records.
import { HELPDESK_INDEX } from '#lib/helpdesk/domain/topology.ts';
import type { DueIndex, DueRecord } from '#lib/helpdesk/ports/stores.ts';
import { type Db, type Item, updateItem } from '../core/items/commands.ts';
import { parseDue, queryGroup, queryGroups } from '../core/items/due-index.ts';
import { parseRecordKey, recordKey } from './helpdesk-item.ts';
import { DUE_SHARDS, dueAttributes } from './record-store.ts';

const PAGE_MAX = 1_000;

export function createDueIndex(db: Db, table: string): DueIndex {
  const helpdesk = { db, table };
  return {
    shards: DUE_SHARDS,

    async *due(shard, beforeMs, perWorkspace) {
      let past: string | undefined;
      for (;;) {
        const group = past === undefined ? undefined : { merchantId: past };
        const { items, isCut } = await queryGroups(helpdesk, HELPDESK_INDEX.due, shard, group, PAGE_MAX);
        const groups = [...Map.groupBy(items.flatMap(entryOf), ({ workspaceId }) => workspaceId)];
        const last = groups.at(-1)?.[0];
        for (const [workspaceId, entries] of groups) {
          const isWhole = !isCut || workspaceId !== last || entries.length >= perWorkspace;
          const some = isWhole ? entries : await first(shard, workspaceId, beforeMs, perWorkspace);
          yield* some.filter(({ dueAtMs }) => dueAtMs < beforeMs).slice(0, perWorkspace);
        }
        if (!isCut || last === undefined || last === past) return;
        past = last;
      }
    },

    async putOff(record, untilMs) {
      const { kind, workspaceId, id } = record;
      const seen = dueAttributes(kind, record, record.dueAtMs);
      const next = dueAttributes(kind, record, untilMs);
      return await updateItem(helpdesk, recordKey(kind, workspaceId, id), {
        update: 'SET da = :next',
        condition: 'da = :seen',
        values: { ':next': next?.da, ':seen': seen?.da },
      });
    },
  };

  async function first(
    shard: number,
    workspaceId: string,
    beforeMs: number,
    limit: number,
  ): Promise<readonly DueRecord[]> {
    const group = { merchantId: workspaceId };
    const { items } = await queryGroup(helpdesk, HELPDESK_INDEX.due, { shard, group, beforeMs, limit });
    return items.flatMap(entryOf);
  }
}

/** Null for a key that no release wrote. */
function entryOf(item: Item): DueRecord[] {
  const key = parseRecordKey(item);
  const due = parseDue(item.da);
  return key === null || due === null ? [] : [{ ...key, dueAtMs: due.atMs }];
}
