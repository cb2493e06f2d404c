// Goal: who is suspended is refused everywhere, at once but for pages, and nothing accepted is lost; who goes on is let in as before.
// Method: the operator's function and the doors of the products over one emulated table; keys that are made and revoked meanwhile.
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMemberStore } from '#lib/adapters/dynamodb/core/tenancy/members.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/events/merchants.ts';
import { rememberMerchants } from '#lib/adapters/dynamodb/events/remembered-merchants.ts';
import { hashApiKey } from '#lib/core/tenancy/api-key.ts';
import { keyCaller, sessionCaller } from '#lib/core/tenancy/authenticate.ts';
import { EVENTS_ACCESS } from '#lib/events/domain/scopes.ts';
import { HELPDESK_ACCESS } from '#lib/helpdesk/domain/account/scopes.ts';
import { BROWSER, purchase, request, send, testIngestion } from '#test/support/ingestion.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createDynamoMeter } from '#test/support/metering/dynamodb-metering.ts';
import { OPERATED_MS, type OperatorTables, openOperator } from '#test/support/operator.ts';
import type { MerchantView } from './look.ts';

interface Answered {
  readonly merchant: string;
  readonly changed: boolean;
  readonly suspended: { readonly by: string; readonly reason: string } | null;
  readonly keys: number;
  readonly details: readonly { readonly path: string; readonly message: string }[];
}
interface Created {
  readonly merchant: { readonly id: string };
  readonly owner: { readonly subject: string };
  readonly keys: readonly { readonly id: string; readonly secret: string }[];
}

let opened: Awaited<ReturnType<typeof openOperator>>;
let tables: OperatorTables;
let asked: ReturnType<(typeof opened)['operator']>;
let made: Created;
beforeEach(async () => {
  opened = await openOperator();
  ({ tables } = opened);
  asked = opened.operator();
  const shop = { name: 'Shop', owner: 'owner@shop.example', keys: ['send', 'admin', 'helpdesk'] };
  made = (await asked.ask<Created>(shop)).body;
  return () => tables.close();
});

const ask = (verb: 'suspend' | 'resume', body: object = {}) =>
  asked.ask<Answered>({ merchant: made.merchant.id, ...body }, { path: `merchants/${verb}` });
const suspend = (reason = 'not paid') => ask('suspend', { reason });

const clock = { now: () => OPERATED_MS };
const entrance = (product: 'evk' | 'hdk', secret: string | undefined) =>
  keyCaller(secret ?? '', product === 'evk' ? EVENTS_ACCESS : HELPDESK_ACCESS, {
    config: { ...asked.ports.keys[product], memberships: async () => [] },
    clock,
  });
const signedIn = () =>
  sessionCaller('token', undefined, EVENTS_ACCESS, {
    config: { apiKey: async () => null, ...createMemberStore(tables.db, tables.table) },
    sessions: { verify: async () => ({ sub: made.owner.subject }) },
    clock,
  });

/** Ingestion over the emulated config table. */
function ingestion(at = createManualClock(OPERATED_MS)) {
  const merchants = rememberMerchants(createMerchantStore(tables.db, tables.table), at);
  const { app } = testIngestion({ config: { ...asked.ports.keys.evk, ...merchants }, clock: at });
  return app;
}
const posting = (key: string) =>
  request('/v1/events', purchase({ event_id: key.slice(-8), event_time: OPERATED_MS / 1_000 }), {
    authorization: `Bearer ${key}`,
  });

