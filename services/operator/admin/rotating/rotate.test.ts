// Goal: after a rotation no replaced key opens anything that lasts, and everything opened at every moment of it, in processes that have
// the old key in memory too, wherever it was broken off.
// Method: the command over the operator's function and emulated tables with real vaults; each of its calls of a table fails once.
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createDayKeyStore } from '#lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createKeyRotationStore } from '#lib/adapters/dynamodb/core/keys/key-rotation.ts';
import { createMemberStore } from '#lib/adapters/dynamodb/core/tenancy/members.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createRecordStore } from '#lib/adapters/dynamodb/helpdesk/record-store.ts';
import { WEBHOOKS } from '#lib/adapters/dynamodb/helpdesk/records.ts';
import { createDataKeyCache } from '#lib/adapters/vault/data-key-cache.ts';
import { createEventVault } from '#lib/adapters/vault/event-vault.ts';
import { createRotatedKeys } from '#lib/adapters/vault/rotated-keys.ts';
import { associated, createVault, openText } from '#lib/adapters/vault/vault.ts';
import { MEMBER_EMAIL } from '#lib/core/tenancy/team.ts';
import { secretContext } from '#lib/core/webhooks/signature.ts';
import { openCredentials, sealCredentials } from '#lib/events/pipeline/connections/open-connection.ts';
import { countingWrapper } from '#test/support/counting-wrapper.ts';
import { createManualClock, type ManualClock } from '#test/support/memory/clock.ts';
import { OPERATED_MS, type OperatorTables, openOperator } from '#test/support/operator.ts';
import { openTerminal } from '#test/support/terminal.ts';
import { sealedStoresOf } from '../stores.ts';

const DAYS = ['2026-11-18', '2026-11-19', '2026-11-20'];
const WAIT_MS = 360_000;
const TOKENS = { access_token: 'EAA' };

let tables: OperatorTables;
let asked: ReturnType<Awaited<ReturnType<typeof openOperator>>['operator']>;
let clock: ManualClock;
let wrapper: ReturnType<typeof countingWrapper>;

beforeEach(async () => {
  const opened = await openOperator();
  ({ tables } = opened);
  asked = opened.operator();
  clock = createManualClock(OPERATED_MS);
  wrapper = countingWrapper();
  const parts = { wrapper, keys: keys(), clock };
  Object.assign(asked.ports, {
    clock,
    vault: createVault(parts),
    rotating: {
      keys: createKeyRotationStore(tables.db, tables.table),
      rotated: createRotatedKeys(parts),
      sealedStores: sealedStoresOf(tables.db, tables.table, tables.helpdesk),
    },
  });
  return () => tables.close();
});

const keys = () => createDataKeyStore(tables.db, tables.table);
const webhooks = () => createRecordStore(tables.db, tables.helpdesk, WEBHOOKS, () => {});
const connections = () => createConnectionStore(tables.db, tables.table);
/** A process of its own: it has no key in memory. */
function processOf() {
  const vault = createVault({ wrapper, keys: keys(), clock });
  const dayKeys = createDayKeyStore(tables.db, tables.table);
  return { vault, eventVault: createEventVault({ vault, dayKeys, clock }) };
}
type Process = ReturnType<typeof processOf>;
const keyNow = (id: string) => createDataKeyCache({ wrapper, keys: keys(), clock })(id, false);

/** A merchant with something sealed of each kind. */
async function make(name: string) {
  const owner = `${name}@shop.example`;
  const { id } = (await asked.ask<{ merchant: { id: string } }>({ name, owner, keys: ['send'] })).body
    .merchant;
  const { vault, eventVault } = processOf();
  for (const platform of ['meta', 'tiktok']) {
    const sealedCredentials = await sealCredentials(vault, id, platform, TOKENS);
    const draft = { merchantId: id, platform, newId: `con_${platform}`, name: '', sealedCredentials };
    await connections().putConnection(draft, OPERATED_MS);
  }
  const sealed = await Promise.all(['a', 'b'].map((text) => vault.seal(id, secretContext('w1'), text)));
  const webhook = {
    ...{ id: 'w1', url: 'https://x.example', events: ['*'], description: null, active: true },
    ...{ disabledReason: null, createdAtMs: 1, updatedAtMs: 1 },
    secrets: sealed.map((one) => ({ sealed: one, hint: '', expiresAtMs: null })),
  };
  const record = { id, workspaceId: id, webhooks: [webhook] };
  expect(await webhooks().put({ record, version: 1, outbox: [], dueAtMs: null }, null)).toBe(true);
  const personal = await Promise.all(
    DAYS.map(async (day) => {
      const row = { merchantId: id, atMs: Date.parse(day), name: day };
      return { row, sealed: await eventVault.sealText(row, `jane on ${day}`) };
    }),
  );
  const kept = await vault.seal(id, 'idempotency|1', 'kept answer');
  return { id, owner, personal, kept };
}
type Made = Awaited<ReturnType<typeof make>>;

