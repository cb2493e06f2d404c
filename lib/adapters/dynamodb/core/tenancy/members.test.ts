// Goal: the release before knows one item of a person, `MEMBER`, and finds in it the merchant of a person who has one. Method: what
// is in the table, key by key.
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { createMemoryTables } from '#test/support/memory/tables.ts';
import { createMemberStore } from './members.ts';

const T0 = Date.UTC(2026, 10, 20);
const MINUTE_MS = 60_000;

function open() {
  const { db } = createMemoryTables();
  const members = createMemberStore(db, 'config');
  const items = async () => {
    const { Items: all = [] } = await db.send(new ScanCommand({ TableName: 'config' }));
    return Object.fromEntries(
      all.filter(({ pk }) => pk === 'SUB#ada').map(({ sk, merchantId }) => [sk, merchantId]),
    );
  };
  const leave = (merchantId: string) =>
    members.changeTeam(merchantId, () => ({ team: { members: [], invitations: [] }, result: null }));
  return { db, members, items, leave };
}

it('puts the first merchant where the release before looks, and others beside it', async () => {
  const { members, items, leave } = open();
  for (const merchantId of ['one', 'two']) await members.putMember({ sub: 'ada', merchantId, role: 'owner' });
  expect(await items()).toEqual({ MEMBER: 'one', 'MEMBER#1': 'two' });
  expect(await members.claimSubject('ada', 'two', T0)).toBe(true);
  await leave('one');
  // The first place is free again, and the next merchant takes it.
  expect(await members.claimSubject('ada', 'three', T0 + MINUTE_MS)).toBe(true);
  expect(await items()).toEqual({ MEMBER: 'three', 'MEMBER#1': 'two' });
});

it('finds a merchant that is not in the first place, and forgets one that is removed', async () => {
  const { members, items, leave } = open();
  for (const merchantId of ['one', 'two', 'three'])
    await members.putMember({ sub: 'ada', merchantId, role: 'owner' });
  await leave('one');
  await members.releaseSubject('ada', 'three');
  expect(await items()).toEqual({ MEMBER: 'one', 'MEMBER#1': 'two' });
  const named = (await members.memberships('ada')).map(({ merchantId }) => merchantId);
  expect(named).toEqual(['two']);
});

it('of one item that cannot be read: whoever names another merchant is served', async () => {
  const { db, members, items } = open();
  for (const merchantId of ['one', 'two']) await members.putMember({ sub: 'ada', merchantId, role: 'owner' });
  const Item = { pk: 'SUB#ada', sk: 'MEMBER#1', merchantId: 7 };
  await db.send(new PutCommand({ TableName: 'config', Item }));
  expect(await members.memberships('ada', 'one')).toMatchObject([{ merchantId: 'one' }]);
  await expect(members.memberships('ada')).rejects.toThrow('further membership');
  await expect(members.memberships('ada', 'two')).rejects.toThrow('further membership');
  await expect(members.claimSubject('ada', 'three', T0)).rejects.toThrow('further membership');
  await members.releaseSubject('ada', 'one');
  expect(await items()).toEqual({ 'MEMBER#1': 7 });
});
