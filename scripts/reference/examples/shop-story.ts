// One story of a shop, told through every operation of the event product: it connects a platform, sends what it sold, looks at what
// became of it, and changes its mind. What is kept of it are the examples of openapi.json.
import type { RouteExamples } from '#lib/core/http/route.ts';
import { inviteMember } from '#lib/events/routes/members.ts';
import { createReplay } from '#lib/events/routes/replays.ts';
import { bodyOf, MINE, NOW } from '#test/contract/api-host.ts';
import { MEMORY_SIGNATURE } from '#test/support/memory/payments.ts';
import { COLLEAGUE, openShop, REFUSED_ORDER, type Shop } from './shop.ts';
import { shopAsks } from './shop-questions.ts';

const SEC = NOW / 1_000;
const PAGE = 'https://app.example';
/** Not to be taken for real ones. */
const DUMMY_KEY = `evk_live_${'EXAMPLE'.repeat(6)}E`;
/** As much of a key as is shown later. */
const PREFIX_CHARS = 13;
const DUMMY_TOKEN = 'EXAMPLE-TOKEN-OF-AN-INVITATION';

const purchase = (orderId: string, more: object = {}) => ({
  event_id: orderId,
  event_name: 'Purchase',
  event_time: SEC - 60,
  order_id: orderId,
  value: 59.98,
  currency: 'EUR',
  user_data: { email: 'jane@example.com', client_ip: '203.0.113.7' },
  ...more,
});

async function begins(shop: Shop): Promise<void> {
  const { secret } = await shop.keep('createApiKey', {
    body: { name: 'Web shop', scopes: ['events:write', 'events:read'] },
  });
  shop.hide(secret, DUMMY_KEY);
  shop.hide(secret.slice(0, PREFIX_CHARS), DUMMY_KEY.slice(0, PREFIX_CHARS));
  shop.useKey(secret);
  await shop.keep('getAccount', { entries: 3 });
  await shop.keep('updateAccount', {
    body: {
      onboarding_completed: true,
      settings: { retention_days: 90, time_zone: 'Europe/Berlin', reporting_currency: 'EUR' },
    },
  });
  await shop.keep('putExchangeRates', {
    body: { rates: [{ currency: 'USD', day: '2026-03-02', rate: '0.9213' }] },
  });
  await shop.keep('listExchangeRates');
  const credentials = {
    pixel_id: '1234567890',
    access_token: 'EXAMPLE-ACCESS-TOKEN',
    test_event_code: 'TEST12345',
  };
  const meta = { platform: 'meta', name: 'Main pixel' };
  const { platform } = await shop.keep('connectPlatform', { body: { ...meta, credentials } });
  const renewed = { ...credentials, access_token: 'EXAMPLE-RENEWED-ACCESS-TOKEN' };
  await shop.keep('connectPlatform', { body: { ...meta, credentials: renewed } });
  await shop.keep('testPlatform', { params: { id: platform.id } });
  await shop.keep('createRule', {
    body: {
      name: 'No orders of the staff',
      match: { event_name: ['Purchase'], currency: 'EUR', value_max: 1 },
      action: { type: 'exclude' },
      platforms: ['meta'],
    },
  });
}

