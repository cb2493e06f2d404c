import { afterAll, beforeAll } from 'vitest';
import { createCounterStore } from '../../../lib/adapters/dynamodb/events/counter-store.ts';
import { counterStoreConformance } from './counter-store.suite.ts';
import { type EmulatedTable, openTable } from './emulated-table.ts';

let opened: EmulatedTable;
beforeAll(async () => {
  opened = await openTable('analytics');
});
afterAll(() => opened.close());

counterStoreConformance('DynamoDB', async () => createCounterStore(opened.db, opened.table));