describe('a suspended merchant', () => {
  it('is refused with its next request by every key, and by its people', async () => {
    const [sending = '', admin, desk] = made.keys.map(({ secret }) => secret);
    const app = ingestion();
    expect((await send(app, posting(sending))).status).toBe(202);
    const { status, body } = await suspend();
    expect([status, body]).toMatchObject([
      200,
      {
        merchant: made.merchant.id,
        changed: true,
        suspended: { by: 'operator:anna', reason: 'not paid' },
        keys: 3,
      },
    ]);
    const refused = await send(app, posting(sending));
    expect([refused.status, refused.json.code]).toEqual([403, 'merchant_suspended']);
    expect(refused.json.error).toContain('ask the operator');
    const callers = [await entrance('evk', admin), await entrance('hdk', desk), await signedIn()];
    expect(callers.map((caller) => caller?.kind)).toEqual(['suspended', 'suspended', 'suspended']);
  });

  it('is refused on all sixteen copies of a key, also where some are missing', async () => {
    const [{ secret = '' } = {}] = made.keys;
    const app = ingestion();
    await suspend();
    const codes = new Set<unknown>();
    for (let i = 0; i < 64; i++) codes.add((await send(app, posting(secret))).json.code);
    expect([...codes]).toEqual(['merchant_suspended']);
  });

  it('is refused on its pages half a minute later at most, by a process that knows it', async () => {
    const at = createManualClock(OPERATED_MS);
    const app = ingestion(at);
    const browse = async (id: string) => {
      const body = purchase({ event_id: id, event_time: OPERATED_MS / 1_000, merchant_id: made.merchant.id });
      const { status, json } = await send(
        app,
        request('/v1/browser/events', body, { 'user-agent': BROWSER }),
      );
      return [status, json.code];
    };
    expect(await browse('b1')).toEqual([202, undefined]);
    await suspend();
    at.advance(29_000);
    expect(await browse('b2')).toEqual([202, undefined]);
    at.advance(1_000);
    expect(await browse('b3')).toEqual([403, 'merchant_suspended']);
  });

  it('costs an event no call more than another one', async () => {
    const [{ secret = '' } = {}] = made.keys;
    const meter = createDynamoMeter();
    meter.attach(tables.db, 'events');
    const app = ingestion();
    expect((await send(app, posting(secret))).status).toBe(202);
    expect(meter.usage().calls).toEqual({ GetItem: 1 });
  });

  it('is shown as such, with who did it and why', async () => {
    await suspend();
    const shown = await asked.ask<{ readonly merchant: MerchantView }>(
      { merchant: made.merchant.id },
      { path: 'merchants/show' },
    );
    expect(shown.body.merchant).toMatchObject({
      state: 'suspended',
      suspended: { by: 'operator:anna', reason: 'not paid' },
    });
  });

  it('stays what it is when it is suspended again, and its log says it once', async () => {
    await suspend();
    const { body } = await suspend('another reason');
    expect(body).toMatchObject({ changed: false, suspended: { reason: 'not paid' }, keys: 3 });
    const actions = (await asked.audit.listAudit(made.merchant.id, 20)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'merchant.suspend')).toHaveLength(1);
  });

  it('gets no new keys of the operator', async () => {
    await suspend();
    const { status, body } = await asked.ask<Answered>({
      name: 'Shop',
      owner: 'owner@shop.example',
      keys: ['send'],
      new_keys: true,
    });
    expect([status, body.details[0]?.path]).toEqual([409, 'id']);
  });

  it('keeps its profile and settings, and a change of them does not end it', async () => {
    await suspend();
    const store = createMerchantStore(tables.db, tables.table);
    await store.updateMerchant(made.merchant.id, { name: 'Renamed' });
    const now = await store.merchantNow(made.merchant.id);
    expect([now?.name, now?.suspension?.reason]).toEqual(['Renamed', 'not paid']);
    if (now !== null) await store.putMerchant(now);
    expect((await store.merchantNow(made.merchant.id))?.suspension?.reason).toBe('not paid');
  });
});

describe('a merchant that goes on', () => {
  it('is let in as before, but for what was revoked', async () => {
    const [sending, admin, desk] = made.keys.map(({ secret }) => secret);
    await suspend();
    await asked.ports.keys.evk.revokeApiKey(made.merchant.id, made.keys[1]?.id ?? '', OPERATED_MS);
    const { status, body } = await ask('resume');
    expect([status, body]).toMatchObject([200, { changed: true, suspended: null }]);
    const app = ingestion();
    expect((await send(app, posting(sending ?? ''))).status).toBe(202);
    const callers = [await entrance('evk', admin), await entrance('hdk', desk), await signedIn()];
    expect(callers.map((caller) => caller?.kind)).toEqual([undefined, 'key', 'session']);
    expect((await ask('resume')).body.changed).toBe(false);
    const actions = (await asked.audit.listAudit(made.merchant.id, 20)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'merchant.resume')).toHaveLength(1);
  });
});

