// The batches table as its users see it. Every method that writes is one write to one item.
// Guarantees: an item that cannot be read is told apart from the items beside it.
import type { BatchKey, BatchOutcomes, Manifest } from '../domain/deliveries/batch.ts';
import type { DueIndex } from './due-index.ts';
import type { Consistency } from './event-store.ts';

export interface OutcomesKey {
  readonly batch: BatchKey;
  readonly platform: string;
}

/** An item that cannot be read: it stays as it is, a release that knows its format will read it. */
export interface UnreadableBatchItem {
  readonly batch: BatchKey;
  /** Absent: the manifest. */
  readonly platform?: string;
  readonly problem: string;
  readonly dueAtMs?: number;
  /** Of the index entry: the platform, where some of its fates were parked. */
  readonly parkedFor?: string;
  readonly sweeps: number;
}

export interface BatchItems {
  readonly manifests: readonly Manifest[];
  readonly outcomes: readonly BatchOutcomes[];
  readonly unreadable: readonly UnreadableBatchItem[];
}

/** Its due index has outcome items alone. */
export interface BatchStore extends DueIndex<OutcomesKey> {
  /** Unconditional: a batch's id is new. */
  putManifest(manifest: Manifest): Promise<void>;
  /** Missing items are left out; order is not kept. Any number of keys. */
  readMany(
    keys: { readonly manifests?: readonly BatchKey[]; readonly outcomes?: readonly OutcomesKey[] },
    consistency: Consistency,
  ): Promise<BatchItems>;
  /** The same for a manifest and one outcome item of its batch, which lie side by side: read eventually, as one. */
  ofBatch(key: OutcomesKey): Promise<BatchItems>;
  /** All items of a merchant's minute in one shard, read eventually, in pages. */
  ofMinute(query: {
    readonly merchantId: string;
    readonly minuteMs: number;
    readonly shard: number;
    readonly cursor?: string;
  }): Promise<BatchItems & { readonly cursor?: string }>;
  /**
   * Writes `next`, under `seenVersion + 1`, if the item's version is still `seenVersion`; 0 = there is none yet. False is no
   * proof that somebody else wrote: it is also what a write says that was repeated because its answer was lost.
   */
  writeOutcomes(next: BatchOutcomes, seenVersion: number): Promise<boolean>;
  /** Moves the due time of an item that cannot be read, if it is still the one seen, and counts the look. */
  deferUnreadable(seen: UnreadableBatchItem, dueAtMs: number): Promise<boolean>;
}

/** Shards of the due index of batches: one query of every sweep each. */
export const BATCH_DUE_SHARDS = 16;
