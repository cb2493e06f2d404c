// Goal: a person makes as many shops as the operator lets one person make, whatever happens in between, and nothing where the operator
// does not. Method: the API over stores of DynamoDB in memory; races over an emulated table.
import { describe, expect, it } from 'vitest';
import { createAuditLog } from '#lib/adapters/dynamodb/core/audit-log.ts';
import { createMemberStore } from '#lib/adapters/dynamodb/core/tenancy/members.ts';
import { createMerchantStore, createNewMerchantStore } from '#lib/adapters/dynamodb/events/merchants.ts';
import type { Handler } from '#lib/core/http/handler.ts';
import type { createMerchant as route } from '#lib/events/routes/me.ts';
import { createMerchant, getPerson } from '#lib/events/routes/me.ts';
import { type ApiHost, bodyOf, codeOf, MINE, NOW, openApi } from '#test/contract/api-host.ts';
import { createMemoryLeaseStore } from '#test/support/memory/lease-store.ts';
import { OPERATED_MS, openOperator } from '#test/support/operator.ts';
import { createMerchantHandler, type SignUpPorts } from './sign-up.ts';

const RULES = {
  shops: 1,
  perAddress: 5,
  serverEventsPerDay: 10_000,
  browserEventsPerMinute: 60,
};
const SHOP = { name: 'Café Übersee', email: 'ann@shop.example' };
const open = (rules: Partial<typeof RULES> = {}) => {
  const signUp = { rules: { ...RULES, ...rules }, shares: createMemoryLeaseStore() };
  return openApi(() => ({ signUp }));
};
const ask = (host: ApiHost, as = 'session-ann', body: object = SHOP, headers: Record<string, string> = {}) =>
  host.call('/v1/merchants', { method: 'POST', token: as, body, headers });
const person = async (host: ApiHost, as = 'session-ann') =>
  bodyOf(getPerson, await host.call('/v1/me', { token: as }));

describe('where the operator makes all shops', () => {
  it('a person is refused with a sentence, and the pages know it before', async () => {
    const host = await openApi();
    const refused = await ask(host);
    expect([refused.status, codeOf(refused)]).toEqual([403, 'sign_up_closed']);
    expect(await person(host)).toMatchObject({ merchants: [], may_create_merchant: false });
  });
});

