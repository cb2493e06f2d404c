// Goal: one request makes a merchant that can be used, a repeated one makes nothing twice, and a refused one leaves nothing.
// Method: the function's own answers over an emulated table, with a user pool that remembers whom it invited.

import { beforeEach, describe, expect, it } from 'vitest';
import { createMerchantStore } from '#lib/adapters/dynamodb/events/merchants.ts';
import type { AnsweredRequest } from '#lib/core/http/http-message.ts';
import { hashApiKey } from '#lib/core/tenancy/api-key.ts';
import { MERCHANTS_MAX } from '#lib/core/tenancy/member-store.ts';
import { OPERATED_MS, OPERATOR_ARN, type OperatorTables, openOperator } from '#test/support/operator.ts';
import { answerOperator } from './answer.ts';

const SHOP = { name: 'Café Übersee', owner: 'Owner@Shop.example', keys: ['send', 'admin', 'helpdesk'] };

let operator: Awaited<ReturnType<typeof openOperator>>['operator'];
let table: OperatorTables;
beforeEach(async () => {
  ({ operator, tables: table } = await openOperator());
  return () => table.close();
});

interface Answered {
  readonly merchant: { readonly id: string; readonly name: string; readonly is_new: boolean };
  readonly owner: { readonly subject: string; readonly state: string; readonly email: string };
  readonly keys: readonly { readonly kind: string; readonly id: string; readonly secret: string | null }[];
  readonly details: readonly { readonly path: string; readonly message: string }[];
}

const stored = () => table.keys();

it('says of each request what was answered, and nothing of whom it names', async () => {
  const { ports } = operator();
  const answered: AnsweredRequest[] = [];
  const event = {
    rawPath: '/operator/v1/merchants',
    headers: { 'X-Request-Id': 'ask-1', traceparent: 'owner@shop.example' },
    body: JSON.stringify({ ...SHOP, owner: 'no address' }),
    requestContext: { http: { method: 'POST' }, authorizer: { iam: { userArn: OPERATOR_ARN } } },
  };
  const answer = await answerOperator(
    event,
    { mustBeNamed: true, mayChange: true },
    { ...ports, answered: (one) => answered.push(one) },
  );
  expect(answer).toMatchObject({ statusCode: 400, headers: { 'x-request-id': 'ask-1' } });
  expect(Object.keys(answer)).toEqual(['statusCode', 'headers', 'body']);
  expect(answered).toMatchObject([
    { requestId: 'ask-1', route: '/operator/v1/merchants', status: 400, code: 'invalid_request' },
  ]);
  expect(JSON.stringify(answered)).not.toMatch(/shop\.example|no address|Übersee/);
});

