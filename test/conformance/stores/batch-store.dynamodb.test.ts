import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { batchItemKey, manifestItem, outcomesItem } from '#lib/adapters/dynamodb/events/batches/item.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { packShared } from '#lib/adapters/dynamodb/events/rows/event-codec.ts';
import type { BatchKey } from '#lib/events/domain/deliveries/batch.ts';
import type { UnreadableBatchItem } from '#lib/events/ports/batch-store.ts';
import { itemSizeBytes } from '../../support/metering/item-size.ts';
import { batchOf, largestManifest, largestOutcomes, manifestOf, outcomesOf } from './batch-items.ts';
import { batchStoreConformance } from './batch-store.suite.ts';
import { type EmulatedTable, openTable } from './emulated-table.ts';
import { delivered, freshMerchant, T0 } from './event-rows.ts';

let opened: EmulatedTable;
beforeAll(async () => {
  opened = await openTable('batches');
});
afterAll(() => opened.close());

const reported: UnreadableBatchItem[] = [];
/** Manifest and outcomes hold their bytes under different names: each item gets both. */
const update =
  (expression: string, values?: Record<string, unknown>) =>
  async (batch: BatchKey, platform?: string): Promise<void> => {
    await opened.db.send(
      new UpdateCommand({
        TableName: opened.table,
        Key: batchItemKey(batch, platform),
        UpdateExpression: expression,
        ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
      }),
    );
  };
const bytes = (value: unknown) => update('SET m = :b, g = :b', { ':b': value });

const SPOILERS = {
  'a format to come': bytes(Buffer.from([250, 1, 2, 3])),
  'garbage bytes': bytes(Buffer.from([4, 0, 0, 4, 255, 254, 253, 252])),
  'no bytes': update('REMOVE m, g'),
  'a text for bytes': bytes('text'),
  'JSON that is nothing': bytes(packShared(null)),
  'JSON of another shape': bytes(packShared([['zz', 'D1;2;'], { v: 1 }])),
  'a position twice': bytes(
    packShared([
      ['1', 'D1;2;'],
      ['3', 'D1;2;'],
    ]),
  ),
  'a fate without numbers': bytes(packShared([['1', 'Dx;y;']])),
  'a fate in an unknown state': bytes(packShared([['1', 'Z1;2;3']])),
};

batchStoreConformance('DynamoDB', Object.keys(SPOILERS), () => ({
  store: createBatchStore(opened.db, opened.table, (item) => void reported.push(item)),
  spoilers: SPOILERS,
}));

it('reports every item it could not read', () => {
  expect(reported.length).toBeGreaterThan(0);
});

it('stays below 400 KB whatever the ids and the answers are, and below 60 bytes a row as a rule', () => {
  const batch = batchOf(freshMerchant());
  expect(itemSizeBytes(manifestItem(largestManifest(batch)))).toBeLessThan(400 * 1_024);
  expect(itemSizeBytes(outcomesItem(largestOutcomes(batch)))).toBeLessThan(400 * 1_024);
  const uuids = Array.from({ length: 100 }, () => freshMerchant());
  const orders = Array.from({ length: 100 }, (_, i) => `order-${100_000 + i * 17}`);
  expect(itemSizeBytes(manifestItem(manifestOf(batch, uuids))) / 100).toBeLessThan(60);
  expect(itemSizeBytes(manifestItem(manifestOf(batch, orders))) / 100).toBeLessThan(35);
  const all = Array.from({ length: 100 }, (_, position) => position);
  const taken = outcomesOf(batch, [{ positions: all, delivery: delivered(T0 + 1_500) }]);
  expect(itemSizeBytes(outcomesItem(taken))).toBeLessThan(300);
});

it('refuses what no row of the bucket can be, before it is stored', async () => {
  const store = createBatchStore(opened.db, opened.table);
  const manifest = manifestOf(batchOf(freshMerchant()));
  const later = { ...manifest, batch: { ...manifest.batch, minuteMs: T0 + 60_000 } };
  await expect(store.putManifest(later)).rejects.toThrow(RangeError);
  const far = outcomesOf(manifest.batch, [{ positions: [100], delivery: delivered(T0) }]);
  await expect(store.writeOutcomes(far, 0)).rejects.toThrow(RangeError);
});
