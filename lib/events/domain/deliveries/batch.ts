// Rows that were normalized together: where they lie, and what became of them at each platform. A batch spares writes: what
// its rows share is written once for all of them. A row says itself whether it belongs to a batch.
import type { BucketCounters } from '../analytics/analytics.ts';
import type { Channel } from '../event/normalized-event.ts';
import type { EventRow } from '../event/row.ts';
import { bucketStartOf } from '../shard.ts';
import type { Delivery } from './delivery.ts';

/** Rows of one batch at most: as many as one read takes. */
export const BATCH_ROWS_MAX = 100;

/** Rows of one merchant, one bucket of the counters, normalized by one invocation. */
export interface BatchKey {
  readonly merchantId: string;
  /** Start of the bucket in which the rows were received, UTC milliseconds. */
  readonly minuteMs: number;
  /** Shard of the minute in which the rows are counted; 0 but for large merchants. */
  readonly shard: number;
  /** 8 random base64url characters. */
  readonly id: string;
}

/** Where the outcomes of a row are written. */
export interface BatchPlace {
  readonly batch: BatchKey;
  /** Index of the row in the manifest. */
  readonly position: number;
}

export interface ManifestRow {
  readonly channel: Channel;
  readonly eventId: string;
  readonly ingestId: string;
  /** Canonical event name: deliveries are counted by it. */
  readonly name: string;
  /** Places at platforms (target.ts) that are to have the event; never empty. */
  readonly targets: readonly string[];
  /** In batches of earlier releases: a digest of a purchase's order id. Orders are items of their own now. */
  readonly order?: string;
}

/** What the rows of a batch share. Written once, before its rows name the batch, and never changed. */
export interface Manifest {
  readonly batch: BatchKey;
  /** Version of the routing snapshot the verdicts of all rows were decided under. */
  readonly routingVersion: number;
  readonly rows: readonly ManifestRow[];
  /** What the rows count for, but for deliveries that are pending. */
  readonly counters: BucketCounters;
}

/** Positions with equal deliveries. No position is in two groups of one item. */
export interface OutcomeGroup {
  readonly positions: readonly number[];
  readonly delivery: Delivery;
}

/**
 * The outcomes of a batch's rows at one place of a platform. A position in no group is QUEUED. One item; each step is
 * one conditional write.
 */
export interface BatchOutcomes {
  readonly batch: BatchKey;
  readonly platform: string;
  /** Moves with every write; 0 where there is no item yet. */
  readonly version: number;
  readonly groups: readonly OutcomeGroup[];
  /** Earliest time at which a group must be looked at again; absent when none must. */
  readonly dueAtMs?: number;
  /** How often the sweeper had to look; backs the next look off. */
  readonly sweeps: number;
}

/** Batches hold rows of their own merchant and bucket only. */
export function batchOf(
  { key, receivedAtMs, shard = 0 }: Pick<EventRow, 'key' | 'receivedAtMs' | 'shard'>,
  id: string,
): BatchKey {
  return { merchantId: key.merchantId, minuteMs: bucketStartOf(receivedAtMs, shard), shard, id };
}

/** Injective: no part can run into the next, since a merchant's id stands last. */
export function batchId({ merchantId, minuteMs, shard, id }: BatchKey): string {
  return `${minuteMs}/${shard}/${id}/${merchantId}`;
}
