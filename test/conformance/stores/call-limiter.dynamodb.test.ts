import { afterAll, beforeAll } from 'vitest';
import { createCallLimiter } from '#lib/adapters/dynamodb/core/limits/call-limiter.ts';
import { callLimiterConformance } from './call-limiter.suite.ts';
import { type EmulatedTable, openTable } from './emulated-table.ts';

let opened: EmulatedTable | undefined;
beforeAll(async () => {
  opened = await openTable('rates');
});
afterAll(() => opened?.close());

callLimiterConformance('DynamoDB', () => {
  if (opened === undefined) throw new Error('the table is not open');
  return createCallLimiter(opened.db, opened.table);
});
