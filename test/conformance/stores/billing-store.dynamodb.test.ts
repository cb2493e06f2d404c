import { afterAll, beforeAll, vi } from 'vitest';
import { createBillingStore } from '#lib/adapters/dynamodb/events/billing-store.ts';
import { billingConformance } from './billing-store.suite.ts';
import { type ConfigTable, EMULATOR_ENV, openConfigTable } from './config-table.ts';

let opened: ConfigTable | undefined;
beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  opened = await openConfigTable();
});
afterAll(() => opened?.close());

billingConformance('DynamoDB', () => {
  if (opened === undefined) throw new Error('the table is not open');
  return createBillingStore(opened.db, opened.table);
});