describe('a key that is made meanwhile', () => {
  const record = async () => {
    const [{ secret = '' } = {}] = made.keys;
    const known = await asked.ports.keys.evk.apiKey(hashApiKey(secret));
    if (known === null) throw new Error('no key');
    return { ...known, sha256: 'f'.repeat(64), keyId: 'key_new', createdAtMs: OPERATED_MS };
  };

  it('is suspended from its first moment', async () => {
    await suspend();
    const key = await record();
    const { suspendedAtMs: _, ...fresh } = key;
    await asked.ports.keys.evk.putApiKey(fresh);
    expect((await asked.ports.keys.evk.apiKey(key.sha256))?.suspendedAtMs).toBe(OPERATED_MS);
    await ask('resume');
    expect((await asked.ports.keys.evk.apiKey(key.sha256))?.suspendedAtMs).toBeUndefined();
  });

  it('and is not there yet is said, for it may have looked before: the command is repeated', async () => {
    const key = await record();
    await asked.ports.keys.evk.claimKeyPlace(key);
    const { status, body } = await suspend();
    expect([status, body.details[0]?.message]).toEqual([409, expect.stringContaining('repeat the command')]);
    await asked.ports.keys.evk.putApiKey(key);
    expect((await suspend()).body).toMatchObject({ changed: false, keys: 4 });
    expect((await asked.ports.keys.evk.apiKey(key.sha256))?.suspendedAtMs).toBe(OPERATED_MS);
  });
});

it('has every key follow that can be, and says so where one cannot be found', async () => {
  const key = { pk: `M#${made.merchant.id}`, sk: `KEY#${made.keys[0]?.id}` };
  await tables.db.send(new PutCommand({ TableName: tables.table, Item: { ...key, product: 'evk' } }));
  const { status, body } = await suspend();
  expect([status, body.details[0]?.message]).toEqual([500, expect.stringContaining('pointer to an API key')]);
  expect(await entrance('evk', made.keys[1]?.secret)).toEqual({ kind: 'suspended' });
});

it('follows on copies of a key whose record cannot be read', async () => {
  const [{ secret = '' } = {}] = made.keys;
  const at = { TableName: tables.table, Key: { pk: `KEY#${hashApiKey(secret)}`, sk: 'KEY' } };
  await tables.db.send(
    new UpdateCommand({
      ...at,
      UpdateExpression: 'SET #record.scopes = :none',
      ExpressionAttributeNames: { '#record': 'record' },
      ExpressionAttributeValues: { ':none': 'none' },
    }),
  );
  expect((await suspend()).status).toBe(200);
  const record = await asked.ports.keys.evk.apiKey(hashApiKey(secret)).catch(() => null);
  expect(record?.suspendedAtMs ?? OPERATED_MS).toBe(OPERATED_MS);
  const codes = new Set<unknown>();
  const app = ingestion();
  for (let i = 0; i < 48; i++) codes.add((await send(app, posting(secret))).json.code);
  expect(codes.has(undefined)).toBe(false);
});

describe('a refusal leaves nothing behind', () => {
  it.each([
    ['no reason', { reason: ' ' }, 400, 'reason'],
    ['a long one', { reason: 'x'.repeat(501) }, 400, 'reason'],
    ['no merchant', { merchant: '6f1c1a52-4a3e-4b8f-9d0a-0a4f5f4d2c11', reason: 'x' }, 404, 'merchant'],
    ['an id that is none', { merchant: 'shop', reason: 'x' }, 400, 'merchant'],
  ])('%s', async (_what, body, status, path) => {
    const before = await tables.keys();
    const refused = await ask('suspend', body);
    expect([refused.status, refused.body.details[0]?.path]).toEqual([status, path]);
    expect(await tables.keys()).toEqual(before);
  });
});
