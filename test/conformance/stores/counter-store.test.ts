import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { packCounters } from '#lib/adapters/dynamodb/events/rows/event-codec.ts';
import { EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { SOURCES_MAX } from '#lib/events/domain/analytics/sum.ts';
import { type BucketKey, CountersTooLarge } from '#lib/events/ports/counter-store.ts';
import { createMemoryTables } from '../../support/memory/tables.ts';
import { freshMerchant, T0 } from './event-rows.ts';

const { db } = createMemoryTables();
const store = createCounterStore(db, 'analytics');
const key = (): BucketKey => ({ merchantId: freshMerchant(), grain: 'minute', startMs: T0 });

it('reads counters of an earlier release, which name any number of sources, as a count of today has them', async () => {
  const slot = key();
  const bySource = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`source-${1_000 + i}`, 2]));
  await db.send(
    new UpdateCommand({
      TableName: 'analytics',
      Key: { pk: `${slot.merchantId}#minute`, sk: new Date(T0).toISOString() },
      UpdateExpression: 'SET v = :v, c = :c',
      ExpressionAttributeValues: {
        ':v': 1,
        ':c': packCounters({ ...EMPTY_COUNTERS, events: 2_000, bySource }),
      },
    }),
  );
  const read = (await store.read(slot))?.counters;
  expect(read?.events).toBe(2_000);
  expect(Object.keys(read?.bySource ?? {})).toHaveLength(SOURCES_MAX + 1);
  expect(read?.bySource.other).toBe(2 * (1_000 - SOURCES_MAX));
});

it('says of counters that no item holds that they are too large, before it asks the table', async () => {
  const issues = Object.fromEntries(
    Array.from({ length: 60_000 }, (_, i) => [Math.imul(i + 1, 2_654_435_761).toString(36) + i, i]),
  );
  const row = { key: key(), version: 1, counters: { ...EMPTY_COUNTERS, issues } };
  await expect(store.write(row)).rejects.toThrow(CountersTooLarge);
});
