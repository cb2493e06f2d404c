// Goal: what one product adds to a profile, and gets wrong, does not keep the others out of it.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type ConfigTable, EMULATOR_ENV, openConfigTable } from '#test/conformance/stores/config-table.ts';
import { createMerchantStore } from '../../events/merchants.ts';
import { profileKey } from '../items/config-item.ts';
import { createProfileStore } from './profiles.ts';

const SHARED = { merchantId: 'm1', name: 'Café', email: 'owner@example.com', createdAtMs: 1 };

let table: ConfigTable;
beforeEach(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  table = await openConfigTable();
  return () => table.close();
});

const put = (merchant: unknown) =>
  table.db.send(new PutCommand({ TableName: table.table, Item: { ...profileKey('m1'), merchant } }));
const shared = () => createProfileStore(table.db, table.table).merchant('m1');

describe('a profile, for every product', () => {
  it('is none where there is no merchant', async () => {
    expect(await shared()).toBeNull();
  });

  it('is read although the settings of one product cannot be', async () => {
    await put({ ...SHARED, onboardingStep: 'done', onboardingCompleted: true, browserIngestion: 'yes' });
    await expect(createMerchantStore(table.db, table.table).merchant('m1')).rejects.toThrow('profile');
    expect(await shared()).toMatchObject(SHARED);
  });

  it('is no missing one where it cannot be read itself', async () => {
    await put({ ...SHARED, name: 7 });
    await expect(shared()).rejects.toThrow('profile');
  });
});