describe('a person without a shop', () => {
  it('makes one, owns it, and it has the limits of such shops from its first moment', async () => {
    const host = await open();
    expect((await person(host)).may_create_merchant).toBe(true);
    const body = { ...SHOP, time_zone: 'Europe/Berlin', reporting_currency: 'eur' };
    const { merchant } = bodyOf(createMerchant, await ask(host, 'session-ann', body));
    expect(merchant).toEqual({ id: merchant.id, name: SHOP.name, role: 'owner', suspended: false });
    expect(await person(host)).toMatchObject({ merchants: [merchant], may_create_merchant: false });
    expect(await host.config.merchantNow(merchant.id)).toMatchObject({
      email: 'ann@shop.example',
      timeZone: 'Europe/Berlin',
      reportingCurrency: 'EUR',
      signUp: expect.stringMatching(/^[0-9a-f]{64}$/),
      limits: { serverEventsPerDay: 10_000, browserEventsPerMinute: 60, replaysPerDay: 10_000 },
    });
    expect((await host.call('/v1/account', { token: 'session-ann' })).status).toBe(200);
    const entries = await host.config.listAudit(merchant.id, 10);
    expect(entries.map(({ actor, action }) => `${actor} ${action}`).sort()).toEqual([
      'user:ann member.add_owner',
      'user:ann merchant.create',
    ]);
    const key = { name: 'Server', scopes: ['events:write'] };
    await host.call('/v1/api-keys', { method: 'POST', token: 'session-ann', body: key });
    const [kept] = await host.config.listApiKeys(merchant.id);
    expect(kept).toMatchObject({ eventsPerDay: 10_000 });
  });

  it('makes one with a repeated request, and no second one with another name', async () => {
    const host = await open();
    const first = bodyOf(createMerchant, await ask(host));
    expect(
      bodyOf(createMerchant, await ask(host, 'session-ann', { ...SHOP, name: 'Cafe\u0301 U\u0308bersee' })),
    ).toEqual(first);
    const refused = await ask(host, 'session-ann', { ...SHOP, name: 'Another' });
    expect([refused.status, codeOf(refused)]).toEqual([409, 'sign_up_limit']);
    expect(await host.config.listAudit(first.merchant.id, 10)).toHaveLength(2);
  });

  it('makes one for one Idempotency-Key, which is of one request', async () => {
    const host = await open({ shops: 3 });
    const keyed = (key: string, name = SHOP.name) =>
      ask(host, 'session-ann', { ...SHOP, name }, { 'idempotency-key': key });
    const first = bodyOf(createMerchant, await keyed('k-1'));
    expect(bodyOf(createMerchant, await keyed('k-1'))).toEqual(first);
    expect(codeOf(await keyed('k-1', 'Another'))).toBe('idempotency_key_reused');
    expect(bodyOf(createMerchant, await keyed('k-2')).merchant.id).not.toBe(first.merchant.id);
    const bad = await keyed('two words');
    expect(bad.body).toMatchObject({ code: 'invalid_request', details: [{ path: 'idempotency-key' }] });
    expect((await person(host)).merchants).toHaveLength(2);
  });

  it('gets no other place for a shop that was left, removed or suspended', async () => {
    const host = await open();
    const { merchant } = bodyOf(createMerchant, await ask(host));
    await host.config.changeTeam(merchant.id, () => ({
      team: { members: [{ sub: 'bob', role: 'owner', joinedAtMs: NOW }], invitations: [] },
      result: null,
    }));
    for (const name of [SHOP.name, 'Another'])
      expect(codeOf(await ask(host, 'session-ann', { ...SHOP, name }))).toBe('sign_up_limit');
  });

  it('finishes what broke off before it had an owner, by the same request or later by another', async () => {
    const host = await open();
    const { config } = host;
    let isDown = true;
    const broken = await openApi(() => ({
      config: {
        ...config,
        claimSubject: async (...asked) => {
          if (isDown) throw Object.assign(new Error('away'), { name: 'TimeoutError' });
          return await config.claimSubject(...asked);
        },
      },
      signUp: { rules: RULES, shares: createMemoryLeaseStore() },
    }));
    expect((await ask(broken)).status).toBe(503);
    expect(codeOf(await ask(broken, 'session-ann', { ...SHOP, name: 'Another' }))).toBe('sign_up_limit');
    isDown = false;
    broken.clock.advance(60_001);
    const later = bodyOf(createMerchant, await ask(broken, 'session-ann', { ...SHOP, name: 'Another' }));
    expect(later.merchant.name).toBe(SHOP.name);
    expect(bodyOf(createMerchant, await ask(broken))).toEqual(later);
  });
});

describe('who may not', () => {
  it('is a member of as many shops already', async () => {
    const host = await open();
    expect((await person(host, host.session('member'))).may_create_merchant).toBe(false);
    expect(codeOf(await ask(host, host.session('member')))).toBe('sign_up_limit');
    const two = await open({ shops: 2 });
    expect((await ask(two, two.session('member'))).status).toBe(201);
  });

  it('has no session: a key makes no shop', async () => {
    const host = await open();
    expect((await ask(host, (await host.keyFor(['admin'])).key)).status).toBe(403);
  });

  it.each([
    ['no name', { email: SHOP.email }, 'name'],
    ['a name of two lines', { ...SHOP, name: 'a\nb' }, 'name'],
    ['no address', { name: 'Shop' }, 'email'],
    ['no such zone', { ...SHOP, time_zone: 'Mars/Base' }, 'time_zone'],
    ['no such currency', { ...SHOP, reporting_currency: 'XXQ' }, 'reporting_currency'],
    ['an id', { ...SHOP, id: MINE }, 'id'],
  ])('says %s', async (_what, body, path) => {
    const refused = await ask(await open(), 'session-ann', body);
    expect([refused.status, codeOf(refused)]).toEqual([400, 'invalid_request']);
    expect(refused.body).toMatchObject({ details: [{ path }] });
  });
});

