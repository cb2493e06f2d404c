import { EVENT_NAMES } from '#lib/events/domain/event/names.ts';
import type { PostbackCredentials } from '#lib/events/platforms/postback/credentials.ts';
import { SAMPLE_HASHED, SAMPLE_RAW, sampleEvent } from '#test/support/sample-event.ts';
import { answer, examplesOf, type PlatformExample } from '../platform-example.ts';

/** Event types by id, and one by code. */
const EVENT_IDS = {
  ...Object.fromEntries(
    EVENT_NAMES.filter((name) => name !== 'Refund').map((name, i) => [name, String(8_172 + i)]),
  ),
  Custom: 'SHOP_CUSTOM',
};
const impact: PostbackCredentials = {
  network: 'impact',
  account_id: 'IRSandboxAccountSid01',
  api_key: 'sandbox-auth-token-01',
  campaign_id: '3641',
  event_ids: EVENT_IDS,
  conversion_id: 'event_id',
};
const byOrder = { conversion_id: 'order_id', event_ids: { Purchase: 'purchase' } } as const;
const basic = Buffer.from('IRSandboxAccountSid01:sandbox-auth-token-01').toString('base64');
const json = { 'content-type': 'application/json' };
const at = (clicks: object) => sampleEvent({ raw: { ...SAMPLE_RAW, browserIds: { ...clicks } } });
const no204 = { kind: 'response', status: 204, headers: {}, body: '' } as const;

const IMPACT = {
  CampaignId: 3641,
  EventTypeId: 8184,
  EventDate: '2026-11-20T12:00:00.000Z',
  OrderId: 'order-1001',
  ClickId: 'QiiWXOVnrQ3SQHl24jQjyxBGUkmzfJ3i1VHrWM0',
  CustomerId: SAMPLE_HASHED.externalIdsCased?.[0],
  CustomerEmail: SAMPLE_HASHED.emailPlain,
  Amount: 59.98,
  CurrencyCode: 'USD',
  IpAddress: '203.0.113.7',
  UserAgent: SAMPLE_RAW.userAgent,
};
const ofImpact = {
  credentials: impact,
  context: { test: false },
  url: 'https://api.impact.com/Advertisers/IRSandboxAccountSid01/Conversions',
  headers: { ...json, accept: 'application/json', authorization: `Basic ${basic}` },
};
const refused = { field: 'EventDate', level: 'ERROR', message: 'is before the click' };

const atImpact = examplesOf<PostbackCredentials>(ofImpact, [
  {
    title: 'Impact: a purchase with everything known about the person',
    events: [sampleEvent()],
    body: IMPACT,
    response: answer(200, {
      Status: 'QUEUED',
      QueuedUri: '/Advertisers/IRSandboxAccountSid01/APISubmissions/1',
    }),
  },
  {
    title: 'Impact: a field that it refuses is named, and ends the event',
    events: [sampleEvent()],
    body: IMPACT,
    response: answer(400, { Status: 'ERROR', errors: [refused] }),
    outcomes: [{ kind: 'permanent', code: 'http_400', message: 'EventDate: is before the click' }],
  },
  {
    title: 'Impact: a token that is refused stops the connection, not the event',
    events: [sampleEvent()],
    body: IMPACT,
    response: answer(401, { status: 401, title: 'Unauthorized' }),
    outcomes: [{ kind: 'auth', code: 'http_401', message: 'Unauthorized' }],
  },
]);

const CLICK = 'GiDxLZcEVjwEqkGfKQMQndUYMIeZXFHmZ0DrHIJhGS6kKiDzkGUos9GzkpqG-YHQATCwxlQ';
const atTaboola = examplesOf<PostbackCredentials>(
  {
    credentials: { network: 'taboola', ...byOrder },
    context: { test: false },
    method: 'GET',
    url: `https://trc.taboola.com/actions-handler/log/3/s2s-action?click-id=${CLICK}&name=purchase&revenue=59.98&currency=USD&orderid=1001&quantity=3`,
    headers: {},
  },
  [{ title: 'Taboola: a purchase', events: [at({ tblci: CLICK })], body: '', response: no204 }],
);

const atOutbrain = examplesOf<PostbackCredentials>(
  {
    credentials: { network: 'outbrain', ...byOrder },
    context: { test: false },
    method: 'GET',
    url: 'https://tr.outbrain.com/unifiedPixel?ob_click_id=v3-1&name=purchase&orderId=1001&orderValue=59.98&currency=USD',
    headers: {},
  },
  [{ title: 'Outbrain: a purchase', events: [at({ ob_click_id: 'v3-1' })], body: '', response: no204 }],
);

const order = {
  orderReference: '1001',
  amount: 59.98,
  currency: 'USD',
  channel: 'aw',
  awc: '1001_1795000000_ab',
  commissionGroups: [{ code: 'DEFAULT', amount: 59.98 }],
};
const atAwin = examplesOf<PostbackCredentials>(
  {
    credentials: {
      network: 'awin',
      account_id: '1001',
      api_key: 'awin-sandbox-key',
      conversion_id: 'order_id',
    },
    context: { test: false },
    url: 'https://api.awin.com/s2s/advertiser/1001/orders',
    headers: { ...json, 'x-api-key': 'awin-sandbox-key' },
  },
  [
    {
      title: 'Awin: a purchase, in test mode',
      events: [at({ awc: '1001_1795000000_ab' })],
      context: { test: true },
      body: { orders: [{ ...order, isTest: true }] },
      response: answer(200, { batchId: 'b', successfulOrders: [{ orderReference: '1001' }] }),
    },
    {
      title: 'Awin: an order that it refuses is named in an answer of success',
      events: [at({ awc: '1001_1795000000_ab' })],
      body: { orders: [{ ...order, isTest: false }] },
      response: answer(206, { failedOrders: [{ errors: [{ field: 'awc', message: 'invalid' }] }] }),
      outcomes: [{ kind: 'permanent', code: 'postback.refused', message: 'awc: invalid' }],
    },
  ],
);

const atCriteo = examplesOf<PostbackCredentials>(
  {
    credentials: {
      network: 'criteo',
      account_id: '12345',
      caller_id: '70',
      region: 'eu',
      conversion_id: 'order_id',
    },
    context: { test: false },
    url: 'https://widget.eu.criteo.com/m/event?version=s2s_v0',
    headers: json,
  },
  [
    {
      title: 'Criteo: a purchase',
      events: [at({ crto_mapped_user_id: 'gum-1' })],
      body: {
        version: 's2s_v1.0.0',
        account: '12345',
        site_type: 'd',
        id: { mapping_key: '70', mapped_user_id: 'gum-1', email: { sha256: SAMPLE_HASHED.emailPlain } },
        ip: '203.0.113.7',
        full_url: 'https://shop.example/thank-you?order=1001',
        previous_url: 'https://shop.example/checkout',
        events: [
          {
            event: 'trackTransaction',
            timestamp: '2026-11-20T12:00:00.000Z',
            id: '1001',
            currency: 'USD',
            item: [
              { id: 'SKU-1', price: 24.99, quantity: 2 },
              { id: 'SKU-2', price: 10, quantity: 1 },
            ],
          },
        ],
      },
      response: answer(200, { errors: [], warnings: [] }),
    },
  ],
);

export const examples: readonly PlatformExample<PostbackCredentials>[] = [
  ...atImpact,
  ...atTaboola,
  ...atOutbrain,
  ...atAwin,
  ...atCriteo,
];
