import type { Ga4Credentials } from '#lib/events/platforms/ga4/credentials.ts';
import { appEvent, SAMPLE_APP } from '#test/support/sample-app.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_TIME_SEC,
  sampleEvent,
  strangersPageView,
} from '#test/support/sample-event.ts';
import { answer, examplesOf, type PlatformExample } from '../platform-example.ts';

const credentials: Ga4Credentials = {
  measurement_id: 'G-TEST123456',
  api: 'measurement_protocol',
  api_secret: 'sandbox_secret_0123456789',
  region: 'global',
  firebase_app_id: '1:1234567890:android:321abc456def7890',
  app_api_secret: 'sandbox_app_secret_0123456789',
};
const query = 'measurement_id=G-TEST123456&api_secret=sandbox_secret_0123456789';
const url = `https://www.google-analytics.com/mp/collect?${query}`;
const headers = { 'content-type': 'application/json' };
const NO_CONTENT: PlatformExample['response'] = { kind: 'response', status: 204, headers: {}, body: '' };
const TIME_MICROS = SAMPLE_TIME_SEC * 1_000_000;

const CLIENT = {
  client_id: '1098115397.1795000000',
  user_id: 'Cust-42',
  user_data: {
    sha256_email_address: [SAMPLE_HASHED.emailGa4],
    sha256_phone_number: [SAMPLE_HASHED.phoneE164],
    address: [
      {
        sha256_first_name: SAMPLE_HASHED.firstNameGoogle,
        sha256_last_name: SAMPLE_HASHED.lastNameGoogle,
        city: 'menlo park',
        region: 'ca',
        postal_code: '94025',
        country: 'US',
      },
    ],
  },
};

const PURCHASE = {
  name: 'purchase',
  timestamp_micros: TIME_MICROS,
  params: {
    engagement_time_msec: 1,
    session_id: '1795175000',
    event_id: 'order-1001',
    page_location: 'https://shop.example/thank-you?order=1001',
    page_referrer: 'https://shop.example/checkout',
    transaction_id: '1001',
    value: 59.98,
    currency: 'USD',
    items: [
      { item_id: 'SKU-1', quantity: 2, price: 24.99 },
      { item_id: 'SKU-2', quantity: 1, price: 10 },
    ],
  },
};

const { session_id: _s, page_location: _l, page_referrer: _r, ...IN_APP } = PURCHASE.params;

export const examples = examplesOf<Ga4Credentials>({ credentials, context: { test: false }, url, headers }, [
  {
    title: 'a purchase in a known browser session',
    events: [sampleEvent()],
    body: { ...CLIENT, timestamp_micros: TIME_MICROS, events: [PURCHASE] },
    response: NO_CONTENT,
  },
  {
    title: 'a purchase in an app, in the stream of the app',
    events: [appEvent({}, { raw: {} })],
    url: 'https://www.google-analytics.com/mp/collect?firebase_app_id=1%3A1234567890%3Aandroid%3A321abc456def7890&api_secret=sandbox_app_secret_0123456789',
    body: {
      app_instance_id: SAMPLE_APP.instance_id,
      user_id: CLIENT.user_id,
      user_data: CLIENT.user_data,
      timestamp_micros: TIME_MICROS,
      events: [{ ...PURCHASE, params: IN_APP }],
    },
    response: NO_CONTENT,
  },
  {
    title: 'a stranger gets a stable stand-in for the client id',
    events: [strangersPageView()],
    credentials: { ...credentials, region: 'eu' },
    url: `https://region1.google-analytics.com/mp/collect?${query}`,
    body: {
      client_id: '1364764238.1122209428',
      timestamp_micros: TIME_MICROS,
      events: [
        {
          name: 'page_view',
          timestamp_micros: TIME_MICROS,
          params: {
            engagement_time_msec: 1,
            event_id: 'pv-1',
            page_location: 'https://shop.example/thank-you?order=1001',
            page_referrer: 'https://shop.example/checkout',
          },
        },
      ],
    },
    response: NO_CONTENT,
  },
  {
    title: 'a test send goes to the validation server, whose complaints name the event',
    events: [sampleEvent(), sampleEvent({ eventId: 'order-1002', dedupId: 'order-1002', orderId: '1002' })],
    context: { test: true },
    url: `https://www.google-analytics.com/debug/mp/collect?${query}`,
    body: {
      ...CLIENT,
      timestamp_micros: TIME_MICROS,
      validation_behavior: 'ENFORCE_RECOMMENDATIONS',
      events: [
        PURCHASE,
        { ...PURCHASE, params: { ...PURCHASE.params, event_id: 'order-1002', transaction_id: '1002' } },
      ],
    },
    response: answer(200, {
      validationMessages: [
        {
          fieldPath: 'events[1].params.currency',
          description: 'currency is wrong',
          validationCode: 'VALUE_INVALID',
        },
      ],
    }),
    outcomes: [
      { kind: 'delivered' },
      { kind: 'permanent', code: 'ga4.VALUE_INVALID', message: 'currency is wrong' },
    ],
  },
]);
