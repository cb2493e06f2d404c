import { afterAll, beforeAll, vi } from 'vitest';
import { createReplayStore } from '#lib/adapters/dynamodb/events/tasks/replay-store.ts';
import { type ConfigTable, EMULATOR_ENV, openConfigTable } from './config-table.ts';
import { replayStoreConformance } from './replay-store.suite.ts';

let opened: ConfigTable | undefined;
beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  opened = await openConfigTable();
});
afterAll(() => opened?.close());

replayStoreConformance('DynamoDB', async () => {
  if (opened === undefined) throw new Error('the table is not open');
  return createReplayStore(opened.db, opened.table);
});
