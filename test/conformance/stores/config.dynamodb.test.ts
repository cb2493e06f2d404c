import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createDataKeyStore } from '../../../lib/adapters/dynamodb/core/data-keys.ts';
import { createDayKeyStore } from '../../../lib/adapters/dynamodb/core/day-keys.ts';
import { createConfigAdmin } from '../../../lib/adapters/dynamodb/events/config-admin.ts';
import { createConfigStore } from '../../../lib/adapters/dynamodb/events/config-store.ts';
import { configConformance } from './config.suite.ts';
import { type ConfigTable, EMULATOR_ENV, openConfigTable } from './config-table.ts';
import { dayKeyConformance } from './day-keys.suite.ts';
import { freshMerchant, T0 } from './event-rows.ts';

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
    config: { ...createConfigStore(db, name), ...createConfigAdmin(db, name) },
    dataKeys: createDataKeyStore(db, name),
  };
};

configConformance('DynamoDB', open);
dayKeyConformance('DynamoDB', () => {
  const { db, table: name } = table();
  return createDayKeyStore(db, name);
});

it('walks around the snapshot of a writer that died before its second write', async () => {
  const { config } = await open();
  const { db, table: name } = table();
  const merchantId = freshMerchant();
  const draft = { merchantId, newId: 'con_1', name: 'x', sealedCredentials: 's' };
  await config.putConnection({ ...draft, platform: 'meta' }, T0);
  const abandoned = { pk: `M#${merchantId}`, sk: 'ROUTING#0000000002', c: [], r: [] };
  await db.send(new PutCommand({ TableName: name, Item: abandoned }));
  expect((await config.currentRouting(merchantId)).version).toBe(1);
  await config.putConnection({ ...draft, newId: 'con_2', platform: 'ga4' }, T0);
  expect(await config.currentRouting(merchantId)).toMatchObject({
    version: 3,
    connections: [{ id: 'con_2' }, { id: 'con_1' }],
  });
  expect(await config.routing(merchantId, 3)).toEqual(await config.currentRouting(merchantId));
});
