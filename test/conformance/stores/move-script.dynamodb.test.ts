// `npm run move:partitions` as an operator calls it.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createMemberStore } from '#lib/adapters/dynamodb/core/tenancy/members.ts';
import { formerKey } from '../../support/earlier-release.ts';
import { type ConfigTable, EMULATOR_ENV, openConfigTable } from './config-table.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/move-partitions.ts', import.meta.url));

let opened: ConfigTable;
beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  opened = await openConfigTable();
});
afterAll(() => opened.close());

const run = async (...args: string[]): Promise<{ code: number; text: string }> => {
  const env = { ...process.env, ...EMULATOR_ENV, AWS_ENDPOINT_URL: opened.endpoint, CONFIG_TABLE: '' };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, ...args], { env });
    return { code: 0, text: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, text: stderr };
  }
};
const put = (merchantId: string, attributes: object) =>
  opened.db.send(
    new PutCommand({ TableName: opened.table, Item: { ...formerKey(merchantId, 'TEAM'), ...attributes } }),
  );

it('says what it moved, that nothing was left, and what it could not move', async () => {
  expect(await run()).toEqual({ code: 1, text: '--table is missing\n' });
  const table = ['--table', opened.table];
  const team = { members: [{ sub: 'ada', role: 'owner', joinedAtMs: 1 }], invitations: [] };
  await put('shop', { v: 1, team });
  expect(await run(...table)).toMatchObject({ code: 0, text: expect.stringContaining('Moved 1 teams') });
  expect(await createMemberStore(opened.db, opened.table).team('shop')).toEqual(team);
  expect(await run(...table)).toEqual({ code: 0, text: 'Nothing was left.\n' });
  await put('broken', { team });
  expect(await run(...table)).toMatchObject({ code: 1, text: expect.stringContaining('M#broken TEAM') });
});
