import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { batchItemKey } from '#lib/adapters/dynamodb/events/batches/item.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { type EmulatedTable, openTable } from './emulated-table.ts';
import { joinedEventStoreConformance } from './joined-event-store.suite.ts';

let events: EmulatedTable;
let batches: EmulatedTable;
beforeAll(async () => {
  [events, batches] = await Promise.all([openTable('events'), openTable('batches')]);
});
afterAll(() => Promise.all([events.close(), batches.close()]));

joinedEventStoreConformance('DynamoDB', () => ({
  events: createEventStore(events.db, events.table),
  batches: createBatchStore(batches.db, batches.table),
  spoil: async (batch, platform) => {
    await batches.db.send(
      new UpdateCommand({
        TableName: batches.table,
        Key: batchItemKey(batch, platform),
        UpdateExpression: 'REMOVE g',
      }),
    );
  },
}));
