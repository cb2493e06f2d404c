// The place of a row in its batch as one short text. Merchant, minute and shard are the row's own: a batch has no others.
//   <batch, 8 characters><position, 2 digits of base 36>

import { minuteOf } from '../../../core/work/time-slot.ts';
import type { BatchPlace } from '../../../events/domain/batch.ts';
import type { EventRow } from '../../../events/domain/event-row.ts';
import { shardOf } from '../../../events/domain/shard.ts';
import { must } from '../core/unreadable.ts';

const PLACE = /^([\w-]{8})([0-9a-z]{2})$/;

type Placed = Pick<EventRow, 'key' | 'receivedAtMs' | 'shard'>;

/** Throws where the place is not one this row can have. */
export function packPlace({ batch, position }: BatchPlace, row: Placed): string {
  const text = batch.id + position.toString(36).padStart(2, '0');
  const own = batchOf(row, batch.id);
  const isOwn =
    batch.merchantId === own.merchantId && batch.minuteMs === own.minuteMs && batch.shard === own.shard;
  if (!PLACE.test(text) || !isOwn)
    throw new RangeError('a row lies in a batch of its own merchant, minute and shard');
  return text;
}

/** Throws on another text. */
export function unpackPlace(text: string, row: Placed): BatchPlace {
  const [, id = '', position = ''] = PLACE.exec(text) ?? [];
  must(id !== '', 'place');
  return { batch: batchOf(row, id), position: Number.parseInt(position, 36) };
}

const batchOf = (row: Placed, id: string): BatchPlace['batch'] => ({
  merchantId: row.key.merchantId,
  minuteMs: minuteOf(row.receivedAtMs),
  shard: shardOf(row),
  id,
});
