// The rows of a batch at one platform. A manifest may claim a row without effect: a row belongs to a batch only if the
// row says so, and only then is an outcome written for it.
import type { Manifest, ManifestRow } from '../domain/deliveries/batch.ts';
import { batchId } from '../domain/deliveries/batch.ts';
import { isTargeted } from '../domain/deliveries/progress.ts';
import type { EventKey, EventRow, NormalizedRow } from '../domain/event/row.ts';
import type { EventStore } from '../ports/event-store.ts';
import { readRows, rowId } from './read-rows.ts';

/** By position. `positions`: those wanted; absent: all. A row that does not look like the batch's yet is read again. */
export async function readPlacedRows(
  manifest: Manifest,
  platform: string,
  positions: readonly number[] | undefined,
  events: Pick<EventStore, 'readMany'>,
): Promise<ReadonlyMap<number, NormalizedRow>> {
  const id = batchId(manifest.batch);
  const wanted = new Map<string, number>();
  const keys: EventKey[] = [];
  for (const position of positions ?? manifest.rows.keys()) {
    const row = manifest.rows[position];
    if (row === undefined || !row.targets.includes(platform)) continue;
    const key = keyOf(row, manifest);
    wanted.set(rowId(key), position);
    keys.push(key);
  }
  const isPlaced = ({ key, ingestId, place }: NormalizedRow): boolean =>
    place !== undefined &&
    batchId(place.batch) === id &&
    place.position === wanted.get(rowId(key)) &&
    ingestId === manifest.rows[place.position]?.ingestId;
  const isReady = (row: EventRow): boolean =>
    row.state === 'normalized' && isPlaced(row) && isTargeted(row, platform);
  const { rows } = await readRows(keys, events, { isReady });
  const placed = new Map<number, NormalizedRow>();
  for (const row of rows)
    if (row.state === 'normalized' && row.place !== undefined) placed.set(row.place.position, row);
  return placed;
}

const keyOf = ({ channel, eventId }: ManifestRow, { batch }: Manifest): EventKey => ({
  merchantId: batch.merchantId,
  channel,
  eventId,
});
