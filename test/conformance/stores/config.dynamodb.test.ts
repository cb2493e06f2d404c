import { afterAll, beforeAll, vi } from 'vitest';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createDayKeyStore } from '#lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createConfigStores } from '#lib/adapters/dynamodb/events/routing/config-stores.ts';
import { createSeededRandom } from '../../support/memory/random.ts';
import { configConformance } from './config.suite.ts';
import { type ConfigTable, EMULATOR_ENV, openConfigTable } from './config-table.ts';
import { dayKeyConformance } from './day-keys.suite.ts';
import { tenancyConformance } from './tenancy.suite.ts';

let opened: ConfigTable | undefined;
beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  opened = await openConfigTable();
});
afterAll(() => opened?.close());

function table(): ConfigTable {
  if (opened === undefined) throw new Error('the table is not open');
  return opened;
}
const open = async () => {
  const { db, table: name } = table();
  return {
    config: createConfigStores(db, name, createSeededRandom('keys')),
    dataKeys: createDataKeyStore(db, name),
  };
};

configConformance('DynamoDB', open);
tenancyConformance('DynamoDB', async () => (await open()).config);
dayKeyConformance('DynamoDB', () => {
  const { db, table: name } = table();
  return createDayKeyStore(db, name);
});
