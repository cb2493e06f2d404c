// Goal: nothing changes without a trace, and a change has exactly one. Method: every route that is no reading is called, and
// the trail around it is let down at each of its writes. A new route without a call here fails.
import { describe, expect, it } from 'vitest';
import { isReading } from '../../lib/core/audit-log/audited.ts';
import { routesOf } from '../../lib/events/routes/every-route.ts';
import { createReplay } from '../../lib/events/routes/replays.ts';
import { type ApiHost, type ApiRequest, bodyOf, MINE, NOW, openApi, PAGE } from './api-host.ts';
import { reconciled } from './reconciled.ts';
import { deliveryIn, normalizedRow, store } from './stored-rows.ts';

interface Change {
  readonly url: string;
  readonly body?: unknown;
  readonly token?: string;
}

const META = {
  platform: 'meta',
  credentials: { pixel_id: '1234567890', access_token: 'x'.repeat(20), test_event_code: 'TEST1' },
};
const PERSON = { email: 'jane@shop.example', role: 'member' };
const CHECKOUT = { plan: 'growth', success_url: `${PAGE}/` };
const SECRETS = /evk_|evi_|jane@|x{20}/;

async function prepared<T>(host: ApiHost, url: string, body: unknown, read: (reply: T) => string) {
  const reply = await host.call(url, { method: 'POST', token: host.session(), body });
  expect(reply.status, reply.text).toBe(201);
  return read(reply.body as T);
}
const JANE = { email: 'jane@shop.example' };
const profiled = (host: ApiHost) =>
  host.config.putMerchant({
    merchantId: MINE,
    name: 'Shop',
    email: 'a@shop.example',
    onboardingStep: 'done',
    onboardingCompleted: true,
    createdAtMs: NOW,
    browserIngestion: { enabled: true, origins: [] },
    reportingCurrency: 'EUR',
  });
const suppressing = async (host: ApiHost) => {
  await profiled(host);
  await host.config.updateMerchant(MINE, { suppression: 'not_sent' });
};
const metaOf = (host: ApiHost) =>
  prepared(host, '/v1/platforms', META, (reply: { platform: { id: string } }) => reply.platform.id);
const invited = (host: ApiHost, what: 'token' | 'id') =>
  prepared(host, '/v1/members/invitations', PERSON, (reply: { token: string; invitation: { id: string } }) =>
    what === 'token' ? reply.token : reply.invitation.id,
  );

/** An event that failed at a platform that is connected. */
async function failed(host: ApiHost): Promise<string> {
  await metaOf(host);
  const delivery = deliveryIn('FAILED');
  await store(host.events, normalizedRow({ eventId: 'e', deliveries: { meta: delivery } }));
  return '/v1/events/e';
}
async function planned(host: ApiHost): Promise<string> {
  const body = { only: 'all' };
  const reply = await host.call('/v1/replays', { method: 'POST', token: host.session(), body });
  return `/v1/replays/${bodyOf(createReplay, reply).replay.id}`;
}

const RULE = { name: 'No refunds', match: { event_name: ['Refund'] }, action: { type: 'exclude' } };
const ruled = (host: ApiHost) =>
  prepared(host, '/v1/rules', RULE, (reply: { rule: { id: string } }) => reply.rule.id);

