import type { SnapchatCredentials } from '#lib/events/platforms/snapchat/credentials.ts';
import { appEvent, SAMPLE_APP, SAMPLE_EXTINFO, SAMPLE_MADID } from '#test/support/sample-app.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_RAW,
  SAMPLE_TIME_SEC,
  sampleEvent,
  strangersPageView,
} from '#test/support/sample-event.ts';
import { answer, examplesOf } from '../platform-example.ts';

const credentials: SnapchatCredentials = {
  pixel_id: '5bf81ee1-15b1-4dc1-b636-d7dae49b950e',
  access_token: 'snap-sandbox-token-0123456789',
  snap_app_id: '0192f7a0-0000-4000-8000-00000000a44a',
};
const base = 'https://tr.snapchat.com/v3/5bf81ee1-15b1-4dc1-b636-d7dae49b950e/events';
const url = `${base}?access_token=snap-sandbox-token-0123456789`;
const headers = { 'content-type': 'application/json' };
const browserIds = { sc_click_id: '9c4f1ed0-1f6c', sc_cookie1: 'a7b1c2d3-0001' };

const PURCHASE = {
  event_name: 'PURCHASE',
  event_time: SAMPLE_TIME_SEC,
  event_id: 'order-1001',
  action_source: 'WEB',
  event_source_url: 'https://shop.example/thank-you?order=1001',
  user_data: {
    em: [SAMPLE_HASHED.emailPlain],
    ph: [SAMPLE_HASHED.phoneDigits],
    fn: [SAMPLE_HASHED.firstName],
    ln: [SAMPLE_HASHED.lastName],
    ge: [SAMPLE_HASHED.gender],
    db: [SAMPLE_HASHED.dateOfBirth],
    ct: [SAMPLE_HASHED.city],
    st: [SAMPLE_HASHED.state],
    zp: [SAMPLE_HASHED.postalCode],
    country: [SAMPLE_HASHED.country],
    external_id: SAMPLE_HASHED.externalIds,
    client_ip_address: '203.0.113.7',
    client_user_agent: SAMPLE_RAW.userAgent,
    ...browserIds,
  },
  custom_data: {
    value: 59.98,
    currency: 'USD',
    order_id: '1001',
    num_items: 3,
    content_ids: ['SKU-1', 'SKU-2'],
    contents: [
      { id: 'SKU-1', quantity: '2', item_price: '24.99' },
      { id: 'SKU-2', quantity: '1', item_price: '10' },
    ],
  },
};
const PAGE_VIEW = {
  event_name: 'PAGE_VIEW',
  event_time: SAMPLE_TIME_SEC,
  event_id: 'pv-1',
  action_source: 'WEB',
  event_source_url: 'https://shop.example/thank-you?order=1001',
  user_data: { client_ip_address: '203.0.113.7', client_user_agent: SAMPLE_RAW.userAgent },
};
const purchase = sampleEvent({ raw: { ...SAMPLE_RAW, browserIds } });
const leadAsSignUp = strangersPageView({ name: 'Lead', consent: { ad_personalization: 'denied' } });

const taken = answer(200, { status: 'VALID', reason: 'Events have been processed successfully.' });
const message = 'event_time is older than 37 days';
const refused = answer(400, { status: 'INVALID', event: 1, errors: { codes: [], error_msgs: [message] } });

export const examples = examplesOf<SnapchatCredentials>(
  { credentials, context: { test: false }, url, headers },
  [
    {
      title: 'a purchase with everything known about the person',
      events: [purchase],
      body: { data: [PURCHASE] },
      response: taken,
    },
    {
      title: 'a purchase in an app, at the address of the app',
      events: [appEvent({}, { hashed: {}, raw: { madid: SAMPLE_MADID } })],
      url: `https://tr.snapchat.com/v3/${credentials.snap_app_id}/events?access_token=snap-sandbox-token-0123456789`,
      body: {
        data: [
          {
            event_name: 'PURCHASE',
            event_time: SAMPLE_TIME_SEC,
            event_id: 'order-1001',
            action_source: 'MOBILE_APP',
            user_data: { madid: SAMPLE_MADID, idfv: SAMPLE_APP.vendor_id },
            app_data: { app_id: '1234567890', advertiser_tracking_enabled: 1, extinfo: SAMPLE_EXTINFO },
            custom_data: PURCHASE.custom_data,
          },
        ],
      },
      response: taken,
    },
    {
      title: 'a test is validated and not recorded',
      events: [purchase],
      context: { test: true },
      url: `${base}/validate?access_token=snap-sandbox-token-0123456789`,
      body: { data: [PURCHASE] },
      response: answer(200, {
        status: 'VALID',
        test_event: true,
        reason: 'Events have been processed successfully.',
        event_logs: [{ event: 0, status: 'VALID', warnings: ['custom_data.brands is recommended'] }],
      }),
    },
    {
      title: 'a name of the connection’s own choice, with limited use',
      events: [leadAsSignUp],
      credentials: { ...credentials, event_names: { Lead: 'SIGN_UP' } },
      body: { data: [{ ...PAGE_VIEW, event_name: 'SIGN_UP', data_processing_options: ['LMU', 'LDU'] }] },
      response: taken,
    },
    {
      title: 'one bad event refuses both: find it by splitting',
      events: [purchase, strangersPageView()],
      body: { data: [PURCHASE, PAGE_VIEW] },
      response: refused,
      outcomes: [
        { kind: 'batch_refused', code: 'http_400', message },
        { kind: 'batch_refused', code: 'http_400', message },
      ],
    },
    {
      title: 'a refusal with status 200 is a refusal',
      events: [purchase],
      body: { data: [PURCHASE] },
      response: answer(200, {
        status: 'INVALID',
        event: 0,
        errors: { codes: ['INVALID_TIMESTAMP'], error_msgs: [message] },
      }),
      outcomes: [{ kind: 'permanent', code: 'snapchat.INVALID_TIMESTAMP', message }],
    },
    {
      title: 'a token of another organization stops the connection, not the event',
      events: [purchase],
      body: { data: [PURCHASE] },
      response: answer(401, { status: 'INVALID', reason: 'Invalid access token' }),
      outcomes: [{ kind: 'auth', code: 'http_401', message: 'Invalid access token' }],
    },
  ],
);
