import type { RedditCredentials } from '#lib/events/platforms/reddit/credentials.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_RAW,
  SAMPLE_TIME_SEC,
  sampleEvent,
  strangersPageView,
} from '#test/support/sample-event.ts';
import { answer, examplesOf } from '../platform-example.ts';

const credentials: RedditCredentials = {
  pixel_id: 'a2_abc123def',
  access_token: 'reddit-sandbox-token-0123456789',
  test_id: 't2_test987',
};
const url = 'https://ads-api.reddit.com/api/v3/pixels/a2_abc123def/conversion_events';
const headers = {
  'content-type': 'application/json',
  authorization: 'Bearer reddit-sandbox-token-0123456789',
};
const rdtUuid = '1795000000000.b8f7eb7d-b357-437b-8bd3-e1c8166c7132';

const PURCHASE = {
  event_at: SAMPLE_TIME_SEC * 1_000,
  action_source: 'WEBSITE',
  event_source_url: 'https://shop.example/thank-you?order=1001',
  click_id: '3184742045291813272',
  type: { tracking_type: 'PURCHASE' },
  user: {
    email: SAMPLE_HASHED.emailReddit,
    phone_number: SAMPLE_HASHED.phoneE164,
    external_id: SAMPLE_HASHED.externalIdsCased?.[0],
    ip_address: '203.0.113.7',
    user_agent: SAMPLE_RAW.userAgent,
    uuid: rdtUuid,
  },
  metadata: {
    conversion_id: 'order-1001',
    value: 59.98,
    currency: 'USD',
    item_count: 3,
    products: [
      { id: 'SKU-1', quantity: 2, item_price: 24.99 },
      { id: 'SKU-2', quantity: 1, item_price: 10 },
    ],
  },
};
const PAGE_VIEW = {
  event_at: SAMPLE_TIME_SEC * 1_000,
  action_source: 'WEBSITE',
  event_source_url: 'https://shop.example/thank-you?order=1001',
  type: { tracking_type: 'PAGE_VISIT' },
  user: { ip_address: '203.0.113.7', user_agent: SAMPLE_RAW.userAgent },
  metadata: { conversion_id: 'pv-1' },
};
const purchase = sampleEvent({
  raw: { ...SAMPLE_RAW, browserIds: { rdt_cid: '3184742045291813272', rdt_uuid: rdtUuid } },
});

const taken = answer(200, { data: { message: 'Successfully processed 1 conversion events.' } });
const invalid = 'There were 1 invalid conversion events. None were processed.';
const tooOld = 'event_at timestamp must be less than 168h0m0s old';

export const examples = examplesOf<RedditCredentials>(
  { credentials, context: { test: false }, url, headers },
  [
    {
      title: 'a purchase with everything known about the person',
      events: [purchase],
      body: { data: { events: [PURCHASE] } },
      response: taken,
    },
    {
      title: 'an event without a Reddit name, in test mode, with limited data use',
      events: [strangersPageView({ name: 'StartTrial', consent: { ad_personalization: 'denied' } })],
      context: { test: true },
      body: {
        data: {
          test_id: 't2_test987',
          events: [
            {
              ...PAGE_VIEW,
              type: { tracking_type: 'CUSTOM', custom_event_name: 'StartTrial' },
              user: { ...PAGE_VIEW.user, data_processing_options: { modes: ['LDU'] } },
            },
          ],
        },
      },
      response: taken,
    },
    {
      title: 'one bad event refuses both, and is named: the other goes again alone',
      events: [purchase, strangersPageView()],
      body: { data: { events: [PURCHASE, PAGE_VIEW] } },
      response: answer(400, {
        error: {
          code: 400,
          message: invalid,
          fields: [{ field: '$.data.events[1].event_at', message: tooOld }],
        },
      }),
      outcomes: [
        { kind: 'batch_refused', code: 'reddit.400', message: invalid },
        { kind: 'permanent', code: 'reddit.400', message: tooOld },
      ],
    },
    {
      title: 'a token without access to the pixel stops the connection, not the event',
      events: [purchase],
      body: { data: { events: [PURCHASE] } },
      response: answer(403, {
        error: { code: 403, message: "You're not authorized to post conversions to Pixel ID a2_abc123def." },
      }),
      outcomes: [
        {
          kind: 'auth',
          code: 'reddit.403',
          message: "You're not authorized to post conversions to Pixel ID a2_abc123def.",
        },
      ],
    },
    {
      title: 'throttled: again later',
      events: [purchase],
      body: { data: { events: [PURCHASE] } },
      response: answer(429, { error: { code: 429, message: 'Too many requests/events within timeframe.' } }),
      outcomes: [
        { kind: 'rate_limited', code: 'reddit.429', message: 'Too many requests/events within timeframe.' },
      ],
    },
  ],
);
