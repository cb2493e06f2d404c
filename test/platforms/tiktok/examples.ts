import type { TiktokCredentials } from '#lib/events/platforms/tiktok/credentials.ts';
import { appEvent, SAMPLE_APP } from '#test/support/sample-app.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_RAW,
  SAMPLE_TIME_SEC,
  sampleEvent,
  strangersPageView,
} from '#test/support/sample-event.ts';
import { answer, examplesOf } from '../platform-example.ts';

const credentials: TiktokCredentials = {
  event_source_id: 'C4ABCDEFGH123',
  access_token: 'tiktok-sandbox-token-0123456789',
  event_source: 'web',
  legacy_event_names: false,
  test_event_code: 'TEST54321',
};
const url = 'https://business-api.tiktok.com/open_api/v1.3/event/track/';
const headers = { 'content-type': 'application/json', 'access-token': 'tiktok-sandbox-token-0123456789' };
const page = { url: 'https://shop.example/thank-you?order=1001', referrer: 'https://shop.example/checkout' };

const PURCHASE = {
  event: 'Purchase',
  event_time: SAMPLE_TIME_SEC,
  event_id: 'order-1001',
  user: {
    email: SAMPLE_HASHED.emailPlain,
    phone: SAMPLE_HASHED.phoneE164,
    external_id: SAMPLE_HASHED.externalIdsCased,
    first_name: SAMPLE_HASHED.firstName,
    last_name: SAMPLE_HASHED.lastName,
    zip_code: SAMPLE_HASHED.postalCode,
    city: 'menlopark',
    state: 'ca',
    country: 'us',
    ttclid: 'E.C.P.CrAB8Zgk',
    ttp: '2F7h37YkS1j57AYSKTI7IHhJPYH',
    ip: '203.0.113.7',
    user_agent: SAMPLE_RAW.userAgent,
  },
  page,
  properties: {
    content_type: 'product',
    value: 59.98,
    currency: 'USD',
    order_id: '1001',
    contents: [
      { content_id: 'SKU-1', quantity: 2, price: 24.99 },
      { content_id: 'SKU-2', quantity: 1, price: 10 },
    ],
  },
};
const PAGE_VIEW = {
  event: 'Pageview',
  event_time: SAMPLE_TIME_SEC,
  event_id: 'pv-1',
  user: { ip: '203.0.113.7', user_agent: SAMPLE_RAW.userAgent },
  page,
};
const web = { event_source: 'web', event_source_id: 'C4ABCDEFGH123' };

const said = (code: number, message: string, data: unknown = {}) =>
  answer(200, { code, message, request_id: '2026112100', data });

export const examples = examplesOf<TiktokCredentials>(
  { credentials, context: { test: false }, url, headers },
  [
    {
      title: 'a purchase with everything known about the person',
      events: [sampleEvent()],
      body: { ...web, data: [PURCHASE] },
      response: said(0, 'OK'),
    },
    {
      title: 'legacy names, in test mode, with limited data use',
      events: [sampleEvent({ consent: { ad_personalization: 'denied' } })],
      credentials: { ...credentials, legacy_event_names: true },
      context: { test: true },
      body: {
        ...web,
        test_event_code: 'TEST54321',
        data: [{ ...PURCHASE, event: 'CompletePayment', limited_data_use: true }],
      },
      response: said(0, 'OK'),
    },
    {
      title: 'a sale in a shop, to an offline event set',
      events: [sampleEvent({ actionSource: 'physical_store' })],
      credentials: { ...credentials, event_source: 'offline', event_source_id: '7300000000000000000' },
      body: { event_source: 'offline', event_source_id: '7300000000000000000', data: [PURCHASE] },
      response: said(0, 'OK'),
    },
    {
      title: 'a purchase in an app, to an app source',
      events: [appEvent()],
      credentials: { ...credentials, event_source: 'app', event_source_id: '7300000000000000001' },
      body: {
        event_source: 'app',
        event_source_id: '7300000000000000001',
        data: [
          {
            event: 'Purchase',
            event_time: SAMPLE_TIME_SEC,
            event_id: 'order-1001',
            user: {
              email: SAMPLE_HASHED.emailPlain,
              phone: SAMPLE_HASHED.phoneE164,
              external_id: SAMPLE_HASHED.externalIdsCased,
              idfa: SAMPLE_HASHED.madid,
              idfv: SAMPLE_APP.vendor_id,
              att_status: 'AUTHORIZED',
              ip: '203.0.113.7',
              user_agent: 'Shop/7.7.1 (iPhone; iOS 18.1)',
              locale: 'en_US',
            },
            app: { app_id: '1234567890', app_name: 'Shop', app_version: '7.7.1' },
            properties: PURCHASE.properties,
          },
        ],
      },
      response: said(0, 'OK'),
    },
    {
      title: 'a part was taken, and the answer names what was not',
      events: [sampleEvent(), strangersPageView()],
      body: { ...web, data: [PURCHASE, PAGE_VIEW] },
      response: said(20001, 'Partially OK', {
        failed_events: [{ event_id: 'pv-1', error_code: 40002, error_message: 'event_time: is too old' }],
      }),
      outcomes: [
        { kind: 'delivered' },
        { kind: 'permanent', code: 'tiktok.40002', message: 'event_time: is too old' },
      ],
    },
    {
      title: 'one bad event refuses both: find it by splitting',
      events: [sampleEvent(), strangersPageView()],
      body: { ...web, data: [PURCHASE, PAGE_VIEW] },
      response: said(40002, 'event_time: is too old'),
      outcomes: [
        { kind: 'batch_refused', code: 'tiktok.40002', message: 'event_time: is too old' },
        { kind: 'batch_refused', code: 'tiktok.40002', message: 'event_time: is too old' },
      ],
    },
    {
      title: 'a wrong token comes with status 200',
      events: [sampleEvent()],
      body: { ...web, data: [PURCHASE] },
      response: said(40105, 'Access token is incorrect or has been revoked.'),
      outcomes: [
        { kind: 'auth', code: 'tiktok.40105', message: 'Access token is incorrect or has been revoked.' },
      ],
    },
  ],
);
