// The command before an emulated table.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createMemberStore } from '#lib/adapters/dynamodb/core/tenancy/members.ts';
import { type ConfigTable, EMULATOR_ENV, openConfigTable } from '#test/conformance/stores/config-table.ts';
import { formerKey } from '#test/support/earlier-release.ts';
import { DEPLOYMENT, openTerminal } from '#test/support/terminal.ts';

let opened: ConfigTable;
beforeAll(async () => {
  opened = await openConfigTable();
});
beforeEach(() => {
  for (const [name, value] of Object.entries({ ...EMULATOR_ENV, AWS_ENDPOINT_URL: opened.endpoint }))
    vi.stubEnv(name, value);
});
afterAll(() => opened.close());

const ask = async () => await Promise.reject(new Error('asked'));
const run = (tables: Readonly<Record<string, string>> = { config: opened.table }) =>
  openTerminal({ ask }, undefined, { find: async () => ({ ...DEPLOYMENT, tables }) })(
    'migrate',
    'partitions',
  );
const put = (merchantId: string, attributes: object) =>
  opened.db.send(
    new PutCommand({ TableName: opened.table, Item: { ...formerKey(merchantId, 'TEAM'), ...attributes } }),
  );

it('says what it moved, that nothing was left, and what it could not move', async () => {
  expect(await run({})).toMatchObject({ code: 1, err: 'This deployment names no table of merchants.\n' });
  const team = { members: [{ sub: 'ada', role: 'owner', joinedAtMs: 1 }], invitations: [] };
  await put('shop', { v: 1, team });
  expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining('Moved 1 teams') });
  expect(await createMemberStore(opened.db, opened.table).team('shop')).toEqual(team);
  expect(await run()).toMatchObject({ code: 0, out: 'Nothing was left.\n' });
  await put('broken', { team });
  expect(await run()).toMatchObject({ code: 1, out: expect.stringContaining('M#broken TEAM') });
});