async function sells(shop: Shop): Promise<void> {
  await shop.keep('postEvents', {
    body: purchase('order-1001', {
      event_source_url: 'https://shop.example/thanks',
      items: [{ id: 'LAMP-7', quantity: 2, price: 29.99, name: 'Desk lamp' }],
      consent: { ad_user_data: 'granted', ad_storage: 'granted' },
    }),
  });
  const returned = { event_name: 'Refund', order_id: 'order-1001', value: 29.99 };
  await shop.keep('postIngest', {
    body: { events: [purchase(REFUSED_ORDER, { value: 12 }), purchase('return-1001', returned)] },
  });
  const cart = {
    event_name: 'AddToCart',
    event_time: SEC - 300,
    event_source_url: 'https://shop.example/lamps',
    user_data: { browser_ids: { fbp: 'fb.1.1795000000000.1234567890' } },
  };
  await shop.keep('postBrowserEvents', {
    headers: { origin: 'https://shop.example', 'user-agent': 'Mozilla/5.0' },
    body: { merchant_id: MINE, events: [{ event_id: 'cart-1', ...cart }] },
  });
  const who = { userId: 'customer-7', timestamp: '2026-11-20T12:30:00Z' };
  await shop.keep('postSegmentTrack', {
    body: {
      ...who,
      messageId: 'msg-1',
      event: 'Order Completed',
      properties: { order_id: 'order-1004', total: 42, currency: 'EUR' },
    },
  });
  await shop.keep('postSegmentPage', {
    body: { ...who, messageId: 'msg-2', name: 'Lamps', properties: { url: 'https://shop.example/lamps' } },
  });
  await shop.keep('postSegmentScreen', { body: { ...who, messageId: 'msg-3', name: 'Cart' } });
  await shop.keep('postSegmentIdentify', {
    body: { ...who, messageId: 'msg-4', traits: { email: 'jane@example.com' } },
  });
  await shop.keep('postSegmentGroup', { body: { ...who, messageId: 'msg-5', groupId: 'wholesale' } });
  await shop.keep('postSegmentAlias', {
    body: { ...who, messageId: 'msg-6', previousId: 'visitor-7' },
  });
  await shop.keep('postSegmentBatch', {
    body: {
      batch: [{ ...who, type: 'track', messageId: 'msg-7', event: 'Product Viewed' }],
      sentAt: '2026-11-20T12:30:01Z',
    },
  });
  const seen = { type: 'track', anonymousId: 'visitor-7', event: 'Product Viewed' };
  await shop.keep('postBrowserSegment', {
    headers: { authorization: '', origin: 'https://shop.example', 'user-agent': 'Mozilla/5.0' },
    body: { writeKey: MINE, batch: [{ ...seen, messageId: 'msg-8' }], sentAt: '2026-11-20T12:30:01Z' },
  });
  await settle(shop);
}

/** Until what came in is delivered and counted. */
async function settle({ clock, drain }: Shop): Promise<void> {
  for (let step = 0; step < 12; step++) {
    await drain();
    clock.advance(30_000);
  }
}

async function rules(shop: Shop): Promise<void> {
  const half = [{ op: 'override_value', value: 50, currency: 'EUR' }];
  const rule = {
    name: 'Half of the margin',
    match: { currency: 'EUR', value_min: 100 },
    platforms: ['meta'],
  };
  await shop.keep('previewRule', {
    body: { rule: { ...rule, action: { type: 'transform', changes: half } }, last: 10 },
    entries: 1,
  });
  const id = (await shop.keep('listRules')).rules[0]?.id ?? '';
  await shop.keep('updateRule', { params: { id }, body: { enabled: false } });
  await shop.keep('deleteRule', { params: { id } });
}

async function replays(shop: Shop): Promise<void> {
  const { clock, drainPlans } = shop;
  await shop.keep('replayEvent', { params: { id: 'order-1001' }, body: { dedupe: 'original' } });
  await shop.keep('forwardEvent', { params: { id: 'order-1001' }, body: { platforms: ['meta'] } });
  await shop.keep('retryFailed', { params: { id: REFUSED_ORDER }, body: {} });
  const only = { only: 'undelivered', filter: { event_name: 'Purchase' }, platforms: ['meta'] };
  const { replay } = await shop.keep('createReplay', { body: { ...only, dry_run: true } });
  await drainPlans();
  await shop.keep('readReplay', { params: { id: replay.id } });
  const another = { method: 'POST', url: '/v1/replays', body: { ...only, rate: 10 } };
  const { id } = bodyOf(createReplay, await shop.call(another)).replay;
  await shop.keep('changeReplay', { params: { id }, body: { state: 'paused' } });
  await shop.keep('cancelReplay', { params: { id } });
  await shop.keep('listReplays', { query: { limit: '1' } });
  clock.advance(60_000);
}

