// Goal: every code of the catalogue is answered. Method: one request for each, at the front that answers it; a code without
// a request here does not compile, and one that nothing answers any more fails.
import { afterEach, expect, it } from 'vitest';
import { IDEMPOTENT_ANSWER_MAX_BYTES } from '../../lib/core/http/idempotency.ts';
import { ACTIVE_KEYS_MAX } from '../../lib/core/tenancy/api-key.ts';
import { MEMBERS_MAX } from '../../lib/core/tenancy/team.ts';
import { dayOf } from '../../lib/core/work/utc-day.ts';
import { TARGETS_MAX } from '../../lib/events/domain/connections/target.ts';
import type { AcceptedRow, NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { testIdOf } from '../../lib/events/domain/event/test-mode.ts';
import { PLAN_LIMITS } from '../../lib/events/domain/replays/plan.ts';
import { RULE_LIMITS } from '../../lib/events/domain/rules/rule.ts';
import samples from '../../lib/events/platforms/sample-credentials.json' with { type: 'json' };
import type { ProviderSubscription } from '../../lib/events/ports/payment-provider.ts';
import { EVENTS_ERRORS, type EventsErrorCode } from '../../lib/events/routes/errors.ts';
import { createReconciliation } from '../../lib/events/routes/orders/reconciliations.ts';
import { createReplay } from '../../lib/events/routes/replays.ts';
import { createServerLimit } from '../../services/events/ingestion/server-limit.ts';
import { closeChats, openChat } from '../support/ai-chat.ts';
import {
  BROWSER,
  MERCHANT,
  purchase,
  request,
  send,
  testIngestion,
  testMerchant,
} from '../support/ingestion.ts';
import { createMemoryLeaseStore } from '../support/memory/lease-store.ts';
import { createMemoryPayments } from '../support/memory/payments.ts';
import { sampleRule } from '../support/sample-rule.ts';
import { transportApp } from '../support/transport-routes.ts';
import { type ApiRequest, bodyOf, codeOf, MINE, NOW, openApi, PAGE, THEIRS } from './api-host.ts';
import { finishReconciliations } from './reconciled.ts';
import { acceptedRow, count, deliveryIn, normalizedRow, store } from './stored-rows.ts';

interface Answer {
  readonly status: number;
  readonly code: unknown;
}

type Host = Awaited<ReturnType<typeof openApi>>;

async function answered(asked: ReturnType<Host['call']>): Promise<Answer> {
  const reply = await asked;
  return { status: reply.status, code: codeOf(reply) };
}

const post = (host: Host, url: string, body: unknown, token = host.session()): Promise<Answer> =>
  answered(host.call(url, { method: 'POST', token, body }));

async function api(
  url: string,
  asked: ApiRequest = {},
  changes?: Parameters<typeof openApi>[0],
): Promise<Answer> {
  const host = await openApi(changes);
  return answered(host.call(url, { token: host.session('owner'), ...asked }));
}

const failing = (error: Error): Parameters<typeof openApi>[0] => {
  const fail = () => Promise.reject(error);
  return () => ({ events: { read: fail, readMany: fail, received: fail } });
};

/** Meta and LinkedIn are connected. */
async function connectedHost() {
  const host = await openApi();
  const token = host.session('owner');
  for (const platform of ['meta', 'linkedin'] as const)
    await host.call('/v1/platforms', {
      method: 'POST',
      token,
      body: { platform, credentials: samples[platform] },
    });
  return { host, token };
}

async function connected(platform: 'linkedin', path: (id: string) => string): Promise<Answer> {
  const host = await openApi();
  const token = host.session();
  const body = { platform, credentials: samples[platform] };
  const made = await host.call('/v1/platforms', { method: 'POST', token, body });
  const { id } = (made.body as { platform: { id: string } }).platform;
  return answered(host.call(path(id), { method: 'POST', token }));
}

async function ingest(
  body: unknown,
  times = 1,
  path = '/v1/events',
  ports: Parameters<typeof testIngestion>[0] = {},
): Promise<Answer> {
  const { app } = testIngestion(ports);
  let answer: Answer = { status: 0, code: undefined };
  for (let i = 0; i < times; i++) {
    const { status, json } = await send(app, request(path, body));
    answer = { status, code: json.code };
  }
  return answer;
}

const viewed = (i: number) => purchase({ event_id: `v${i}`, merchant_id: MERCHANT, user_data: {} });

/** A browser's event, to a merchant with these settings. */
async function browse(
  settings: Parameters<typeof testMerchant>[0] | null,
  part: Parameters<typeof testIngestion>[1] = 'browser',
): Promise<Answer> {
  const merchant = async () => (settings === null ? null : testMerchant(settings));
  const { app } = testIngestion({ config: { apiKey: async () => null, merchant } }, part);
  const asked = request('/v1/browser/events', viewed(1), { 'user-agent': BROWSER });
  const { status, json } = await send(app, asked);
  return { status, code: json.code };
}

async function replayOf(
  row: AcceptedRow | NormalizedRow,
  change: (host: Host, row: AcceptedRow | NormalizedRow) => void = () => {},
  how = 'replay',
): Promise<Answer> {
  const host = await openApi();
  await store(host.events, row);
  change(host, row);
  return answered(host.call(`/v1/events/e/${how}`, { method: 'POST', token: host.session() }));
}

async function asAdmin(url: string, asked: ApiRequest): Promise<Answer> {
  const host = await openApi();
  return answered(host.call(url, { token: host.session('admin'), ...asked }));
}

const ACCEPT = '/v1/members/invitations/accept';
async function* nothing(): AsyncGenerator<never> {}

/** The last of these answers, to one application whose routes use all there is. */
async function changed(
  ...sent: readonly { readonly value: string; readonly headers?: Readonly<Record<string, string>> }[]
): Promise<Answer> {
  const { app, idempotency } = transportApp(nothing);
  let answer: Answer = { status: 0, code: undefined };
  for (const { value, headers = {} } of sent) {
    if (value === 'running') {
      const [id = '', kept] = [...idempotency.kept][0] ?? [];
      Object.assign(kept ?? {}, { answer: null });
      expect(id).not.toBe('');
    }
    const { statusCode: status, payload } = await app.inject({
      method: 'POST',
      url: '/changes/1',
      headers: { authorization: `${MINE}/owner`, ...headers },
      payload: { value: value === 'running' ? 'a' : value },
    });
    answer = { status, code: (JSON.parse(payload) as { code?: string }).code };
  }
  return answer;
}
const keyed = { headers: { 'idempotency-key': 'k' } };

const QUESTION = { method: 'POST', body: { messages: [{ role: 'user', content: 'Hi' }] } } as const;
async function chat(changes: Parameters<typeof openChat>[1], more: object = {}): Promise<Answer> {
  const { host } = await openChat(() => ({ text: 'Hi' }), changes);
  const body = { ...QUESTION.body, ...more };
  return answered(host.call('/v1/ai/chat', { method: 'POST', token: host.session(), body }));
}
const SUBSCRIBED: ProviderSubscription = {
  id: 'sub_1',
  itemId: 'si_1',
  status: 'active',
  lookupKey: 'millrace_growth_monthly',
  periodStartMs: 0,
  periodEndMs: 1,
  cancelAtMs: null,
  createdAtMs: 0,
};

const ANSWERED: Readonly<Record<EventsErrorCode, () => Promise<Answer>>> = {
  invalid_json: () => ingest('{'),
  invalid_request: () => ingest(purchase({ event_time: 'soon' })),
  platform_not_deployed: async () => {
    const host = await openApi(() => ({ platforms: [] }));
    const body = { platform: 'meta', credentials: samples.meta };
    const refused = await answered(
      host.call('/v1/platforms', { method: 'POST', token: host.session('owner'), body }),
    );
    const listed = await host.call('/v1/platforms', { token: host.session('owner') });
    expect(listed.body).toMatchObject({ platforms: [], available: [] });
    return refused;
  },
  experimental_unconfirmed: () =>
    api('/v1/platforms', { method: 'POST', body: { platform: 'amazon', credentials: samples.amazon } }),
  unauthorized: () => api('/v1/events', { token: 'nobody' }),
  forbidden: async () => {
    const host = await openApi();
    const { key } = await host.keyFor(['events:write']);
    return answered(host.call('/v1/events', { token: key }));
  },
  merchant_suspended: async () => {
    const host = await openApi();
    const { key } = await host.keyFor(['admin'], MINE, { suspendedAtMs: NOW });
    return answered(host.call('/v1/events', { token: key }));
  },
  merchant_required: async () => {
    const host = await openApi();
    for (const merchantId of [MINE, THEIRS])
      await host.config.putMember({ sub: 'both', merchantId, role: 'owner' });
    return answered(host.call('/v1/events', { token: 'session-both' }));
  },
  merchant_mismatch: () => ingest(purchase({ merchant_id: '8f14e45f-ceea-467f-a111-00000000ffff' })),
  browser_ingestion_disabled: () => browse({ enabled: false }),
  origin_not_allowed: () => browse({ origins: ['https://shop.example'] }),
  unknown_merchant: () => browse(null),
  event_limit_reached: () =>
    ingest(purchase(), 3, '/v1/events', {
      limit: createServerLimit(createMemoryLeaseStore(), { eventsPerMinute: 1, eventsPerDay: 1 }),
    }),
  browser_limit_reached: () => browse({ eventsPerMinuteMax: 0 }),
  misdirected_request: () => browse({}, 'server'),
  not_found: () => api('/v1/events/nothing'),
  route_not_found: () => api('/v1/nothing'),
  method_not_allowed: () => api('/v1/events', { method: 'DELETE' }),
  duplicate_event: () => ingest(purchase(), 2),
  test_mode_unavailable: () => connected('linkedin', (id) => `/v1/platforms/${id}/test`),
  precondition_failed: () => changed({ value: 'a', headers: { 'if-match': '"0"' } }),
  idempotency_key_reused: () => changed({ value: 'a', ...keyed }, { value: 'b', ...keyed }),
  idempotency_key_in_use: () => changed({ value: 'a', ...keyed }, { value: 'running', ...keyed }),
  idempotent_answer_too_large: () => {
    const value = 'x'.repeat(IDEMPOTENT_ANSWER_MAX_BYTES);
    return changed({ value, ...keyed }, { value, ...keyed });
  },
  personal_data_erased: async () => {
    const host = await openApi();
    const row = normalizedRow({ eventId: 'old' });
    await store(host.events, row);
    host.eventVault.eraseDay(MINE, dayOf(row.receivedAtMs));
    const body = { platform: 'meta', event_id: 'old' };
    return post(host, '/v1/platforms/preview', body);
  },
  too_many_rules: async () => {
    const host = await openApi();
    const rules = Array.from({ length: RULE_LIMITS.rulesMax }, (_, i) => sampleRule({ id: `rul_${i}` }));
    await host.config.changeRules(MINE, () => ({ rules, answer: null }));
    const body = { name: 'One more', action: { type: 'exclude' } };
    return post(host, '/v1/rules', body);
  },
  event_processing: () => replayOf(acceptedRow({ eventId: 'e' })),
  event_test: () => replayOf(normalizedRow({ eventId: testIdOf('e') })),
  event_erased: () =>
    replayOf(normalizedRow({ eventId: 'e' }), (host, row) =>
      host.eventVault.eraseDay(MINE, dayOf(row.receivedAtMs)),
    ),
  event_unreadable: () => {
    const { event, ...row } = normalizedRow({ eventId: 'e' });
    return replayOf({ ...row, event: { ...event, sealed: 'garbage' } });
  },
  connection_removed: () =>
    replayOf(
      normalizedRow({ eventId: 'e', deliveries: { meta: deliveryIn('FAILED') } }),
      undefined,
      'retry-failed',
    ),
  nothing_to_retry: () => replayOf(normalizedRow({ eventId: 'e' }), undefined, 'retry-failed'),
  too_many_replays: async () => {
    const host = await openApi();
    const ask = () =>
      host.call('/v1/replays', { method: 'POST', token: host.session(), body: { only: 'all' } });
    for (let i = 0; i < PLAN_LIMITS.activeMax; i++) expect((await ask()).status).toBe(202);
    return answered(ask());
  },
  suppression_off: async () => {
    const host = await openApi();
    return post(host, '/v1/privacy/suppressions', { email: 'jane@shop.example' });
  },
  reconciliation_running: async () => {
    const { host, token } = await connectedHost();
    const body = { orders: [{ order_id: '1' }] };
    const made = await host.call('/v1/reconciliations', { method: 'POST', token, body });
    const { id } = bodyOf(createReconciliation, made).reconciliation;
    return answered(host.call(`/v1/reconciliations/${id}/orders`, { token }));
  },
  nothing_to_replay: async () => {
    const { host, token } = await connectedHost();
    const body = { orders: [{ order_id: 'nobody' }] };
    const made = await host.call('/v1/reconciliations', { method: 'POST', token, body });
    const { id } = bodyOf(createReconciliation, made).reconciliation;
    host.clock.advance(16_000);
    await finishReconciliations(host);
    const asked = { method: 'POST', token, body: { platform: 'meta' } };
    return answered(host.call(`/v1/reconciliations/${id}/replay`, asked));
  },
  replay_over: async () => {
    const host = await openApi();
    const token = host.session();
    const made = await host.call('/v1/replays', { method: 'POST', token, body: { only: 'all' } });
    const { id } = bodyOf(createReplay, made).replay;
    expect((await host.call(`/v1/replays/${id}`, { method: 'DELETE', token })).status).toBe(200);
    return answered(host.call(`/v1/replays/${id}`, { method: 'DELETE', token }));
  },
  too_much_to_verify: async () => {
    const host = await openApi();
    await count(host.counters, 'minute', NOW - (NOW % 600_000), { events: 100_000 });
    const body = { start: new Date(NOW - (NOW % 600_000)).toISOString() };
    return post(host, '/v1/analytics/verify', body);
  },
  owner_required: async () => asAdmin('/v1/members/mine-owner', { method: 'DELETE' }),
  grant_exceeded: async () => {
    const host = await openApi();
    const { key } = await host.keyFor(['admin'], MINE, { expiresAtMs: NOW + 1_000 });
    const body = { name: 'For ever', scopes: ['events:write'] };
    return post(host, '/v1/api-keys', body, key);
  },
  invitation_not_found: () => api(ACCEPT, { method: 'POST', body: { token: 'evi_none' } }),
  conflict: () => changed({ value: 'taken' }),
  last_owner: () => api('/v1/members/mine-owner', { method: 'DELETE' }),
  already_member: async () => {
    const host = await openApi();
    const token = host.session('admin');
    const body = { email: 'a@shop.example', role: 'member' };
    const made = await host.call('/v1/members/invitations', { method: 'POST', token, body });
    return answered(
      host.call(ACCEPT, {
        method: 'POST',
        token: host.session(),
        body: { token: (made.body as { token: string }).token },
      }),
    );
  },
  team_limit: async () => {
    const host = await openApi();
    for (let i = 0; i < MEMBERS_MAX; i++)
      await host.config.putMember({ sub: `more-${i}`, merchantId: MINE, role: 'member' });
    const body = { email: 'a@shop.example', role: 'member' };
    return post(host, '/v1/members/invitations', body);
  },
  api_key_limit: async () => {
    const host = await openApi();
    for (let i = 0; i < ACTIVE_KEYS_MAX.evk; i++) await host.keyFor(['events:write']);
    const body = { name: 'One more', scopes: ['events:write'] };
    return post(host, '/v1/api-keys', body);
  },
  sign_up_closed: async () =>
    post(await openApi(), '/v1/merchants', { name: 'Shop', email: 'a@shop.example' }),
  sign_up_limit: async () => {
    const rules = { shops: 1, perAddress: 5, serverEventsPerDay: 1, browserEventsPerMinute: 1 };
    const signUp = { rules, shares: createMemoryLeaseStore() };
    const body = { name: 'Shop', email: 'a@shop.example' };
    return post(await openApi(() => ({ signUp })), '/v1/merchants', body);
  },
  version_refused: async () => {
    const host = await openApi();
    const body = { platform: 'meta', credentials: { ...samples.meta, test_event_code: 'TEST1' } };
    const made = await host.call('/v1/platforms', { method: 'POST', token: host.session(), body });
    const { id } = (made.body as { platform: { id: string } }).platform;
    const move = { method: 'PATCH', token: host.session(), body: { api_version: 'v25.0' } } as const;
    return answered(host.call(`/v1/platforms/${id}`, move));
  },
  already_connected: async () => {
    const host = await openApi();
    const connect = (pixel_id: string) => {
      const body = { platform: 'meta', credentials: { ...samples.meta, pixel_id } };
      return host.call('/v1/platforms', { method: 'POST', token: host.session(), body });
    };
    await connect('1234567890');
    return answered(connect('9876543210'));
  },
  connection_limit: async () => {
    const host = await openApi();
    const body = { platform: 'linkedin', credentials: samples.linkedin, another: true };
    const ask = () => host.call('/v1/platforms', { method: 'POST', token: host.session(), body });
    for (let i = 0; i < TARGETS_MAX; i++) await ask();
    return answered(ask());
  },
  invalid_signature: () => api('/v1/billing/webhook', { method: 'POST', body: '{}' }),
  plan_active: async () => {
    const payments = { ...createMemoryPayments(), subscriptions: async () => [SUBSCRIBED] };
    const host = await openApi(() => ({ payments: async () => payments }));
    const body = { plan: 'growth', success_url: `${PAGE}/` };
    const asked = { method: 'POST', token: host.session(), body };
    await host.call('/v1/billing/checkout', asked);
    return answered(host.call('/v1/billing/checkout', asked));
  },
  billing_customer_missing: () => api('/v1/billing/portal', { method: 'POST', body: {} }),
  billing_not_configured: () => {
    const missing = [{ path: 'stripeSecretKeyParameter', message: 'must be set' }];
    const asked = { method: 'POST', body: {} };
    return api('/v1/billing/portal', asked, () => ({ payments: async () => ({ missing }) }));
  },
  payload_too_large: () => ingest(purchase({ order_id: 'x'.repeat(9_000_000) })),
  unsupported_media_type: () =>
    api('/v1/platforms', { method: 'POST', body: 'x', headers: { 'content-type': 'text/csv' } }),
  rate_limited: async () => {
    const { app } = testIngestion();
    let answer: Answer = { status: 0, code: undefined };
    for (let i = 0; i < 100 && answer.status !== 429; i++) {
      const { status, json } = await send(
        app,
        request('/v1/browser/events', viewed(i), { 'user-agent': BROWSER }),
      );
      answer = { status, code: json.code };
    }
    return answer;
  },
  ai_not_configured: () => api('/v1/ai/chat', QUESTION),
  ai_unavailable: () => chat({ model: () => Promise.reject(new Error('no key')) }),
  ai_limit_reached: () => chat({ limits: { requestsPerMinute: 1, requests: 0, tokens: 1 } }),
  confirmation_not_found: () => chat({}, { confirm: 'none' }),
  internal_error: () => api('/v1/events/x', {}, failing(new TypeError('a bug'))),
  unavailable: () =>
    api('/v1/events/x', {}, failing(Object.assign(new Error('away'), { name: 'TimeoutError' }))),
};

afterEach(closeChats);

it.each(Object.keys(EVENTS_ERRORS) as EventsErrorCode[])('%s is answered with its status', async (code) => {
  expect(await ANSWERED[code]()).toEqual({ status: EVENTS_ERRORS[code].status, code });
});
