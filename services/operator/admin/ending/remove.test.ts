// Goal: of a removed merchant nothing opens any more, wherever the removal was broken off, and no other merchant is met.
// Method: the operator's function over emulated tables with real vaults; each of its writes fails once, before or after it was done.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createDayKeyStore } from '#lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createMemberStore } from '#lib/adapters/dynamodb/core/tenancy/members.ts';
import { createBillingStore } from '#lib/adapters/dynamodb/events/billing-store.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createEventVault } from '#lib/adapters/vault/event-vault.ts';
import { createVault } from '#lib/adapters/vault/vault.ts';
import { hashApiKey } from '#lib/core/tenancy/api-key.ts';
import { keyCaller, sessionCaller } from '#lib/core/tenancy/authenticate.ts';
import { EVENTS_ACCESS } from '#lib/events/domain/scopes.ts';
import { PLAIN_WRAPPER } from '#test/support/memory/event-vault.ts';
import { OPERATED_MS, type OperatorTables, openOperator } from '#test/support/operator.ts';
import { openTerminal } from '#test/support/terminal.ts';
import type { MerchantView } from '../look.ts';

interface Answered {
  readonly changed: boolean;
  readonly removed: { readonly since: string; readonly by: string };
  readonly ended: Readonly<Record<'connections' | 'people' | 'keys' | 'days', number>>;
  readonly merchant: MerchantView;
  readonly details: readonly { readonly path: string; readonly message: string }[];
}
interface Created {
  readonly merchant: { readonly id: string };
  readonly owner: { readonly subject: string };
  readonly keys: readonly { readonly id: string; readonly secret: string }[];
}

let tables: OperatorTables;
let asked: ReturnType<Awaited<ReturnType<typeof openOperator>>['operator']>;
let shop: Made;
let other: Made;
beforeEach(async () => {
  const opened = await openOperator();
  ({ tables } = opened);
  asked = opened.operator();
  [shop, other] = [await make('Shop'), await make('Other')];
  return () => tables.close();
});

const clock = { now: () => OPERATED_MS };
const row = (merchantId: string) => ({ merchantId, atMs: OPERATED_MS, name: 'n' });
/** A process of its own: it has no key in memory. */
const vaults = () => {
  const vault = createVault({
    wrapper: PLAIN_WRAPPER,
    keys: createDataKeyStore(tables.db, tables.table),
    clock,
  });
  const dayKeys = createDayKeyStore(tables.db, tables.table);
  return { vault, eventVault: createEventVault({ vault, dayKeys, clock }) };
};

async function make(name: string) {
  const owner = `${name}@shop.example`;
  const { body } = await asked.ask<Created>({ name, owner, keys: ['send', 'admin', 'helpdesk'] });
  const { id } = body.merchant;
  const { vault, eventVault } = vaults();
  const credentials = await vault.seal(id, 'credentials', 'EAA');
  const personal = await eventVault.sealText(row(id), 'jane@example.com');
  for (let n = 0; n < 60; n++)
    await tables.db.send(
      new PutCommand({ TableName: tables.table, Item: { pk: `TASKS#${id}`, sk: `ORDERS#${id}#0#1#${n}` } }),
    );
  const draft = { merchantId: id, name: '', sealedCredentials: credentials };
  for (const [at, platform] of ['meta', 'tiktok'].entries())
    await connections().putConnection({ ...draft, platform, newId: `con_${name}_${at}` }, OPERATED_MS);
  return { ...body, id, credentials, personal };
}
type Made = Awaited<ReturnType<typeof make>>;
const connections = () => createConnectionStore(tables.db, tables.table);

const ask = (verb: string, body: object = {}, id = shop.id) =>
  asked.ask<Answered>({ merchant: id, ...body }, { path: `merchants/${verb}` });
const suspend = () => ask('suspend', { reason: 'is about to be removed' });
const logOf = async (id: string) => (await asked.audit.listAudit(id, 50)).map(({ action }) => action);

const byKey = ({ keys }: Made) =>
  keyCaller(keys[0]?.secret ?? '', EVENTS_ACCESS, {
    config: { ...asked.ports.keys.evk, memberships: async () => [] },
    clock,
  });
