import { afterAll, beforeAll, vi } from 'vitest';
import { createErasureStore } from '#lib/adapters/dynamodb/events/tasks/erasure-store.ts';
import { type ConfigTable, EMULATOR_ENV, openConfigTable } from './config-table.ts';
import { erasureStoreConformance } from './erasure-store.suite.ts';

let opened: ConfigTable | undefined;
beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  opened = await openConfigTable();
});
afterAll(() => opened?.close());

erasureStoreConformance('DynamoDB', async () => {
  if (opened === undefined) throw new Error('the table is not open');
  return createErasureStore(opened.db, opened.table);
});
