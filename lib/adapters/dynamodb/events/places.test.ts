// Promise: what is stored of several connections to one platform comes back as it was, from rows, batches and the due index.
import { expect, it } from 'vitest';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { parkedFor } from '#lib/events/domain/deliveries/progress.ts';
import { normalizedRow } from '#test/contract/stored-rows.ts';
import { batchItemKey, parseBatchItemKey } from './batches/item.ts';
import { fromItem, toItem } from './rows/event-item.ts';

const PARKED: Delivery = {
  state: 'RETRY',
  attempts: 0,
  unknowns: 0,
  updatedAtMs: Date.UTC(2026, 10, 20, 12),
  nextAttemptAtMs: Date.UTC(2026, 10, 27),
  reason: 'connection_paused',
  history: [],
};

it('keeps verdicts and deliveries of each place, and for which of them the row is parked', () => {
  const row = normalizedRow({
    eventId: 'e',
    verdicts: { meta: 'pending', 'meta#2': 'pending', 'meta#3': 'unmapped:a,b=c#d', ga4: 'pending' },
    deliveries: { meta: PARKED, 'meta#2': PARKED },
  });
  const waiting = { ...row, dueAtMs: PARKED.nextAttemptAtMs ?? 0, parkedFor: parkedFor(row) ?? '' };
  expect(waiting.parkedFor).toBe('meta+meta#2');
  expect(fromItem(toItem(waiting))).toEqual(waiting);
});

it('keeps outcomes of each place apart', () => {
  const batch = { merchantId: 'a#b', minuteMs: Date.UTC(2026, 10, 20, 12), shard: 3, id: 'abcd-_12' };
  const keys = ['meta', 'meta#2', undefined].map((slot) => batchItemKey(batch, slot));
  expect(new Set(keys.map(({ sk }) => sk)).size).toBe(3);
  expect(keys.map(parseBatchItemKey)).toEqual([
    { batch, platform: 'meta' },
    { batch, platform: 'meta#2' },
    { batch },
  ]);
});