async function expectOpen({ id, owner, personal, kept }: Made, { vault, eventVault } = processOf()) {
  const all = await connections().listConnections(id);
  expect(await Promise.all(all.map((one) => openCredentials(vault, one, undefined)))).toEqual([
    TOKENS,
    TOKENS,
  ]);
  const { members } = await createMemberStore(tables.db, tables.table).team(id);
  expect(await vault.open(id, MEMBER_EMAIL, members[0]?.sealedEmail ?? '')).toBe(owner.toLowerCase());
  const secrets = (await webhooks().read(id, id))?.record.webhooks.flatMap((one) => one.secrets) ?? [];
  const opened = secrets.map(({ sealed }) => vault.open(id, secretContext('w1'), sealed));
  expect(await Promise.all(opened)).toEqual(['a', 'b']);
  for (const { row, sealed } of personal)
    expect(await eventVault.openText(row, sealed)).toBe(`jane on ${row.name}`);
  expect(await vault.open(id, 'idempotency|1', kept)).toBe('kept answer');
}

/** Of all that lasts, how much this key opens. */
async function openedBy(key: Uint8Array | null, { id }: Made): Promise<number> {
  const parts: (readonly [context: string, sealed: string | undefined])[] = [];
  for (const { platform, sealedCredentials } of await connections().listConnections(id))
    parts.push([`credentials/${platform}`, sealedCredentials]);
  const { members } = await createMemberStore(tables.db, tables.table).team(id);
  for (const { sealedEmail } of members) parts.push([MEMBER_EMAIL, sealedEmail]);
  for (const { secrets } of (await webhooks().read(id, id))?.record.webhooks ?? [])
    for (const { sealed } of secrets) parts.push([secretContext('w1'), sealed]);
  for (const day of DAYS)
    parts.push([`day-key/${day}`, (await createDayKeyStore(tables.db, tables.table).read(id, day)) ?? '']);
  expect(parts).toHaveLength(8);
  return parts.filter(([context, sealed = '']) => {
    try {
      return openText(key ?? new Uint8Array(32), associated(id, context), sealed) !== '';
    } catch {
      return false;
    }
  }).length;
}

/** The command; `during`: in its wait, before the time has passed. */
function terminal(during: (waitMs: number) => Promise<void> = async () => {}) {
  const pause = async (waitMs: number) => {
    await during(waitMs);
    clock.advance(waitMs);
  };
  return openTerminal(asked, undefined, { pause });
}
const rotate = (...args: readonly string[]) => terminal()('rotate', 'credentials', ...args);

describe('a rotation', () => {
  it('leaves nothing that lasts to the old key, and what it sealed opens before, during and after', async () => {
    const shops = [await make('Shop'), await make('Other')];
    const old = await Promise.all(shops.map(({ id }) => keyNow(id)));
    const running = processOf();
    for (const shop of shops) await expectOpen(shop, running);
    const waits: number[] = [];
    const run = terminal(async (waitMs) => {
      waits.push(waitMs);
      for (const shop of shops) {
        await expectOpen(shop, running);
        await expectOpen(shop);
        expect(await openedBy(old[shops.indexOf(shop)] ?? null, shop)).toBe(8);
      }
    });
    const { code, out, err } = await run('rotate', 'credentials', '--json');
    expect(err).toMatch(/rotation 1\n2 of 2 merchants\nwaits 360 s/);
    expect([code, waits]).toEqual([0, [WAIT_MS]]);
    expect(JSON.parse(out)).toEqual({
      ...{ state: 'done', rotation: 1, merchants: 2, left: [] },
      resealed: { credentials: 4, webhook_secrets: 4, addresses: 2, days: 6 },
    });
    for (const [at, shop] of shops.entries()) {
      expect(await openedBy(old[at] ?? null, shop)).toBe(0);
      expect(await openedBy(await keyNow(shop.id), shop)).toBe(8);
      await expectOpen(shop, running);
      await expectOpen(shop);
    }
    const numbers = await Promise.all(shops.map(({ id }) => keys().read(id)));
    for (const key of numbers)
      expect(key).toMatchObject({ under: expect.toSatisfy((n) => n >= 16 && n < 32) });
    const log = await asked.audit.listAudit(shops[0]?.id ?? '', 50);
    expect(log.map(({ action }) => action)).toContain('merchant.rotate_keys');
  });

  it('has what a process seals with the old key while it is in its memory sealed again', async () => {
    const shop = await make('Shop');
    const [old, running] = [await keyNow(shop.id), processOf()];
    await expectOpen(shop, running);
    const run = terminal(async () => {
      clock.advance(299_000);
      const [seen] = await connections().listConnections(shop.id);
      if (seen === undefined) throw new Error('no connection');
      const sealedCredentials = await sealCredentials(running.vault, shop.id, seen.platform, TOKENS);
      expect(
        openText(old ?? new Uint8Array(), associated(shop.id, 'credentials/meta'), sealedCredentials),
      ).toBe('{"access_token":"EAA"}');
      await connections().changeConnection(seen, { sealedCredentials }, clock.now());
    });
    expect((await run('rotate', 'credentials', '--merchant', 'Shop')).code).toBe(0);
    expect(await openedBy(old, shop)).toBe(0);
    await expectOpen(shop, running);
  });

  it('is of one merchant where one is named, and of none with --dry-run', async () => {
    const [shop, other] = [await make('Shop'), await make('Other')];
    const before = await tables.items();
    const looked = await rotate('--dry-run', '--json');
    expect(JSON.parse(looked.out)).toMatchObject({
      state: 'dry_run',
      resealed: { credentials: 4, webhook_secrets: 4, addresses: 2, days: 6 },
    });
    expect((await tables.items()).filter(({ sk }) => !String(sk).startsWith('AUDIT'))).toEqual(
      before.filter(({ sk }) => !String(sk).startsWith('AUDIT')),
    );
    const [mine, others] = [await keyNow(shop.id), await keyNow(other.id)];
    expect((await rotate('--merchant', shop.id)).code).toBe(0);
    expect([await openedBy(mine, shop), await openedBy(others, other)]).toEqual([0, 8]);
    // Once more is one more key, and the one before last still opens what waits to expire.
    expect((await rotate('--merchant', shop.id)).code).toBe(0);
    await expectOpen(shop);
    expect((await rotate('--merchant', 'Nothing')).err).toContain('No merchant is called Nothing');
  });

  it('costs a process in which nothing changed no request more', async () => {
    const shop = await make('Shop');
    await rotate();
    const running = processOf();
    await expectOpenCredentials(shop, running);
    const reads = countReads();
    for (let n = 0; n < 20; n++) await expectOpenCredentials(shop, running);
    expect(reads.of('DATAKEY')).toBe(0);
  });
});

