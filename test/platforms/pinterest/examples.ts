import type { PinterestCredentials } from '#lib/events/platforms/pinterest/credentials.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_RAW,
  SAMPLE_TIME_SEC,
  sampleEvent,
  strangersPageView,
} from '#test/support/sample-event.ts';
import { answer, examplesOf } from '../platform-example.ts';

const credentials: PinterestCredentials = {
  ad_account_id: '549757463328',
  access_token: 'pina_sandbox_token_0123456789',
};
const url = 'https://api.pinterest.com/v5/ad_accounts/549757463328/events';
const headers = {
  'content-type': 'application/json',
  authorization: 'Bearer pina_sandbox_token_0123456789',
};

const PURCHASE = {
  event_name: 'checkout',
  action_source: 'web',
  event_time: SAMPLE_TIME_SEC,
  event_id: 'order-1001',
  event_source_url: 'https://shop.example/thank-you?order=1001',
  user_data: {
    em: [SAMPLE_HASHED.emailPlain],
    ph: [SAMPLE_HASHED.phoneDigits],
    ge: [SAMPLE_HASHED.gender],
    db: [SAMPLE_HASHED.dateOfBirth],
    fn: [SAMPLE_HASHED.firstName],
    ln: [SAMPLE_HASHED.lastName],
    ct: [SAMPLE_HASHED.city],
    st: [SAMPLE_HASHED.state],
    zp: [SAMPLE_HASHED.postalCode],
    country: [SAMPLE_HASHED.country],
    external_id: SAMPLE_HASHED.externalIds,
    hashed_maids: [SAMPLE_HASHED.madid],
    client_ip_address: '203.0.113.7',
    client_user_agent: SAMPLE_RAW.userAgent,
    click_id: 'dj0yJnU9b2JDcFFHekV4SHJNcmVrbFBkUEdq',
  },
  custom_data: {
    value: '59.98',
    currency: 'USD',
    order_id: '1001',
    num_items: 3,
    content_ids: ['SKU-1', 'SKU-2'],
    contents: [
      { id: 'SKU-1', quantity: 2, item_price: '24.99' },
      { id: 'SKU-2', quantity: 1, item_price: '10' },
    ],
  },
};
const PAGE_VIEW = {
  event_name: 'page_visit',
  action_source: 'web',
  event_time: SAMPLE_TIME_SEC,
  event_id: 'pv-1',
  event_source_url: 'https://shop.example/thank-you?order=1001',
  user_data: { client_ip_address: '203.0.113.7', client_user_agent: SAMPLE_RAW.userAgent },
};
const purchase = sampleEvent({
  raw: { ...SAMPLE_RAW, browserIds: { epik: 'dj0yJnU9b2JDcFFHekV4SHJNcmVrbFBkUEdq' } },
});

const processed = { status: 'processed', error_message: null, warning_message: null };

export const examples = examplesOf<PinterestCredentials>(
  { credentials, context: { test: false }, url, headers },
  [
    {
      title: 'a purchase with everything known about the person',
      events: [purchase],
      body: { data: [PURCHASE] },
      response: answer(200, { num_events_received: 1, num_events_processed: 1, events: [processed] }),
    },
    {
      title: 'a test, with limited data processing',
      events: [strangersPageView({ consent: { ad_personalization: 'denied' } })],
      context: { test: true },
      url: `${url}?test=true`,
      body: { data: [{ ...PAGE_VIEW, custom_data: { opt_out_type: 'LDP' } }] },
      response: answer(200, {
        num_events_received: 1,
        num_events_processed: 1,
        events: [{ ...processed, warning_message: 'external_id is recommended' }],
      }),
      outcomes: [{ kind: 'delivered', message: 'external_id is recommended' }],
    },
    {
      title: 'each event has its own verdict',
      events: [purchase, strangersPageView()],
      body: { data: [PURCHASE, PAGE_VIEW] },
      response: answer(422, {
        code: 953,
        message: 'Not all events were successfully processed.',
        details: {
          num_events_received: 2,
          num_events_processed: 1,
          events: [processed, { status: 'failed', error_message: 'event_time is older than 7 days' }],
        },
      }),
      outcomes: [
        { kind: 'delivered' },
        { kind: 'permanent', code: 'pinterest.failed', message: 'event_time is older than 7 days' },
      ],
    },
    {
      title: 'a request that offends the API description is refused as a whole',
      events: [purchase, strangersPageView()],
      body: { data: [PURCHASE, PAGE_VIEW] },
      response: answer(400, { code: 4196, message: 'The request was invalid.' }),
      outcomes: [
        { kind: 'batch_refused', code: 'pinterest.4196', message: 'The request was invalid.' },
        { kind: 'batch_refused', code: 'pinterest.4196', message: 'The request was invalid.' },
      ],
    },
    {
      title: 'a token without access to the ad account stops the connection, not the event',
      events: [purchase],
      body: { data: [PURCHASE] },
      response: answer(403, { code: 29, message: 'You are not permitted to access that resource.' }),
      outcomes: [
        { kind: 'auth', code: 'pinterest.29', message: 'You are not permitted to access that resource.' },
      ],
    },
  ],
);
