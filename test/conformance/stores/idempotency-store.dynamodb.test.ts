import { afterAll, beforeAll } from 'vitest';
import { createIdempotencyStore } from '#lib/adapters/dynamodb/core/idempotency-store.ts';
import { type EmulatedTable, openTable } from './emulated-table.ts';
import { idempotencyConformance } from './idempotency-store.suite.ts';

let opened: EmulatedTable | undefined;
beforeAll(async () => {
  opened = await openTable('rates');
});
afterAll(() => opened?.close());

idempotencyConformance('DynamoDB', () => {
  if (opened === undefined) throw new Error('the table is not open');
  return createIdempotencyStore(opened.db, opened.table);
});
