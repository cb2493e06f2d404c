import { beforeEach, describe, expect, it } from 'vitest';
import { rememberMerchants } from '#lib/adapters/dynamodb/events/remembered-merchants.ts';
import type { ConfigStores } from '#lib/adapters/dynamodb/events/routing/config-stores.ts';
import { MEMBER_ROLES } from '#lib/core/tenancy/role.ts';
import type { Merchant } from '#lib/events/domain/merchant.ts';
import { getAccount, updateAccount } from '#lib/events/routes/account.ts';
import { routesOf } from '#lib/events/routes/every-route.ts';
import { type ApiHost, bodyOf, codeOf, MINE, NOW, openApi, THEIRS } from '#test/contract/api-host.ts';
import { testMerchant } from '#test/support/ingestion.ts';

const SHOP: Merchant = {
  ...testMerchant(),
  merchantId: MINE,
  email: 'owner@shop.example',
  storeUrl: 'https://shop.example',
  onboardingStep: 'connect',
  onboardingCompleted: false,
  createdAtMs: NOW - 1_000,
};
const SETTINGS = {
  browser_ingestion_enabled: true,
  origins: [],
  server_copy_wait_sec: 120,
  page_copy_wait_sec: 0,
  events_per_minute_max: 1_200,
  retention_days: 90,
  time_zone: 'UTC',
  reporting_currency: null,
  allowed_parameters: [],
  withhold_personal_from: [],
  suppression: 'off',
};

let host: ApiHost;
let token = '';
beforeEach(async () => {
  host = await openApi(({ config, clock }) => ({ config: rememberMerchants(config as ConfigStores, clock) }));
  token = host.session('admin');
  await host.config.putMerchant(SHOP);
});
const read = async (as = token) => bodyOf(getAccount, await host.call('/v1/account', { token: as }));
const patch = (body: unknown, as = token) => host.call('/v1/account', { method: 'PATCH', token: as, body });

describe('reading', () => {
  it('shows the profile, the settings with their defaults, and what is done already', async () => {
    await host.config.addServerEventName(MINE, 'Purchase', NOW);
    await host.keyFor(['events:write']);
    const { account, onboarding } = await read();
    expect(account).toEqual({
      merchant_id: MINE,
      version: 0,
      name: 'Shop',
      email: 'owner@shop.example',
      store_platform: null,
      store_url: 'https://shop.example',
      onboarding_step: 'connect',
      onboarding_completed: false,
      created_at: new Date(NOW - 1_000).toISOString(),
      settings: SETTINGS,
    });
    expect(onboarding).toEqual({
      connections: 0,
      active_api_keys: 1,
      members: MEMBER_ROLES.length,
      open_invitations: 0,
      server_event_names: ['Purchase'],
    });
  });

  it('says who asks and what they may do, and is right about it', async () => {
    const { key, keyId } = await host.keyFor(['admin']);
    expect((await read(key)).caller).toMatchObject({ kind: 'key', id: keyId, role: null });
    for (const role of MEMBER_ROLES.filter((one) => one !== 'agent')) {
      const { caller } = await read(host.session(role));
      expect(caller).toMatchObject({ kind: 'session', id: `mine-${role}`, role });
      for (const route of routesOf('api').filter(({ method }) => method === 'GET')) {
        const path = route.path.replaceAll(/:\w+/g, 'nothing');
        const reply = await host.call(path, { token: host.session(role) });
        expect(caller.operations.includes(route.id), route.id).toBe(reply.status !== 403);
      }
    }
    expect((await read(host.session('member'))).caller.operations).not.toContain('createApiKey');
    expect((await read(host.session('admin'))).caller.operations).toContain('createApiKey');
  });

  it('of a merchant that has no profile is a 404', async () => {
    const reply = await host.call('/v1/account', { token: host.session('owner', 'theirs') });
    expect([reply.status, codeOf(reply)]).toEqual([404, 'not_found']);
    expect((await patch({ name: 'New' }, host.session('owner', 'theirs'))).status).toBe(404);
    expect(await host.config.merchantNow(THEIRS)).toBeNull();
  });
});