describe('a merchant is made', () => {
  it('with its owner, who is invited, and keys that open it', async () => {
    const { ask, ports, invited, audit } = operator();
    const { status, body } = await ask<Answered>(SHOP);
    expect([status, body.merchant.is_new, body.merchant.name]).toEqual([201, true, 'Café Übersee']);
    expect(body.owner).toMatchObject({ email: 'owner@shop.example', state: 'invited' });
    expect(invited).toEqual(['owner@shop.example']);
    expect((await ports.config.memberships(body.owner.subject))[0]).toEqual({
      sub: body.owner.subject,
      merchantId: body.merchant.id,
      name: 'Café Übersee',
      role: 'owner',
    });
    const secrets = body.keys.map(({ secret }) => secret ?? '');
    expect(secrets.map((secret) => secret.slice(0, 9))).toEqual(['evk_live_', 'evk_live_', 'hdk_live_']);
    const records = await Promise.all([
      ports.keys.evk.apiKey(hashApiKey(secrets[0] ?? '')),
      ports.keys.evk.apiKey(hashApiKey(secrets[1] ?? '')),
      ports.keys.hdk.apiKey(hashApiKey(secrets[2] ?? '')),
    ]);
    expect(records.map((record) => record?.merchantId)).toEqual(Array(3).fill(body.merchant.id));
    expect(records.map((record) => record?.scopes.includes('admin'))).toEqual([false, true, false]);
    const entries = await audit.listAudit(body.merchant.id, 10);
    expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set(['operator:anna']));
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'api_key.create',
      'api_key.create',
      'api_key.create',
      'member.add_owner',
      'merchant.create',
    ]);
  });

  it('once: asked again, nothing is made or shown twice, and new keys only where they are asked for', async () => {
    const { ask, invited } = operator();
    const first = await ask<Answered>(SHOP);
    const before = await stored();
    const again = await ask<Answered>({
      ...SHOP,
      owner: 'owner@SHOP.example',
      name: 'Cafe\u0301 U\u0308bersee',
    });
    expect([again.status, again.body.merchant.id]).toEqual([200, first.body.merchant.id]);
    expect(again.body.keys).toEqual(first.body.keys.map((key) => ({ ...key, secret: null })));
    expect(again.body.owner.state).toBe('known');
    expect(invited).toHaveLength(1);
    expect(await stored()).toEqual(before);
    const more = await ask<Answered>({ ...SHOP, keys: ['send'], new_keys: true });
    expect(more.body.keys[0]?.secret).toMatch(/^evk_live_/);
    expect(more.body.keys[0]?.id).not.toBe(first.body.keys[0]?.id);
  });

  it('by an id of the caller’s, whatever its name has become', async () => {
    const { ask } = operator();
    const id = '6f1c1a52-4a3e-4b8f-9d0a-0a4f5f4d2c11';
    await ask<Answered>({ ...SHOP, id });
    await createMerchantStore(table.db, table.table).updateMerchant(id, { name: 'Renamed' });
    const { status, body } = await ask<Answered>({ ...SHOP, id });
    expect([status, body.merchant]).toEqual([200, { id, name: 'Renamed', is_new: false }]);
  });

  it('wholly, where an attempt broke off in the middle', async () => {
    let isDown = true;
    const { ask, ports } = operator({
      invite: async (email) => {
        if (isDown) throw Object.assign(new Error('Daily limit reached'), { name: 'LimitExceededException' });
        return `sub-${email}`;
      },
    });
    const broken = await ask<Answered>(SHOP);
    expect([broken.status, broken.body.details[0]?.message]).toEqual([
      500,
      'LimitExceededException: Daily limit reached',
    ]);
    isDown = false;
    const { status, body } = await ask<Answered>(SHOP);
    expect([status, body.merchant.is_new, body.owner.state]).toEqual([200, false, 'invited']);
    expect(body.keys.every(({ secret }) => secret !== null)).toBe(true);
    expect((await ports.config.team(body.merchant.id)).members).toHaveLength(1);
  });

  it('with the subject that another issuer gives, where there is no user pool', async () => {
    const { ask, ports } = operator({ hasPool: false });
    const { body } = await ask<Answered>({ ...SHOP, subject: 'auth0|7' });
    expect(body.owner).toEqual({ email: 'owner@shop.example', subject: 'auth0|7', state: 'known' });
    expect((await ports.config.memberships('auth0|7'))[0]?.role).toBe('owner');
  });

  it('beside another one of the same owner, up to as many as a person may have', async () => {
    const { ask, ports, invited } = operator();
    const { body } = await ask<Answered>(SHOP);
    const { owner } = body;
    for (let i = 2; i < MERCHANTS_MAX; i++)
      await ports.config.claimSubject(owner.subject, `other-${i}`, OPERATED_MS - 1);
    const second = await ask<Answered>({ ...SHOP, name: 'Second shop' });
    expect([second.status, second.body.owner]).toEqual([201, { ...owner, state: 'known' }]);
    const both = (await ports.config.memberships(owner.subject)).map(({ merchantId }) => merchantId);
    expect(both.sort()).toEqual([body.merchant.id, second.body.merchant.id].sort());
    expect(invited).toHaveLength(1);
    const third = await ask<Answered>({ ...SHOP, name: 'Third shop' });
    expect([third.status, third.body.details[0]?.path]).toEqual([409, 'owner']);
  });

  it('by two at once, as one merchant with one owner', async () => {
    const { ask, ports } = operator();
    const [one, other] = await Promise.all([ask<Answered>(SHOP), ask<Answered>(SHOP)]);
    expect(one.body.merchant.id).toBe(other.body.merchant.id);
    expect([one.status, other.status].sort()).toEqual([200, 201]);
    expect((await ports.config.team(one.body.merchant.id)).members).toHaveLength(1);
  });
});

