import type { XCredentials } from '#lib/events/platforms/x/credentials.ts';
import { X_EVENT_NAMES } from '#lib/events/platforms/x/event-names.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_RAW,
  SAMPLE_TIME_SEC,
  sampleEvent,
  strangersPageView,
} from '#test/support/sample-event.ts';
import { everyEventId } from '../every-event-id.ts';
import { answer, examplesOf } from '../platform-example.ts';

const credentials: XCredentials = {
  pixel_id: 'oka17',
  event_ids: everyEventId(X_EVENT_NAMES, (type, position) =>
    type === 'CUSTOM' ? 'tw-oka17-ol288' : `ol${101 + position}`,
  ),
  consumer_key: 'sandboxConsumerKey01',
  consumer_secret: 'sandbox/consumer+secret',
  access_token: '370773112-sandboxAccessToken01',
  access_token_secret: 'sandbox&token=secret',
};
const byPixelToken: XCredentials = {
  pixel_id: credentials.pixel_id,
  event_ids: credentials.event_ids,
  pixel_token: 'sandbox-pixel-token-0123456789',
};
const url = 'https://ads-api.x.com/12/measurement/conversions/oka17';
const context = {
  test: false,
  nowMs: (SAMPLE_TIME_SEC + 60) * 1_000,
  nonce: 'kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg',
};
// Made with another implementation of RFC 5849.
const headers = {
  'content-type': 'application/json',
  authorization:
    'OAuth oauth_consumer_key="sandboxConsumerKey01", oauth_nonce="kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", oauth_signature="8tJ1NhbgIs3K62gIqJLNXgi8HkA%3D", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1795176060", oauth_token="370773112-sandboxAccessToken01", oauth_version="1.0"',
};
const tokenHeaders = {
  'content-type': 'application/json',
  'x-pixel-token': 'sandbox-pixel-token-0123456789',
};

const PURCHASE = {
  conversion_time: '2026-11-20T12:00:00.000Z',
  event_id: 'ol113',
  identifiers: [
    { twclid: '23opevjt88psuo13lu8d020qkn' },
    { hashed_email: SAMPLE_HASHED.emailPlain },
    { hashed_phone_number: SAMPLE_HASHED.phoneE164 },
    { ip_address: '203.0.113.7', user_agent: SAMPLE_RAW.userAgent },
  ],
  conversion_id: 'order-1001',
  value: '59.98',
  price_currency: 'USD',
  number_items: 3,
  event_source_url: 'https://shop.example/thank-you?order=1001',
  contents: [
    { content_id: 'SKU-1', content_price: 24.99, num_items: 2 },
    { content_id: 'SKU-2', content_price: 10, num_items: 1 },
  ],
};
const purchase = sampleEvent({
  raw: { ...SAMPLE_RAW, browserIds: { twclid: '23opevjt88psuo13lu8d020qkn' } },
});
const PAGE_VIEW = {
  conversion_time: '2026-11-20T12:00:00.000Z',
  event_id: 'ol101',
  identifiers: [{ ip_address: '203.0.113.7', user_agent: SAMPLE_RAW.userAgent }],
  conversion_id: 'pv-1',
  event_source_url: 'https://shop.example/thank-you?order=1001',
};

export const examples = examplesOf<XCredentials>({ credentials, context, url, headers }, [
  {
    title: 'a purchase with everything known about the person',
    events: [purchase],
    body: { conversions: [PURCHASE] },
    response: answer(200, {
      request: { params: { account_id: '18ce552mlaq' } },
      data: { conversions_processed: 1, debug_id: 'ff02e052-36e4-47d6-bdf0-6d8986446562' },
    }),
  },
  {
    title: 'strangers, with a pixel token; one event refuses both: find it by splitting',
    events: [strangersPageView(), strangersPageView({ dedupId: 'pv-2' })],
    credentials: byPixelToken,
    context: { test: false },
    headers: tokenHeaders,
    body: { conversions: [PAGE_VIEW, { ...PAGE_VIEW, conversion_id: 'pv-2' }] },
    response: answer(400, {
      errors: [
        {
          code: 'INVALID_PARAMETER',
          message: 'Hashed_email is not a valid SHA-256 hash',
          parameter: 'conversions',
          details: '',
          value: '',
        },
      ],
      request: { params: { account_id: '18ce552mlaq' } },
    }),
    outcomes: [
      {
        kind: 'batch_refused',
        code: 'x.INVALID_PARAMETER',
        message: 'Hashed_email is not a valid SHA-256 hash',
      },
      {
        kind: 'batch_refused',
        code: 'x.INVALID_PARAMETER',
        message: 'Hashed_email is not a valid SHA-256 hash',
      },
    ],
  },
  {
    title: 'the event id does not exist',
    events: [purchase],
    credentials: byPixelToken,
    headers: tokenHeaders,
    body: { conversions: [PURCHASE] },
    response: answer(404, {
      errors: [{ code: 'WEB_EVENT_TAG_NOT_FOUND', message: 'Web event tag was not found' }],
      request: { params: {} },
    }),
    outcomes: [
      {
        kind: 'retry',
        code: 'x.WEB_EVENT_TAG_NOT_FOUND',
        message: 'Web event tag was not found',
        retryAfterSec: 3_600,
        setting: true,
      },
    ],
  },
  {
    title: 'too many requests, with the end of the window',
    events: [purchase],
    credentials: byPixelToken,
    headers: tokenHeaders,
    body: { conversions: [PURCHASE] },
    response: answer(
      429,
      { errors: [{ code: 'TOO_MANY_REQUESTS', message: 'Too many requests' }], request: { params: {} } },
      { date: 'Fri, 20 Nov 2026 12:01:00 GMT', 'x-rate-limit-reset': '1795176180' },
    ),
    outcomes: [
      { kind: 'rate_limited', code: 'x.TOO_MANY_REQUESTS', message: 'Too many requests', retryAfterSec: 120 },
    ],
  },
  {
    title: 'the keys are refused',
    events: [purchase],
    credentials: byPixelToken,
    headers: tokenHeaders,
    body: { conversions: [PURCHASE] },
    response: answer(401, {
      errors: [{ code: 'UNAUTHORIZED_ACCESS', message: 'This request is not properly authenticated' }],
      request: { params: {} },
    }),
    outcomes: [
      {
        kind: 'auth',
        code: 'x.UNAUTHORIZED_ACCESS',
        message: 'This request is not properly authenticated',
      },
    ],
  },
]);