async function reconciles(shop: Shop): Promise<void> {
  const orders = [
    { order_id: 'order-1001', value: 59.98, currency: 'EUR', time: '2026-11-20T12:33:56Z' },
    { order_id: REFUSED_ORDER, value: '12.00', currency: 'EUR' },
  ];
  const query = { start: '2026-11-20T12:00:00Z', platforms: 'meta' };
  const { reconciliation } = await shop.keep('createReconciliation', { query, body: { orders } });
  const params = { id: reconciliation.id };
  await settle(shop);
  await shop.keep('readReconciliation', { params });
  await shop.keep('listReconciliations', { query: { limit: '1' } });
  await shop.keep('listReconciledOrders', { params, query: { status: 'missing', limit: '1' } });
  await shop.keep('replayReconciliation', { params, body: { platform: 'meta', dry_run: true } });
}

async function team(shop: Shop): Promise<void> {
  const invited = { role: 'member', email: 'ada@shop.example' };
  const { token } = await shop.keep('inviteMember', { body: invited });
  shop.hide(token, DUMMY_TOKEN);
  const another = { ...invited, email: 'bob@shop.example' };
  const open = await shop.call({ method: 'POST', url: '/v1/members/invitations', body: another });
  const headers = { authorization: `Bearer ${COLLEAGUE}` };
  await shop.keep('acceptInvitation', { headers, body: { token } });
  await shop.keep('getPerson', { headers });
  await shop.keep('listMembers');
  await shop.keep('withdrawInvitation', { params: { id: bodyOf(inviteMember, open).invitation.id } });
  await shop.keep('changeMember', { params: { id: COLLEAGUE }, body: { role: 'admin' } });
  await shop.keep('removeMember', { params: { id: COLLEAGUE } });
  const own = { name: 'Ada’s Shop', email: invited.email, time_zone: 'Europe/Berlin' };
  await shop.keep('createMerchant', { headers, body: own });
}

async function pays(shop: Shop): Promise<void> {
  await shop.keep('listBillingPlans');
  const back = { success_url: `${PAGE}/billing`, cancel_url: `${PAGE}/billing` };
  await shop.keep('openBillingCheckout', { body: { plan: 'growth', ...back } });
  await shop.keep('openBillingPortal', { body: { return_url: `${PAGE}/billing` } });
  await shop.keep('getBillingUsage', { entries: 1 });
  await shop.keep('takeBillingEvent', { headers: { 'stripe-signature': MEMORY_SIGNATURE } });
}

async function suppresses(shop: Shop): Promise<void> {
  const set = (suppression: string) =>
    shop.call({ method: 'PATCH', url: '/v1/account', body: { settings: { suppression } } });
  await set('without_identity');
  await shop.keep('suppressPerson', { body: { email: 'jane@example.com' } });
  const people = [{ email: 'jane@example.com' }, { external_id: 'cust-7' }];
  await shop.keep('importSuppressed', { body: { people } });
  await shop.keep('countSuppressed');
  await shop.keep('unsuppressPerson', { query: { email: 'jane@example.com' } });
  await set('off');
}

async function ends(shop: Shop): Promise<void> {
  const { erasure } = await shop.keep('createErasure', { body: { email: 'jane@example.com' } });
  await settle(shop);
  await shop.keep('readErasure', { params: { id: erasure.id } });
  await shop.keep('listErasures', { query: { limit: '1' } });
  const keys = await shop.keep('listApiKeys');
  await shop.keep('revokeApiKey', { params: { id: keys.api_keys[0]?.id ?? '' } });
  await shop.keep('listIncidents', { entries: 1 });
  const { platforms } = await shop.keep('listPlatforms', { entries: 1 });
  const params = { id: platforms[0]?.id ?? '' };
  await shop.keep('updatePlatform', { params, body: { name: 'Main shop', status: 'paused' } });
  await shop.keep('disconnectPlatform', { params });
  await shop.keep('listAuditLog', { query: { limit: '2' } });
  await shop.keep('getDocs');
  await shop.keep('getDocsStart');
}

/** By the id of the operation. The same bytes every time. */
export async function eventExamples(): Promise<Readonly<Record<string, RouteExamples>>> {
  const shop = await openShop();
  for (const part of [begins, sells, shopAsks, rules, replays, reconciles, team, pays, suppresses, ends])
    await part(shop);
  return shop.examples();
}
