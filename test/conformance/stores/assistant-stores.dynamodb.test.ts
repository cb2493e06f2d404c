import { afterAll, beforeAll } from 'vitest';
import { createDailyBudget } from '#lib/adapters/dynamodb/core/limits/daily-budget.ts';
import { createOneTimeStore } from '#lib/adapters/dynamodb/core/one-time-store.ts';
import { assistantConformance } from './assistant-stores.suite.ts';
import { type EmulatedTable, openTable } from './emulated-table.ts';

let opened: EmulatedTable | undefined;
beforeAll(async () => {
  opened = await openTable('rates');
});
afterAll(() => opened?.close());

assistantConformance('DynamoDB', () => {
  if (opened === undefined) throw new Error('the table is not open');
  const { db, table } = opened;
  return { confirmations: createOneTimeStore(db, table), perDay: createDailyBudget(db, table) };
});