/** A request of each operation that is granted, and what makes it possible. */
const CHANGES: Readonly<Record<string, (host: ApiHost) => Promise<Change>>> = {
  connectPlatform: async () => ({ url: '/v1/platforms', body: META }),
  updatePlatform: async (host) => ({
    url: `/v1/platforms/${await metaOf(host)}`,
    body: { credentials: { access_token: 'x'.repeat(20) } },
  }),
  disconnectPlatform: async (host) => ({ url: `/v1/platforms/${await metaOf(host)}` }),
  testPlatform: async (host) => ({ url: `/v1/platforms/${await metaOf(host)}/test` }),
  updateAccount: async (host) => {
    await profiled(host);
    return { url: '/v1/account', body: { name: 'Renamed' } };
  },
  putExchangeRates: async (host) => {
    await profiled(host);
    return {
      url: '/v1/account/rates',
      body: { rates: [{ currency: 'USD', day: '2026-03-01', rate: '0.9' }] },
    };
  },
  createRule: async () => ({ url: '/v1/rules', body: RULE }),
  updateRule: async (host) => ({ url: `/v1/rules/${await ruled(host)}`, body: { enabled: false } }),
  deleteRule: async (host) => ({ url: `/v1/rules/${await ruled(host)}` }),
  createErasure: async () => ({ url: '/v1/privacy/erasures', body: { email: 'jane@shop.example' } }),
  suppressPerson: async (host) => {
    await suppressing(host);
    return { url: '/v1/privacy/suppressions', body: JANE };
  },
  importSuppressed: async (host) => {
    await suppressing(host);
    return { url: '/v1/privacy/suppressions/import', body: { people: [JANE] } };
  },
  unsuppressPerson: async (host) => {
    await suppressing(host);
    await host.call('/v1/privacy/suppressions', { method: 'POST', token: host.session(), body: JANE });
    return { url: `/v1/privacy/suppressions?${new URLSearchParams(JANE)}` };
  },
  createApiKey: async () => ({ url: '/v1/api-keys', body: { name: 'Server', scopes: ['events:write'] } }),
  revokeApiKey: async (host) => ({ url: `/v1/api-keys/${(await host.keyFor(['events:read'])).keyId}` }),
  inviteMember: async () => ({ url: '/v1/members/invitations', body: PERSON }),
  acceptInvitation: async (host) => ({
    url: '/v1/members/invitations/accept',
    body: { token: await invited(host, 'token') },
    token: 'session-newcomer',
  }),
  withdrawInvitation: async (host) => ({ url: `/v1/members/invitations/${await invited(host, 'id')}` }),
  changeMember: async () => ({ url: '/v1/members/mine-member', body: { role: 'admin' } }),
  removeMember: async () => ({ url: '/v1/members/mine-member' }),
  replayEvent: async (host) => ({ url: `${await failed(host)}/replay` }),
  forwardEvent: async (host) => ({ url: `${await failed(host)}/forward`, body: { platforms: ['meta'] } }),
  retryFailed: async (host) => ({ url: `${await failed(host)}/retry-failed` }),
  createReplay: async () => ({ url: '/v1/replays', body: { only: 'all' } }),
  createReconciliation: async (host) => {
    await metaOf(host);
    return { url: '/v1/reconciliations', body: { orders: [{ order_id: '1001' }] } };
  },
  replayReconciliation: async (host) => {
    await metaOf(host);
    const id = await reconciled(host, { owner: 'mine', merchantId: MINE });
    return { url: `/v1/reconciliations/${id}/replay`, body: { platform: 'meta' } };
  },
  changeReplay: async (host) => ({ url: await planned(host), body: { state: 'paused' } }),
  openBillingCheckout: async () => ({ url: '/v1/billing/checkout', body: CHECKOUT }),
  openBillingPortal: async (host) => {
    await host.call('/v1/billing/checkout', { method: 'POST', token: host.session(), body: CHECKOUT });
    return { url: '/v1/billing/portal', body: {} };
  },
  cancelReplay: async (host) => ({ url: await planned(host) }),
};

const MUTATING = routesOf('api').filter(
  // What makes a merchant is in the log of that merchant: sign-up.test.ts.
  (route) => !isReading(route) && route.auth !== 'public' && route.id !== 'createMerchant',
);
const names = MUTATING.map(({ id }) => id);

async function send(host: ApiHost, id: string, change: Change) {
  const route = MUTATING.find((one) => one.id === id);
  const request: ApiRequest = {
    method: route?.method ?? '',
    token: change.token ?? host.session(),
    ...(change.body === undefined ? {} : { body: change.body }),
  };
  return await host.call(change.url, request);
}

