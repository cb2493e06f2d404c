// Which rows of an invocation form batches: of one merchant, minute, shard and channel, two at least. Pure.

import { BATCH_ROWS_MAX, batchOf, type Manifest } from '#lib/events/domain/deliveries/batch.ts';
import { targetsOf } from '#lib/events/domain/deliveries/progress.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { bucketStartOf, shardOf } from '#lib/events/domain/shard.ts';
import { settledCounters } from '#lib/events/pipeline/counting/count-batches.ts';
import { isReplay } from '#lib/events/pipeline/counting/count-events.ts';

export interface Batch {
  readonly manifest: Manifest;
  /** In the order of the manifest; each says its place. */
  readonly rows: readonly NormalizedRow[];
}

export interface BatchPlan {
  readonly batches: readonly Batch[];
  /** Rows that keep what becomes of them to themselves. */
  readonly alone: readonly NormalizedRow[];
}

export function planBatches(rows: readonly NormalizedRow[], newId: () => string): BatchPlan {
  const batches: Batch[] = [];
  const alone: NormalizedRow[] = [];
  const sharing: NormalizedRow[] = [];
  for (const row of rows) (mayShare(row) ? sharing : alone).push(row);
  for (const group of Map.groupBy(sharing, sharedBy).values()) {
    for (let at = 0; at < group.length; at += BATCH_ROWS_MAX) {
      const some = group.slice(at, at + BATCH_ROWS_MAX);
      if (some.length === 1) alone.push(...some);
      else batches.push(describe(some, newId()));
    }
  }
  return { batches, alone };
}

/** A row that waits for its server copy has a due time of its own, one without targets has no outcome, and a test goes alone. */
const mayShare = (row: NormalizedRow): boolean =>
  row.heldUntilMs === undefined && row.event.test === undefined && targetsOf(row).length > 0;

/**
 * Browser rows lie apart: a count of them looks for their server copies, and takes no sum for granted. Replays too: what
 * becomes of them is not counted.
 */
const sharedBy = (row: NormalizedRow): string => {
  const { key, receivedAtMs, routingVersion } = row;
  const place = `${bucketStartOf(receivedAtMs, shardOf(row))}/${shardOf(row)}/${key.channel}`;
  return `${place}/${isReplay(row)}/${routingVersion}/${key.merchantId}`;
};

function describe(rows: readonly NormalizedRow[], id: string): Batch {
  const [first] = rows as [NormalizedRow, ...NormalizedRow[]];
  const batch = batchOf(first, id);
  return {
    manifest: {
      batch,
      routingVersion: first.routingVersion,
      rows: rows.map((row) => ({
        channel: row.key.channel,
        eventId: row.key.eventId,
        ingestId: row.ingestId,
        name: row.event.name,
        targets: targetsOf(row),
      })),
      counters: settledCounters(rows),
    },
    rows: rows.map((row, position) => ({ ...row, place: { batch, position } })),
  };
}

const ID_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const ID_LENGTH = 8;

/** 48 bits: a minute of one merchant has a few hundred batches. */
export function newBatchId(next: () => number): string {
  return Array.from({ length: ID_LENGTH }, () => ID_LETTERS.charAt(Math.floor(next() * 64))).join('');
}