async function expectOpenCredentials({ id }: Made, { vault }: Process) {
  const [one] = await connections().listConnections(id);
  expect(one && (await openCredentials(vault, one, undefined))).toEqual(TOKENS);
}

function countReads() {
  const send = tables.db.send.bind(tables.db);
  const seen: string[] = [];
  const counting = async (command: Parameters<typeof send>[0]) => {
    if (command instanceof GetCommand) seen.push(String(command.input.Key?.pk));
    return await send(command);
  };
  Object.assign(tables.db, { send: counting });
  return { of: (prefix: string) => seen.filter((pk) => pk.startsWith(prefix)).length };
}

describe('broken off', () => {
  it('goes on with the same command, whichever call of a table it was, and nothing is closed meanwhile', async () => {
    const send = tables.db.send.bind(tables.db);
    const made = await make('Shop');
    let broken = 0;
    for (let at = 0, isBroken = true; isBroken; at += 3) {
      const [old, running] = [await keyNow(made.id), processOf()];
      // What expires within a day opens for eight rotations more.
      const kept = await running.vault.seal(made.id, 'idempotency|1', 'kept answer');
      const shop = { ...made, kept };
      await expectOpen(shop, running);
      let calls = 0;
      const failing = async (command: Parameters<typeof send>[0]) => {
        const isIt = calls++ === at;
        if (isIt && at % 2 === 0) throw new Error('broken off');
        const answer = await send(command);
        if (isIt) throw new Error('broken off');
        return answer;
      };
      Object.assign(tables.db, { send: failing });
      await rotate();
      Object.assign(tables.db, { send });
      isBroken = calls > at;
      broken += 1;
      await expectOpen(shop, running);
      await expectOpen(shop);
      expect((await rotate()).code).toBe(0);
      expect(await openedBy(old, shop)).toBe(0);
      await expectOpen(shop, running);
      await expectOpen(shop);
    }
    expect(broken).toBeGreaterThan(15);
  });

  it('is finished by two at a time', async () => {
    const shop = await make('Shop');
    const old = await keyNow(shop.id);
    const body = { merchant: shop.id };
    const path = { path: 'credentials/rotate' };
    const both = () =>
      Promise.all([asked.ask<{ state: string }>(body, path), asked.ask<{ state: string }>(body, path)]);
    expect((await both()).map(({ body: { state } }) => state)).toEqual(['replaced', 'replaced']);
    await expectOpen(shop);
    clock.advance(WAIT_MS);
    expect((await both()).map(({ body: { state } }) => state)).toEqual(['resealed', 'resealed']);
    expect([await openedBy(old, shop), await openedBy(await keyNow(shop.id), shop)]).toEqual([0, 8]);
  });
});

it('is not done while something cannot be read, and names it; mended, the same command ends it', async () => {
  const shop = await make('Shop');
  const old = await keyNow(shop.id);
  const Key = { pk: `DAYKEY#${shop.id}`, sk: DAYS[1] };
  const { Item } = await tables.db.send(new GetCommand({ TableName: tables.table, Key }));
  const put = (item: object) =>
    tables.db.send(new PutCommand({ TableName: tables.table, Item: { ...item } }));
  await put({ ...Item, f: 99 });
  const { code, out } = await rotate();
  expect([code, out]).toEqual([1, expect.stringMatching(/left +.*day key.*unknown format/)]);
  await put({ ...Item });
  const again = await rotate('--json');
  expect(JSON.parse(again.out)).toMatchObject({ state: 'done', rotation: 1, resealed: { days: 1 } });
  expect(await openedBy(old, shop)).toBe(0);
  expect(JSON.parse((await rotate('--json')).out)).toMatchObject({ rotation: 2 });
});
