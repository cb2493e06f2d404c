import { afterAll, beforeAll } from 'vitest';
import { createRowErasure } from '#lib/adapters/dynamodb/events/rows/erased-rows.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { type EmulatedTable, openTable } from './emulated-table.ts';
import { eventStoreConformance } from './event-store.suite.ts';

let opened: EmulatedTable;
beforeAll(async () => {
  opened = await openTable('events');
});
afterAll(() => opened.close());

eventStoreConformance('DynamoDB', async () => ({
  ...createEventStore(opened.db, opened.table),
  ...createRowErasure(opened.db, opened.table),
}));