describe('one address', () => {
  const seenAt = (address: string) => ({ 'x-viewer-address': address });
  it('makes so many shops in a UTC day, whoever signs in there, and others go on', async () => {
    const host = await open({ perAddress: 2 });
    const from = (sub: string, address: string) => ask(host, `session-${sub}`, SHOP, seenAt(address));
    expect((await from('a', '198.51.100.7:4711')).status).toBe(201);
    expect((await from('b', '198.51.100.7:4712')).status).toBe(201);
    const refused = await from('c', '198.51.100.7');
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited']);
    const untilTomorrow = Math.ceil((Date.UTC(2026, 10, 21) - NOW) / 1_000);
    expect(refused.headers['retry-after']).toBe(String(untilTomorrow));
    expect((await person(host, 'session-c')).merchants).toEqual([]);
    // A repeated request makes nothing, so that it is no sign-up.
    expect((await from('a', '198.51.100.7')).status).toBe(201);
    expect((await from('c', '198.51.100.8')).status).toBe(201);
    host.clock.advance(untilTomorrow * 1_000);
    expect((await from('d', '198.51.100.7')).status).toBe(201);
  });

  it('does not escape by naming another visitor each time', async () => {
    const host = await open({ perAddress: 1 });
    const codes: number[] = [];
    for (let n = 0; n < 21; n++)
      codes.push((await ask(host, `session-p${n}`, SHOP, seenAt(`198.51.100.${n}`))).status);
    expect(codes).toEqual([...Array(20).fill(201), 429]);
  });
});

describe('at once, over the table', () => {
  const called = (ports: SignUpPorts, sub: string, name: string): ReturnType<Handler<typeof route>> =>
    createMerchantHandler(ports)({
      caller: { kind: 'stranger', sub },
      body: { name, email: SHOP.email },
      headers: {},
      params: undefined,
      query: undefined,
      requestId: 'r',
    } as unknown as Parameters<Handler<typeof route>>[0]);

  it.each([
    ['one request', 1, ['Shop', 'Shop', 'Shop', 'Shop'], 4],
    ['requests of other names', 1, ['A', 'B', 'C', 'D'], 1],
    ['requests of other names', 2, ['A', 'B', 'C', 'D'], 2],
  ])('%s of one person make at most %i', async (_what, shops, names, answered) => {
    const { tables, operator } = await openOperator();
    const { ports } = operator();
    const stores = [
      createAuditLog(tables.db, tables.table),
      createMemberStore(tables.db, tables.table),
      createMerchantStore(tables.db, tables.table),
      createNewMerchantStore(tables.db, tables.table),
    ] as const;
    const config = Object.assign({}, ...stores) as SignUpPorts['config'];
    const signUp = { rules: { ...RULES, shops }, shares: createMemoryLeaseStore() };
    const answers = await Promise.all(names.map((name) => called({ ...ports, config, signUp }, 'ann', name)));
    const made = answers.flatMap((one) => ('body' in one ? [one.body.merchant.id] : []));
    expect(made).toHaveLength(answered);
    expect(new Set(made).size).toBe(Math.min(shops, new Set(names).size));
    const profiles = (await tables.items()).filter(({ sk }) => sk === 'PROFILE');
    expect(profiles).toHaveLength(new Set(made).size);
    expect(await config.memberships('ann')).toHaveLength(new Set(made).size);
    expect(ports.clock.now()).toBe(OPERATED_MS);
    await tables.close();
  });
});
