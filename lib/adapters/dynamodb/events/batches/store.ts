// The batches table on DynamoDB. Every write is one write to one item; one that follows a read is conditional on what was read.
import type { Keeping } from '#lib/events/domain/event/row-expiry.ts';
import { BATCH_DUE_SHARDS, type BatchStore, type OutcomesKey } from '#lib/events/ports/batch-store.ts';
import { type Db, ifVersion, putItem } from '../../core/items/commands.ts';
import { beginsWith, between, itemsOf, queryPage } from '../../core/items/query.ts';
import { readItems } from '../../core/items/read-items.ts';
import { createDueQueries, putOffUnread } from '../due-index.ts';
import { decodeBatchItems, type OnUnreadableBatchItem } from './decoder.ts';
import {
  batchItemKey,
  manifestItem,
  minutePartition,
  minutePrefix,
  outcomesDueEntry,
  outcomesItem,
  parseBatchItemKey,
} from './item.ts';

/** `onUnreadable` is called for every item that could not be read, by any method. */
export function createBatchStore(
  db: Db,
  table: string,
  onUnreadable: OnUnreadableBatchItem = () => {},
  keeping: Keeping = {},
): BatchStore {
  const batches = { db, table };
  return {
    async putManifest(manifest) {
      await putItem(batches, manifestItem(manifest, keeping));
    },

    async readMany({ manifests = [], outcomes = [] }, consistency) {
      const keys = [
        ...manifests.map((batch) => batchItemKey(batch)),
        ...outcomes.map(({ batch, platform }) => batchItemKey(batch, platform)),
      ];
      return decodeBatchItems(await readItems(db, table, keys, consistency === 'strong'), onUnreadable);
    },

    async ofBatch({ batch, platform }) {
      const wanted = [batchItemKey(batch), batchItemKey(batch, platform)];
      const [first, last] = wanted.map(({ sk }) => sk);
      const range = between(first ?? '', last ?? '');
      // Items in between are outcomes of platforms earlier in the alphabet: on a first attempt there is little of them.
      const items = itemsOf(batches, { hash: minutePartition(batch), range, consistency: 'eventual' });
      const own: Record<string, unknown>[] = [];
      for await (const item of items) if (item.sk === first || item.sk === last) own.push(item);
      return decodeBatchItems(own, onUnreadable);
    },

    async ofMinute({ cursor, ...minute }) {
      const hash = minutePartition(minute);
      const partition = { hash, range: beginsWith(minutePrefix(minute)), consistency: 'eventual' } as const;
      const after = cursor === undefined ? undefined : { pk: hash, sk: cursor };
      const { items, last } = await queryPage(batches, partition, { after });
      const read = decodeBatchItems(items, onUnreadable);
      return last === undefined ? read : { ...read, cursor: String(last.sk) };
    },

    writeOutcomes: async (next, seenVersion) => {
      const item = outcomesItem({ ...next, version: seenVersion + 1 }, keeping);
      return await putItem(batches, item, ifVersion(seenVersion));
    },

    deferUnreadable: async ({ batch, platform, parkedFor, dueAtMs: seenDueMs, sweeps }, dueAtMs) => {
      // A manifest is never due, and an item without a due time need not be put off.
      if (platform === undefined || seenDueMs === undefined) return false;
      const seen = outcomesDueEntry({ batch, platform }, parkedFor, seenDueMs);
      const next = outcomesDueEntry({ batch, platform }, parkedFor, dueAtMs);
      return await putOffUnread(batches, { key: batchItemKey(batch, platform), seen, next, sweeps });
    },

    ...createDueQueries(batches, BATCH_DUE_SHARDS, toOutcomesKey),
  };
}

function toOutcomesKey(item: Record<string, unknown>): OutcomesKey | null {
  const { batch, platform } = parseBatchItemKey(item) ?? {};
  return batch === undefined || platform === undefined ? null : { batch, platform };
}
