// The rows of a batch at one platform. A manifest may claim rows in vain: only a row that says so itself belongs to it, and
// only of such a row a fate is ever written.
import type { Manifest, ManifestRow } from '../domain/batch.ts';
import { batchId } from '../domain/batch.ts';
import { targetsOf } from '../domain/delivery-progress.ts';
import type { EventKey, EventRow, NormalizedRow } from '../domain/event-row.ts';
import type { EventStore } from '../ports/event-store.ts';
import { readRows, rowId } from './read-rows.ts';

/** By position. `positions`: those wanted; absent: all. A row that does not look like the batch's yet is read again. */
export async function readPlacedRows(
  manifest: Manifest,
  platform: string,
  positions: readonly number[] | undefined,
  events: Pick<EventStore, 'readMany'>,
): Promise<ReadonlyMap<number, NormalizedRow>> {
  const wanted = new Map<string, number>();
  const keys: EventKey[] = [];
  for (const position of positions ?? manifest.rows.keys()) {
    const row = manifest.rows[position];
    if (row === undefined || !row.targets.includes(platform)) continue;
    const key = keyOf(row, manifest);
    wanted.set(rowId(key), position);
    keys.push(key);
  }
  const positionOf = (row: EventRow): number => wanted.get(rowId(row.key)) ?? -1;
  const isReady = (row: EventRow): row is NormalizedRow =>
    row.state === 'normalized' &&
    isPlaced(row, manifest, positionOf(row)) &&
    targetsOf(row).includes(platform);
  const { rows } = await readRows(keys, events, { isReady });
  return new Map(rows.filter(isReady).map((row) => [positionOf(row), row]));
}

const keyOf = ({ channel, eventId }: ManifestRow, { batch }: Manifest): EventKey => ({
  merchantId: batch.merchantId,
  channel,
  eventId,
});

function isPlaced({ place, ingestId }: NormalizedRow, { batch, rows }: Manifest, position: number): boolean {
  return (
    place !== undefined &&
    batchId(place.batch) === batchId(batch) &&
    place.position === position &&
    ingestId === rows[position]?.ingestId
  );
}