describe('changing', () => {
  it('changes every field, and shows it at once, whatever this process remembers', async () => {
    await host.ports.config.merchant(MINE);
    const body = {
      name: 'Zoë’s Shop',
      email: 'new@shop.example',
      store_platform: 'shopify',
      store_url: 'https://zoe.example/shop',
      onboarding_step: 'done',
      onboarding_completed: true,
      settings: {
        browser_ingestion_enabled: false,
        origins: ['https://zoe.example', 'http://localhost:3000'],
        server_copy_wait_sec: 0,
        page_copy_wait_sec: 30,
        events_per_minute_max: 60,
        retention_days: 30,
        time_zone: 'Pacific/Auckland',
        reporting_currency: 'NZD',
        allowed_parameters: ['contact', 'person[mail]'],
        withhold_personal_from: ['meta', 'google_ads'],
        suppression: 'not_sent',
      },
    };
    const { account } = bodyOf(updateAccount, await patch(body));
    expect(account).toMatchObject(body);
    expect((await read()).account).toEqual(account);
    expect(await host.config.merchantNow(MINE)).toMatchObject({
      retentionDays: 30,
      allowedParameters: ['contact', 'person[mail]'],
      browserIngestion: { enabled: false, serverCopyWaitSec: 0, pageCopyWaitSec: 30, eventsPerMinuteMax: 60 },
    });
  });

  it('shows what another process wrote', async () => {
    await read();
    await host.config.updateMerchant(MINE, { name: 'Elsewhere' });
    expect((await read()).account.name).toBe('Elsewhere');
  });

  it('takes values away by null, and leaves what is not named', async () => {
    await patch({
      store_platform: 'shopify',
      settings: { retention_days: 30, server_copy_wait_sec: 5, page_copy_wait_sec: 5 },
    });
    const nulls = {
      store_url: null,
      settings: { retention_days: null, server_copy_wait_sec: null, page_copy_wait_sec: null },
    };
    const { account } = bodyOf(updateAccount, await patch(nulls));
    expect(account).toMatchObject({ store_platform: 'shopify', store_url: null, settings: SETTINGS });
  });

  it('of a version that is not the one there changes nothing, and says so', async () => {
    const first = await host.call('/v1/account', { token });
    expect([first.headers.etag, bodyOf(getAccount, first).account.version]).toEqual(['"0"', 0]);
    const send = (name: string, ifMatch: string) =>
      host.call('/v1/account', { method: 'PATCH', token, body: { name }, headers: { 'if-match': ifMatch } });
    const answers = await Promise.all(['A', 'B', 'C'].map((name) => send(name, '"0"')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const [changed] = answers.filter(({ status }) => status === 200);
    expect(changed?.headers.etag).toBe('"1"');
    const { account } = await read();
    for (const old of ['"0"', 'W/"1"', '"1", "2"', '"01"', '"one"', '1']) {
      const refused = await send('Never', old);
      expect([refused.status, codeOf(refused)], old).toEqual([412, 'precondition_failed']);
    }
    expect((await read()).account).toEqual(account);
    expect((await send('Next', '"1"')).status).toBe(200);
    expect((await send('Any', '*')).headers.etag).toBe('"3"');
    expect((await host.config.listAudit(MINE, 10)).length).toBe(3);
  });

  it('keeps both of two changes of different fields at the same time', async () => {
    const changes = [{ name: 'A' }, { email: 'b@shop.example' }, { settings: { origins: [] } }];
    await Promise.all(changes.map((change) => patch(change)));
    expect((await read()).account).toMatchObject({ name: 'A', email: 'b@shop.example' });
  });

  it.each([
    ['nothing', {}, ''],
    ['a field there is not', { plan: 'free' }, 'plan'],
    ['a field that is not to be changed', { merchant_id: THEIRS }, 'merchant_id'],
    ['a setting there is not', { settings: { shards: 3 } }, 'settings.shards'],
    ['no setting', { settings: {} }, 'settings'],
    ['an empty name', { name: '' }, 'name'],
    ['no name', { name: null }, 'name'],
    ['a name with a line break', { name: 'a\nb' }, 'name'],
    ['an address that is none', { email: 'owner@' }, 'email'],
    ['a URL that runs', { store_url: 'javascript:alert(1)' }, 'store_url'],
    ['no whole days', { settings: { retention_days: 1.5 } }, 'settings.retention_days'],
    ['no day', { settings: { retention_days: 0 } }, 'settings.retention_days'],
    ['too many days', { settings: { retention_days: 401 } }, 'settings.retention_days'],
    ['a long wait', { settings: { server_copy_wait_sec: 901 } }, 'settings.server_copy_wait_sec'],
    ['a long wait for a page', { settings: { page_copy_wait_sec: 31 } }, 'settings.page_copy_wait_sec'],
    ['no events', { settings: { events_per_minute_max: 0 } }, 'settings.events_per_minute_max'],
    ['two parameters in one', { settings: { allowed_parameters: ['a=b'] } }, 'settings.allowed_parameters.0'],
    ['no parameter', { settings: { allowed_parameters: [' '] } }, 'settings.allowed_parameters.0'],
    [
      'too many parameters',
      { settings: { allowed_parameters: Array(51).fill('a') } },
      'settings.allowed_parameters',
    ],
    ['an origin with a path', { settings: { origins: ['https://a.example/x'] } }, 'settings.origins.0'],
    ['a pattern', { settings: { origins: ['https://*.example'] } }, 'settings.origins.0'],
    ['too many origins', { settings: { origins: Array(51).fill('https://a.example') } }, 'settings.origins'],
    [
      'a platform that is none',
      { settings: { withhold_personal_from: ['meta', 'orkut'] } },
      'settings.withhold_personal_from.1',
    ],
  ])('refuses %s, names it, and changes nothing', async (_what, body, path) => {
    const reply = await patch(body);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_request']);
    expect((reply.body as { details: { path: string }[] }).details[0]?.path).toBe(path);
    expect(await host.config.merchantNow(MINE)).toEqual(SHOP);
    expect(await host.config.listAudit(MINE, 10)).toEqual([]);
  });
});

describe('ceilings of the operator', () => {
  const ceilings = { retentionDays: 60, browserEventsPerMinute: 3_000 };

  it.each([
    ['events_per_minute_max', 3_001, 3_000],
    ['retention_days', 61, 60],
  ])('refuse a higher %s, naming it and the ceiling, and take as much', async (field, above, ceiling) => {
    const limited = await openApi(() => ({ ceilings }));
    await limited.config.putMerchant({ ...SHOP, retentionDays: 30 });
    const as = limited.session('admin');
    const ask = (value: number) =>
      limited.call('/v1/account', { method: 'PATCH', token: as, body: { settings: { [field]: value } } });
    const refused = await ask(above);
    expect(refused.status).toBe(400);
    const message = expect.stringContaining(`at most ${ceiling}`) as string;
    expect(refused.body).toMatchObject({ details: [{ path: `settings.${field}`, message }] });
    expect((await limited.config.merchantNow(MINE))?.version ?? 0).toBe(0);
    const taken = bodyOf(updateAccount, await ask(ceiling));
    expect(taken.account.settings).toMatchObject({ [field]: ceiling });
  });

  it('hold for what was stored before they did', async () => {
    const limited = await openApi(() => ({ ceilings }));
    const browserIngestion = { enabled: true, origins: [], eventsPerMinuteMax: 600_000 };
    await limited.config.putMerchant({ ...SHOP, retentionDays: 400, browserIngestion });
    const reply = await limited.call('/v1/account', { token: limited.session('admin') });
    const { settings } = bodyOf(getAccount, reply).account;
    expect(settings).toMatchObject({ events_per_minute_max: 3_000, retention_days: 60 });
  });

  it.each([50_000, 500])(
    'are %i browser events a minute where the operator says so of this merchant',
    async (most) => {
      const limited = await openApi(({ config }) => {
        const limits = { browserEventsPerMinute: most };
        const merchantNow: typeof config.merchantNow = async (id) => {
          const merchant = await config.merchantNow(id);
          return merchant === null ? null : { ...merchant, limits };
        };
        const updateMerchant: typeof config.updateMerchant = async (id, ...change) => {
          const merchant = await config.updateMerchant(id, ...change);
          return merchant === null || merchant === 'conflict' ? merchant : { ...merchant, limits };
        };
        return { ceilings, config: { ...config, merchantNow, updateMerchant } };
      });
      await limited.config.putMerchant(SHOP);
      const token = limited.session('owner');
      const ask = (value: number) =>
        limited.call('/v1/account', {
          method: 'PATCH',
          token,
          body: { settings: { events_per_minute_max: value } },
        });
      const refused = await ask(most + 1);
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        400,
        expect.stringContaining(`at most ${most}`),
      ]);
      const taken = bodyOf(updateAccount, await ask(most));
      expect(taken.account.settings.events_per_minute_max).toBe(most);
      const shown = bodyOf(getAccount, await limited.call('/v1/account', { token }));
      expect(shown.account.settings.events_per_minute_max).toBe(most);
    },
  );
});
