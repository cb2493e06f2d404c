// The place of a row in its batch as one short text. Merchant and minute are the row's own: a batch has no others.
//   <batch, 8 characters><position, 2 digits of base 36>[<shard, base 36; absent: 0>]

import { minuteOf } from '../../../core/work/time-slot.ts';
import type { BatchPlace } from '../../../events/domain/batch.ts';
import type { EventKey } from '../../../events/domain/event-row.ts';
import { must } from '../core/unreadable.ts';

const PLACE = /^([\w-]{8})([0-9a-z]{2})([0-9a-z]{0,6})$/;

/** Throws where the place is not one a row of this merchant and time can have. */
export function packPlace(place: BatchPlace, { merchantId }: EventKey, receivedAtMs: number): string {
  const { batch, position } = place;
  const shard = batch.shard === 0 ? '' : batch.shard.toString(36);
  const text = `${batch.id}${position.toString(36).padStart(2, '0')}${shard}`;
  if (!PLACE.test(text) || batch.merchantId !== merchantId || batch.minuteMs !== minuteOf(receivedAtMs))
    throw new RangeError('a row lies in a batch of its own merchant and minute');
  return text;
}

/** Throws on another text. */
export function unpackPlace(text: string, { merchantId }: EventKey, receivedAtMs: number): BatchPlace {
  const [, id = '', position = '', shard = ''] = PLACE.exec(text) ?? [];
  must(id !== '', 'place');
  const batch = {
    merchantId,
    minuteMs: minuteOf(receivedAtMs),
    shard: shard === '' ? 0 : Number.parseInt(shard, 36),
    id,
  };
  return { batch, position: Number.parseInt(position, 36) };
}
