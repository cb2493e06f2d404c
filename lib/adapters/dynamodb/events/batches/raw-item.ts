// One item of a batch as stored, for an operator who has to find out why it cannot be read.
import type { BatchKey, BatchOutcomes, Manifest } from '#lib/events/domain/deliveries/batch.ts';
import { type Db, getItem } from '../../core/items/commands.ts';
import { decodeBatchItems } from './decoder.ts';
import { batchItemKey } from './item.ts';

export interface RawBatchItem {
  /** Attributes as stored; bytes as `Uint8Array`. */
  readonly item: Record<string, unknown>;
  /** The item as decoded, or why it cannot be. */
  readonly read?: Manifest | BatchOutcomes;
  readonly problem?: string;
}

/** Consistent read; null if there is no such item. Without a platform: the manifest. */
export async function readRawBatchItem(
  db: Db,
  table: string,
  batch: BatchKey,
  platform?: string,
): Promise<RawBatchItem | null> {
  const item = await getItem({ db, table }, batchItemKey(batch, platform));
  if (item === undefined) return null;
  const { manifests, outcomes, unreadable } = decodeBatchItems([item], () => {});
  const [read] = [...manifests, ...outcomes];
  return read === undefined ? { item, problem: unreadable[0]?.problem ?? 'unknown' } : { item, read };
}
