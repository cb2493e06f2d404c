import type { OpenaiAdsCredentials } from '#lib/events/platforms/openai-ads/credentials.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_RAW,
  SAMPLE_TIME_SEC,
  sampleEvent,
  strangersPageView,
} from '#test/support/sample-event.ts';
import { answer, examplesOf } from '../platform-example.ts';

const credentials: OpenaiAdsCredentials = {
  pixel_id: 'Kq3vW8mZr1TnBd5YpXc7Hs',
  api_key: 'sk-svcacct-sandbox-0123456789',
};
const url = 'https://bzr.openai.com/v1/events?pid=Kq3vW8mZr1TnBd5YpXc7Hs';
const headers = {
  'content-type': 'application/json',
  authorization: 'Bearer sk-svcacct-sandbox-0123456789',
};
const OPPREF = 'oppref_abc';

const PURCHASE = {
  id: 'order-1001',
  type: 'order_created',
  timestamp_ms: SAMPLE_TIME_SEC * 1_000,
  oppref: OPPREF,
  source_url: 'https://shop.example/thank-you?order=1001',
  action_source: 'web',
  user: {
    email_sha256: SAMPLE_HASHED.emailPlain,
    external_id_sha256: SAMPLE_HASHED.externalIdsCased?.[0],
    country: 'US',
    city: 'Menlo Park',
    zip_code: '94025',
    ip_address: '203.0.113.7',
    user_agent: SAMPLE_RAW.userAgent,
  },
  data: {
    type: 'contents',
    amount: 5998,
    currency: 'USD',
    contents: [
      { id: 'SKU-1', content_type: 'product', quantity: 2, amount: 2499 },
      { id: 'SKU-2', content_type: 'product', quantity: 1, amount: 1000 },
    ],
  },
};
const PAGE_VIEW = {
  id: 'pv-1',
  type: 'page_viewed',
  timestamp_ms: SAMPLE_TIME_SEC * 1_000,
  source_url: 'https://shop.example/thank-you?order=1001',
  action_source: 'web',
  user: { ip_address: '203.0.113.7', user_agent: SAMPLE_RAW.userAgent },
  data: { type: 'contents' },
};
const purchase = sampleEvent({ raw: { ...SAMPLE_RAW, browserIds: { oppref: OPPREF } } });
const error = (message: string, type: string) => ({ error: { message, type, param: null, code: null } });

export const examples = examplesOf<OpenaiAdsCredentials>(
  { credentials, context: { test: false }, url, headers },
  [
    {
      title: 'a purchase with everything known about the person',
      events: [purchase],
      body: { validate_only: false, events: [PURCHASE] },
      response: answer(200, {}),
    },
    {
      title: 'a name of the shop’s own, in test mode, of a person who wants no personal ads',
      events: [
        strangersPageView({
          name: 'Custom',
          customName: 'Size Guide',
          consent: { ad_personalization: 'denied' },
        }),
      ],
      context: { test: true },
      body: {
        validate_only: true,
        events: [
          {
            ...PAGE_VIEW,
            type: 'custom',
            custom_event_name: 'size_guide',
            opt_out: true,
            data: { type: 'custom' },
          },
        ],
      },
      response: answer(200, {}),
    },
    {
      title: 'one event that fails refuses both',
      events: [purchase, strangersPageView()],
      body: { validate_only: false, events: [PURCHASE, PAGE_VIEW] },
      response: answer(400, error('events[1].timestamp_ms is out of range', 'invalid_request_error')),
      outcomes: [1, 2].map(() => ({
        kind: 'batch_refused',
        code: 'openai_ads.invalid_request_error',
        message: 'events[1].timestamp_ms is out of range',
      })),
    },
    {
      title: 'a key of another kind stops the connection, not the event',
      events: [purchase],
      body: { validate_only: false, events: [PURCHASE] },
      response: answer(401, error('Incorrect API key provided.', 'authentication_error')),
      outcomes: [
        {
          kind: 'auth',
          code: 'openai_ads.authentication_error',
          message: 'Incorrect API key provided.',
        },
      ],
    },
  ],
);
