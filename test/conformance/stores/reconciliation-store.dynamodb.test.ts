import { afterAll, beforeAll, vi } from 'vitest';
import { createReconciliationStore } from '#lib/adapters/dynamodb/events/tasks/reconciliation-store.ts';
import { type ConfigTable, EMULATOR_ENV, openConfigTable } from './config-table.ts';
import { reconciliationStoreConformance } from './reconciliation-store.suite.ts';

let opened: ConfigTable | undefined;
beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  opened = await openConfigTable();
});
afterAll(() => opened?.close());

reconciliationStoreConformance('DynamoDB', async () => {
  if (opened === undefined) throw new Error('the table is not open');
  return createReconciliationStore(opened.db, opened.table);
});