/** Ready for the change, and what the trail held before it. */
async function ready(id: string, changes?: Parameters<typeof openApi>[0]) {
  const host = await openApi(changes);
  const change = await CHANGES[id]?.(host);
  if (change === undefined) throw new Error(`${id} has no call here`);
  const seen = new Set((await host.config.listAudit(MINE, 100)).map((entry) => entry.id));
  host.clock.advance(1);
  const fresh = async () => (await host.config.listAudit(MINE, 100)).filter((entry) => !seen.has(entry.id));
  const open = async () => await host.config.openAudits(MINE, NOW + 86_400_000, 100);
  return { host, change, fresh, open };
}

/** `openApi` whose audit log fails as told, once it is armed. */
function failing(method: 'beginAudit' | 'endAudit') {
  const state = { armed: false };
  const changes: Parameters<typeof openApi>[0] = ({ config }) => ({
    config: {
      ...config,
      [method]: async (...args: [never, never]) => {
        if (state.armed) throw Object.assign(new Error('away'), { name: 'TimeoutError' });
        await (config[method] as (...args: [never, never]) => Promise<void>)(...args);
      },
    },
  });
  return { state, changes };
}

it('has a call for every route that changes something', () => {
  expect(Object.keys(CHANGES).sort()).toEqual([...names].sort());
});

describe.each(names)('%s', (id) => {
  it('leaves exactly one entry, with nothing secret in it', async () => {
    const { host, change, fresh, open } = await ready(id);
    const reply = await send(host, id, change);
    expect(reply.status, reply.text).toBeLessThan(300);
    const entries = await fresh();
    const actor = `user:${(change.token ?? host.session()).slice('session-'.length)}`;
    expect(entries).toMatchObject([{ merchantId: MINE, actor, atMs: NOW + 1 }]);
    expect(entries[0]).not.toHaveProperty('outcome');
    expect(JSON.stringify(entries)).not.toMatch(SECRETS);
    expect(await open()).toEqual([]);
  });

  it('does nothing where its intent cannot be written down', async () => {
    const { state, changes } = failing('beginAudit');
    const { host, change, fresh } = await ready(id, changes);
    const before = await stored(host);
    state.armed = true;
    expect((await send(host, id, change)).status).toBe(503);
    expect(await stored(host)).toEqual(before);
    expect(await fresh()).toEqual([]);
  });

  it('is in the log also where its entry could not be written, and the caller is told it is done', async () => {
    const { state, changes } = failing('endAudit');
    const { host, change } = await ready(id, changes);
    state.armed = true;
    const reply = await send(host, id, change);
    expect(reply.status, reply.text).toBeLessThan(300);
    expect(host.reports.map(({ problem }) => problem)).toContain(
      'an audit entry was not written; its intent was',
    );
    state.armed = false;
    host.clock.advance(300_001);
    const asked = { token: host.session('owner') };
    for (let i = 0; i < 2; i++) {
      const log = (await host.call('/v1/audit-log', asked)).body as { entries: { outcome: string }[] };
      expect(log.entries.filter(({ outcome }) => outcome === 'unknown')).toMatchObject([{ action: id }]);
    }
  });
});

it('leaves nothing of what was refused', async () => {
  const host = await openApi();
  for (const route of MUTATING) {
    const url = route.path.replaceAll(/:\w+/g, 'nothing');
    for (const token of [host.session('owner'), host.session('member'), 'nobody'])
      await host.call(url, { method: route.method, token, ...(route.body ? { body: {} } : {}) });
  }
  expect(await host.config.listAudit(MINE, 10)).toEqual([]);
  expect(await host.config.openAudits(MINE, NOW + 1, 10)).toEqual([]);
});

/** Everything these routes change. */
const stored = async ({ config, events, ports }: ApiHost) => ({
  events: events.rows(),
  replays: await ports.replaying.plans.listPlans(MINE, 10),
  reconciliations: await ports.reconciling.jobs.listReconciliations(MINE, 10),
  team: await config.team(MINE),
  keys: await config.listApiKeys(MINE),
  merchant: await config.merchantNow(MINE),
  connections: await config.listConnections(MINE),
  billing: await ports.billing.billing(MINE),
});
