// Items of old events that stay in their tables: of rows that were still open when their day went into pages, and of those that
// something is written to later. Each is one conditional write.
import { ingestTimeMs } from '#lib/events/domain/event/ingest-id.ts';
import { expirySec } from '#lib/events/domain/event/row-expiry.ts';
import { SPARSE_BUCKET_MS } from '#lib/events/domain/shard.ts';
import type { KeptBatches, KeptRows } from '#lib/events/ports/page-store.ts';
import { type Db, updateItem } from '../../core/items/commands.ts';
import { beginsWith, itemsOf } from '../../core/items/query.ts';
import { minutePartition, minutePrefix } from '../batches/item.ts';
import { itemKey, toItem } from '../rows/event-item.ts';

export function createKeptRows(db: Db, table: string, retentionDays?: number): KeptRows {
  const events = { db, table };
  return {
    keep: async (key, ingestId, again = false) =>
      await updateItem(events, itemKey(key), {
        update: 'SET expires = :expires, kp = :kept',
        condition: again ? 'ts = :ingest AND attribute_exists(kp)' : 'ts = :ingest',
        values: {
          ':expires': expirySec(ingestTimeMs(ingestId), retentionDays),
          ':kept': 1,
          ':ingest': ingestId,
        },
      }),
    async restore(row) {
      const { pk, sk, ...attributes } = toItem({ ...row, kept: true }, { retentionDays });
      const set = Object.entries(attributes);
      // An update, so that who may change rows need not be allowed to replace them.
      await updateItem(
        events,
        { pk, sk },
        {
          update: `SET ${set.map((_, i) => `#s${i} = :s${i}`).join(', ')} REMOVE bt, dp, da, sw`,
          condition: 'attribute_not_exists(pk) OR (#ts = :ingest AND attribute_not_exists(#kp))',
          names: {
            '#ts': 'ts',
            '#kp': 'kp',
            ...Object.fromEntries(set.map(([name], i) => [`#s${i}`, name])),
          },
          values: {
            ':ingest': row.ingestId,
            ...Object.fromEntries(set.map(([, value], i) => [`:s${i}`, value])),
          },
        },
      );
    },
  };
}

export function createKeptBatches(db: Db, table: string, retentionDays?: number): KeptBatches {
  const batches = { db, table };
  return {
    async keepMinute(minute) {
      const partition = { hash: minutePartition(minute), range: beginsWith(minutePrefix(minute)) };
      const expires = expirySec(minute.minuteMs + SPARSE_BUCKET_MS, retentionDays);
      for await (const { pk, sk } of itemsOf(batches, partition))
        await updateItem(
          batches,
          { pk, sk },
          {
            update: 'SET expires = :expires',
            condition: 'attribute_exists(pk)',
            values: { ':expires': expires },
          },
        );
    },
  };
}
