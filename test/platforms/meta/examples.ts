import type { MetaCredentials } from '#lib/events/platforms/meta/credentials.ts';
import { appEvent, SAMPLE_APP, SAMPLE_EXTINFO, SAMPLE_MADID } from '#test/support/sample-app.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_RAW,
  SAMPLE_TIME_SEC,
  sampleEvent,
  strangersPageView,
} from '#test/support/sample-event.ts';
import { answer, examplesOf } from '../platform-example.ts';

const credentials: MetaCredentials = {
  pixel_id: '1234567890',
  access_token: 'EAAsandboxToken0123456789',
  test_event_code: 'TEST12345',
};
const url = 'https://graph.facebook.com/v26.0/1234567890/events?access_token=EAAsandboxToken0123456789';
const headers = { 'content-type': 'application/json' };

const PURCHASE = {
  event_name: 'Purchase',
  event_time: SAMPLE_TIME_SEC,
  event_id: 'order-1001',
  action_source: 'website',
  event_source_url: 'https://shop.example/thank-you?order=1001',
  referrer_url: 'https://shop.example/checkout',
  user_data: {
    em: [SAMPLE_HASHED.emailPlain],
    ph: [SAMPLE_HASHED.phoneDigits],
    ge: SAMPLE_HASHED.gender,
    db: SAMPLE_HASHED.dateOfBirth,
    fn: SAMPLE_HASHED.firstName,
    ln: SAMPLE_HASHED.lastName,
    ct: SAMPLE_HASHED.city,
    st: SAMPLE_HASHED.state,
    zp: SAMPLE_HASHED.postalCode,
    country: SAMPLE_HASHED.country,
    external_id: SAMPLE_HASHED.externalIds,
    client_ip_address: '203.0.113.7',
    client_user_agent: SAMPLE_RAW.userAgent,
    fbp: SAMPLE_RAW.browserIds?.fbp,
    fbc: SAMPLE_RAW.browserIds?.fbc,
  },
  custom_data: {
    content_type: 'product',
    value: 59.98,
    currency: 'USD',
    order_id: '1001',
    contents: [
      { id: 'SKU-1', quantity: 2, item_price: 24.99 },
      { id: 'SKU-2', quantity: 1, item_price: 10 },
    ],
    content_ids: ['SKU-1', 'SKU-2'],
  },
};

const PAGE_VIEW = {
  event_name: 'PageView',
  event_time: SAMPLE_TIME_SEC,
  event_id: 'pv-1',
  action_source: 'website',
  event_source_url: 'https://shop.example/thank-you?order=1001',
  referrer_url: 'https://shop.example/checkout',
  user_data: {
    client_ip_address: '203.0.113.7',
    client_user_agent: SAMPLE_RAW.userAgent,
    fbp: 'fb.1.1795000000000.1098115397',
  },
};

const TOO_OLD = answer(400, {
  error: {
    message: 'Invalid parameter',
    type: 'OAuthException',
    code: 100,
    error_subcode: 2804003,
    is_transient: false,
    error_user_title: 'Event Timestamp Too Old',
    error_user_msg: 'The timestamp for this event is too far in the past.',
    fbtrace_id: 'A6UyEgg_HdoiRX9duxcBOjb',
  },
});
const tooOldMessage = 'Event Timestamp Too Old: The timestamp for this event is too far in the past.';

export const examples = examplesOf<MetaCredentials>({ credentials, context: { test: false }, url, headers }, [
  {
    title: 'a purchase with everything known about the person',
    events: [sampleEvent()],
    body: { data: [PURCHASE] },
    response: answer(200, { events_received: 1, messages: [], fbtrace_id: 'AbC' }),
  },
  {
    title: 'a purchase with the profit that is expected to remain, which no refund can change later',
    events: [sampleEvent({ customData: { net_revenue: 21.5 } })],
    body: { data: [{ ...PURCHASE, custom_data: { ...PURCHASE.custom_data, net_revenue: 21.5 } }] },
    response: answer(200, { events_received: 1, messages: [], fbtrace_id: 'AbC' }),
  },
  {
    title: 'a purchase in an app: app_data of the device beside it',
    events: [appEvent({}, { hashed: {}, raw: { madid: SAMPLE_MADID, clientIp: '203.0.113.7' } })],
    body: {
      data: [
        {
          event_name: 'Purchase',
          event_time: SAMPLE_TIME_SEC,
          event_id: 'order-1001',
          action_source: 'app',
          user_data: { client_ip_address: '203.0.113.7', madid: SAMPLE_MADID },
          app_data: {
            advertiser_tracking_enabled: 1,
            application_tracking_enabled: 1,
            extinfo: SAMPLE_EXTINFO,
            vendor_id: SAMPLE_APP.vendor_id,
            campaign_ids: SAMPLE_APP.campaign_ids,
          },
          custom_data: PURCHASE.custom_data,
        },
      ],
    },
    response: answer(200, { events_received: 1, messages: [], fbtrace_id: 'AbC' }),
  },
  {
    title: 'a test send carries the test event code',
    events: [strangersPageView()],
    context: { test: true },
    body: { data: [PAGE_VIEW], test_event_code: 'TEST12345' },
    response: answer(200, { events_received: 1, messages: [], fbtrace_id: 'AbC' }),
  },
  {
    title: 'personalization denied: limited data use',
    events: [strangersPageView({ consent: { ad_personalization: 'denied' } })],
    body: {
      data: [
        {
          ...PAGE_VIEW,
          opt_out: true,
          data_processing_options: ['LDU'],
          data_processing_options_country: 0,
          data_processing_options_state: 0,
        },
      ],
    },
    response: answer(200, { events_received: 1, messages: [], fbtrace_id: 'AbC' }),
  },
  {
    title: 'one bad event refuses both: find it by splitting',
    events: [sampleEvent(), strangersPageView()],
    body: { data: [PURCHASE, PAGE_VIEW] },
    response: TOO_OLD,
    outcomes: [
      { kind: 'batch_refused', code: 'meta.100.2804003', message: tooOldMessage },
      { kind: 'batch_refused', code: 'meta.100.2804003', message: tooOldMessage },
    ],
  },
  {
    title: 'the bad event alone is refused for good',
    events: [sampleEvent()],
    body: { data: [PURCHASE] },
    response: TOO_OLD,
    outcomes: [{ kind: 'permanent', code: 'meta.100.2804003', message: tooOldMessage }],
  },
  {
    title: 'a token that expired stops the connection, not the event',
    events: [sampleEvent()],
    body: { data: [PURCHASE] },
    response: answer(401, {
      error: {
        message: 'Error validating access token: Session has expired',
        type: 'OAuthException',
        code: 190,
        error_subcode: 463,
      },
    }),
    outcomes: [
      { kind: 'auth', code: 'meta.190.463', message: 'Error validating access token: Session has expired' },
    ],
  },
]);
