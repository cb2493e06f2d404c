// The place of a row in its batch as one short text. Merchant, minute and shard are the row's own: a batch has no others.
//   <batch, 8 characters><position, 2 digits of base 36>
import { type BatchPlace, batchId, batchOf } from '#lib/events/domain/deliveries/batch.ts';
import type { EventRow } from '#lib/events/domain/event/row.ts';
import { must } from '../core/items/unreadable.ts';

const PLACE = /^([\w-]{8})([0-9a-z]{2})$/;

type Placed = Pick<EventRow, 'key' | 'receivedAtMs' | 'shard'>;

/** Throws where the place is not one this row can have. */
export function packPlace({ batch, position }: BatchPlace, row: Placed): string {
  const text = batch.id + position.toString(36).padStart(2, '0');
  if (!PLACE.test(text) || batchId(batch) !== batchId(batchOf(row, batch.id)))
    throw new RangeError('a row lies in a batch of its own merchant, minute and shard');
  return text;
}

/** Throws on another text. */
export function unpackPlace(text: string, row: Placed): BatchPlace {
  const [, id = '', position = ''] = PLACE.exec(text) ?? [];
  must(id !== '', 'place');
  return { batch: batchOf(row, id), position: Number.parseInt(position, 36) };
}
