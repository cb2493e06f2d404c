import { afterAll, beforeAll } from 'vitest';
import { createAttributionStore } from '#lib/adapters/dynamodb/events/attribution-store.ts';
import { attributionStoreConformance } from './attribution-store.suite.ts';
import { type EmulatedTable, openTable } from './emulated-table.ts';

let opened: EmulatedTable;
beforeAll(async () => {
  opened = await openTable('analytics');
});
afterAll(() => opened.close());

attributionStoreConformance('DynamoDB', async () => createAttributionStore(opened.db, opened.table));
