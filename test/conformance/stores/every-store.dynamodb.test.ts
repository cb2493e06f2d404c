import { afterAll, beforeAll } from 'vitest';
import { type EmulatedTables, openTables } from './emulated-table.ts';
import { storesConformance, TESTED_TABLES } from './every-store.ts';

let opened: EmulatedTables;
beforeAll(async () => {
  opened = await openTables(TESTED_TABLES);
});
afterAll(() => opened.close());

storesConformance('DynamoDB', () => opened);
