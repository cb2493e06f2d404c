// Items → manifests and outcomes, one at a time: an unreadable item is set aside with its readable facts, and affects
// no other.
import type { BatchKey, BatchOutcomes, Manifest } from '#lib/events/domain/deliveries/batch.ts';
import type { BatchItems, UnreadableBatchItem } from '#lib/events/ports/batch-store.ts';
import type { Item } from '../../core/items/commands.ts';
import { parseDue } from '../../core/items/due-index.ts';
import { countOf, problemOf } from '../../core/items/unreadable.ts';
import { manifestFromItem, outcomesFromItem, parseBatchItemKey } from './item.ts';

export type OnUnreadableBatchItem = (item: UnreadableBatchItem) => void;

export function decodeBatchItems(items: readonly Item[], onUnreadable: OnUnreadableBatchItem): BatchItems {
  const manifests: Manifest[] = [];
  const outcomes: BatchOutcomes[] = [];
  const unreadable: UnreadableBatchItem[] = [];
  for (const item of items) {
    const key = parseBatchItemKey(item);
    // No batch has such a key.
    if (key === null) continue;
    const { batch, platform } = key;
    try {
      if (platform === undefined) manifests.push(manifestFromItem(item, batch));
      else outcomes.push(outcomesFromItem(item, batch, platform));
    } catch (error) {
      unreadable.push(unreadableItem(item, batch, platform, error));
    }
  }
  unreadable.forEach(onUnreadable);
  return { manifests, outcomes, unreadable };
}

function unreadableItem(
  item: Item,
  batch: BatchKey,
  platform: string | undefined,
  error: unknown,
): UnreadableBatchItem {
  const due = parseDue(item.da);
  return {
    batch,
    ...(platform === undefined ? {} : { platform }),
    problem: problemOf(error),
    sweeps: countOf(item.sw),
    ...(due === null ? {} : { dueAtMs: due.atMs }),
    ...(due?.parkedFor === undefined ? {} : { parkedFor: due.parkedFor }),
  };
}