const bySession = ({ owner }: Made) =>
  sessionCaller('token', undefined, EVENTS_ACCESS, {
    config: { apiKey: async () => null, ...createMemberStore(tables.db, tables.table) },
    sessions: { verify: async () => ({ sub: owner.subject }) },
    clock,
  });

async function expectWhole(made: Made) {
  const { vault, eventVault } = vaults();
  expect(await vault.open(made.id, 'credentials', made.credentials)).toBe('EAA');
  expect(await eventVault.openText(row(made.id), made.personal)).toBe('jane@example.com');
  expect([(await byKey(made))?.kind, (await bySession(made))?.kind]).toEqual(['key', 'session']);
  expect(await connections().listConnections(made.id)).toHaveLength(2);
  expect((await tables.keys()).filter((key) => key.startsWith(`TASKS#${made.id} `))).toHaveLength(60);
}

async function expectGone(made: Made) {
  const { vault, eventVault } = vaults();
  await expect(vault.open(made.id, 'credentials', made.credentials)).rejects.toThrow('no data key');
  expect(await eventVault.openText(row(made.id), made.personal)).toBeNull();
  for (const { secret } of made.keys)
    for (const store of Object.values(asked.ports.keys)) {
      const key = await store.apiKey(hashApiKey(secret));
      expect(key === null || key.revokedAtMs !== undefined).toBe(true);
    }
  expect(await byKey(made)).not.toMatchObject({ kind: 'key' });
  expect(await bySession(made)).not.toMatchObject({ kind: 'session' });
  expect(await connections().listConnections(made.id)).toEqual([]);
  expect(await asked.ports.config.team(made.id)).toEqual({ members: [], invitations: [] });
  const { merchant } = (await ask('show', {}, made.id)).body;
  expect(merchant).toMatchObject({ state: 'removed', name: 'removed', owners: [], platforms: [] });
  const left = (await tables.keys()).filter(
    (key) => key.includes(made.id) && /DATAKEY|DAYKEY|TASKS/.test(key),
  );
  expect(left).toEqual([]);
}

describe('a removed merchant', () => {
  it('has nothing that opens, and another one has all it had', async () => {
    await suspend();
    const { status, body } = await ask('remove');
    expect([status, body]).toMatchObject([
      200,
      {
        changed: true,
        removed: { by: 'operator:anna' },
        ended: { connections: 2, people: 1, keys: 3, days: 1 },
      },
    ]);
    await expectGone(shop);
    await expectWhole(other);
    expect((await logOf(shop.id)).filter((action) => action === 'merchant.remove')).toHaveLength(1);
    expect(await logOf(other.id)).not.toContain('merchant.remove');
  });

  it('says so a second time, and ends what has come up since', async () => {
    await suspend();
    await ask('remove');
    await vaults().eventVault.sealText(row(shop.id), 'late');
    const { status, body } = await ask('remove');
    expect([status, body]).toMatchObject([
      200,
      { changed: false, removed: { by: 'operator:anna' }, ended: { keys: 0, days: 1 } },
    ]);
    await expectGone(shop);
    expect((await logOf(shop.id)).filter((action) => action === 'merchant.remove')).toHaveLength(1);
  });

  it('stays so: it is not resumed, made again, given people or changed in its name', async () => {
    await suspend();
    await ask('remove');
    const again = { name: 'Shop', owner: 'new@shop.example', id: shop.id, keys: ['send'] };
    const anna = { merchant: shop.id, email: 'anna@shop.example', role: 'agent' };
    const refused = [
      await ask('resume'),
      await ask('change'),
      await asked.ask<Answered>(again),
      await asked.ask<Answered>(anna, { path: 'people/invite' }),
    ];
    for (const { status, body } of refused)
      expect([status, body.details[0]?.message]).toEqual([409, expect.stringContaining('has removed')]);
    expect((await ask('suspend', { reason: 'x' })).body.changed).toBe(false);
    await expectGone(shop);
  });

  it('leaves its people free to act for another merchant', async () => {
    await suspend();
    await ask('remove');
    expect(await tables.keys()).not.toContain(`SUB#${shop.owner.subject} MEMBER`);
    expect(await tables.keys()).toContain(`SUB#${other.owner.subject} MEMBER`);
    const anew = { name: 'Anew', owner: 'shop@shop.example', keys: ['send'] };
    expect((await asked.ask(anew)).status).toBe(201);
  });

  it('is removed once, however many ask at the same time', async () => {
    await suspend();
    const all = await Promise.all(Array.from({ length: 4 }, () => ask('remove')));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(all.filter(({ body }) => body.changed)).toHaveLength(1);
    await expectGone(shop);
    await expectWhole(other);
  });
});

