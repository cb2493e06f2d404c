import { afterAll, beforeAll, vi } from 'vitest';
import { createApiKeyStore } from '#lib/adapters/dynamodb/core/keys/api-keys.ts';
import { createSeededRandom } from '../../support/memory/random.ts';
import { type ConfigTable, EMULATOR_ENV, openConfigTable } from './config-table.ts';
import { keyProductsConformance } from './key-products.suite.ts';

let opened: ConfigTable | undefined;
beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  opened = await openConfigTable();
});
afterAll(() => opened?.close());

keyProductsConformance('DynamoDB', () => {
  if (opened === undefined) throw new Error('the table is not open');
  const { db, table } = opened;
  const random = createSeededRandom('keys');
  return { evk: createApiKeyStore(db, table, random), hdk: createApiKeyStore(db, table, random, 'hdk') };
});