describe('a refused request leaves nothing behind', () => {
  it.each([
    ['no name', { owner: SHOP.owner, keys: [] }, 400, 'name', 'is required'],
    ['a blank name', { ...SHOP, name: '  ' }, 400, 'name', 'must not be empty'],
    ['a name of two lines', { ...SHOP, name: 'a\nb' }, 400, 'name', 'must not hold control characters'],
    ['a long name', { ...SHOP, name: 'x'.repeat(201) }, 400, 'name', 'must be at most 200 characters long'],
    ['no address', { ...SHOP, owner: 'owner' }, 400, 'owner', 'must be an e-mail address'],
    ['an id that is none', { ...SHOP, id: 'shop-1' }, 400, 'id', 'must be a UUID'],
    [
      'a key that is none',
      { ...SHOP, keys: ['root'] },
      400,
      'keys.0',
      'must be one of send, admin, helpdesk',
    ],
    ['another property', { ...SHOP, admin: true }, 400, 'admin', 'is not a known property'],
    ['no JSON', '{', 400, '', 'must be JSON'],
    ['a lone surrogate', '{"name":"\\ud800"}', 400, '', 'must not contain lone surrogates'],
    ['a subject beside a user pool', { ...SHOP, subject: 'x' }, 400, 'subject', /must be left out/],
  ])('%s', async (_what, body, status, path, message) => {
    const { ask, invited } = operator();
    const refused = await ask<Answered>(body);
    expect(refused.status).toBe(status);
    expect(refused.body.details[0]).toEqual({
      path,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
    expect([await stored(), invited]).toEqual([[], []]);
  });

  it('a subject that is missing where there is no user pool', async () => {
    const { status, body } = await operator({ hasPool: false }).ask<Answered>(SHOP);
    expect([status, body.details[0]?.path]).toEqual([400, 'subject']);
    expect(await stored()).toEqual([]);
  });

  it('an owner whose account was signed up for and never confirmed: it may be of somebody else', async () => {
    const { ask, invited } = operator({ unconfirmed: new Set(['owner@shop.example']) });
    const { status, body } = await ask<Answered>(SHOP);
    expect([status, body.details[0]]).toEqual([
      409,
      { path: 'owner', message: expect.stringContaining('not confirmed') },
    ]);
    expect([await stored(), invited]).toEqual([[], []]);
  });

  it('a merchant of other owners', async () => {
    const { ask, invited } = operator();
    const { body } = await ask<Answered>(SHOP);
    const before = await stored();
    const taken = await ask<Answered>({ ...SHOP, id: body.merchant.id, owner: 'other@shop.example' });
    expect([taken.status, taken.body.details[0]?.path]).toEqual([409, 'id']);
    expect([await stored(), invited.length]).toEqual([before, 1]);
  });

  it('a caller whom AWS does not name, where it must; elsewhere the key of the signature names it', async () => {
    const { ask, audit } = operator();
    expect((await ask<Answered>(SHOP, { userArn: null })).status).toBe(403);
    expect(await stored()).toEqual([]);
    const { body } = await ask<Answered>(SHOP, { userArn: null, mustBeNamed: false });
    const [entry] = await audit.listAudit(body.merchant.id, 1);
    expect(entry?.actor).toBe('operator:AKIDEXAMPLE');
  });

  it('another method or path', async () => {
    expect((await operator().ask<Answered>(SHOP, { method: 'GET' })).status).toBe(405);
  });
});