it('goes on where it was broken off, whichever call it was', async () => {
  const send = tables.db.send.bind(tables.db);
  /** False where there was no such call. */
  const brokenOff = async (at: number, when: 'before' | 'after'): Promise<boolean> => {
    let calls = 0;
    const failing = async (command: Parameters<typeof send>[0]) => {
      const isIt = calls++ === at;
      if (isIt && when === 'before') throw new Error('broken off');
      const answer = await send(command);
      if (isIt) throw new Error('broken off');
      return answer;
    };
    Object.assign(tables.db, { send: failing });
    await ask('remove');
    Object.assign(tables.db, { send });
    return calls > at;
  };
  let at = 0;
  for (let isBroken = true; isBroken; at += 7) {
    shop = await make(`Shop${at}`);
    await suspend();
    isBroken = await brokenOff(at, at % 2 === 0 ? 'before' : 'after');
    expect((await ask('remove')).status).toBe(200);
    await expectGone(shop);
  }
  expect(at).toBeGreaterThan(60);
  await expectWhole(other);
});

it('is finished by the same command, which exports nothing and asks nothing once it has begun', async () => {
  await suspend();
  const { removeTasks } = asked.ports;
  const failing = async () => await Promise.reject(new Error('broken off'));
  Object.assign(asked.ports, { removeTasks: failing });
  const run = openTerminal(asked);
  expect((await ask('remove')).status).toBe(500);
  expect((await run('merchants', 'list')).out).toMatch(new RegExp(`^${shop.id} +Shop +removing`, 'm'));
  expect((await run('status')).out).toMatch(/Shop +removing/);
  expect((await run('merchants', 'resume', shop.id)).err).toMatch(/has removed/);
  const again = () => run('merchants', 'remove', shop.id, '--export', '/proc/nothing');
  expect(await again()).toMatchObject({ code: 1, err: expect.stringContaining('broken off') });
  Object.assign(asked.ports, { removeTasks });
  expect(await again()).toMatchObject({ code: 0, out: expect.stringMatching(/is removed$/m) });
  await expectGone(shop);
});

describe('a refusal leaves nothing behind', () => {
  it.each([
    ['not suspended', () => ({}), 409, 'merchant', /is not suspended/],
    ['unknown', () => ({ merchant: '6f1c1a52-4a3e-4b8f-9d0a-0a4f5f4d2c11' }), 404, 'merchant', /none of/],
    ['no id', () => ({ merchant: 'M#../%2e' }), 400, 'merchant', /./],
    ['another field', () => ({ keep: true }), 400, 'keep', /not a known/],
  ])('%s', async (_what, body, status, path, sentence) => {
    const before = await tables.keys();
    const refused = await ask('remove', body());
    expect([refused.status, refused.body.details[0]]).toEqual([
      status,
      { path, message: expect.stringMatching(sentence) },
    ]);
    expect(await tables.keys()).toEqual(before);
    await expectWhole(shop);
  });

  it('a subscription that goes on', async () => {
    const billing = createBillingStore(tables.db, tables.table);
    const at = { merchantId: shop.id, version: 1, customerId: 'cus_1', checkoutId: null, updatedAtMs: 1 };
    const subscription = {
      id: 'sub_1',
      status: 'past_due',
      lookupKey: null,
      periodStartMs: 1,
      periodEndMs: 2,
      cancelAtMs: null,
      createdAtMs: 1,
    } as const;
    expect(await billing.writeBilling({ ...at, subscription })).toBe(true);
    await suspend();
    const refused = await ask('remove');
    expect([refused.status, refused.body.details[0]?.message]).toEqual([
      409,
      expect.stringContaining('cancel it'),
    ]);
    expect((await ask('show')).body.merchant.state).toBe('suspended');
    await billing.writeBilling({ ...at, version: 2, subscription: { ...subscription, status: 'canceled' } });
    expect((await ask('remove')).status).toBe(200);
  });
});
