import type { KlaviyoCredentials } from '#lib/events/platforms/klaviyo/credentials.ts';
import { sampleEvent, strangersPageView } from '#test/support/sample-event.ts';
import { examplesOf, type PlatformExample } from '../platform-example.ts';

const credentials: KlaviyoCredentials = {
  private_api_key: 'pk_0123456789abcdef0123456789abcdef01',
  ordered_product: true,
  unique_id: 'event_id',
};
const url = 'https://a.klaviyo.com/api/events';
const bulkUrl = 'https://a.klaviyo.com/api/event-bulk-create-jobs';
const headers = {
  'content-type': 'application/vnd.api+json',
  accept: 'application/vnd.api+json',
  authorization: 'Klaviyo-API-Key pk_0123456789abcdef0123456789abcdef01',
  revision: '2026-07-15',
};
const time = '2026-11-20T12:00:00.000Z';
const page = {
  URL: 'https://shop.example/thank-you?order=1001',
  Referrer: 'https://shop.example/checkout',
};
const metric = (name: string) => ({ data: { type: 'metric', attributes: { name } } });
const SKU_1 = { ProductID: 'SKU-1', Quantity: 2, ItemPrice: 24.99, RowTotal: 49.98 };
const SKU_2 = { ProductID: 'SKU-2', Quantity: 1, ItemPrice: 10, RowTotal: 10 };

const profile = {
  data: {
    type: 'profile',
    attributes: {
      email: 'jane.doe+shop@gmail.com',
      phone_number: '+16505551212',
      external_id: 'Cust-42',
      first_name: 'Jane',
      last_name: 'Doe',
      location: { city: 'Menlo Park', region: 'CA', zip: '94025', country: 'US' },
    },
  },
};
const ORDER = {
  metric: metric('Placed Order'),
  unique_id: 'order-1001',
  time,
  value: 59.98,
  value_currency: 'USD',
  properties: { event_id: 'order-1001', OrderId: '1001', ...page, Items: [SKU_1, SKU_2] },
};
const orderedProduct = (line: number, product: { readonly RowTotal: number }) => ({
  type: 'event',
  attributes: {
    metric: metric('Ordered Product'),
    unique_id: `order-1001:${line}`,
    time,
    value: product.RowTotal,
    value_currency: 'USD',
    properties: { event_id: 'order-1001', OrderId: '1001', ...product },
  },
});
const JOB = {
  type: 'event-bulk-create-job',
  attributes: {
    'events-bulk-create': {
      data: [
        {
          type: 'event-bulk-create',
          attributes: {
            profile,
            events: {
              data: [
                { type: 'event', attributes: ORDER },
                orderedProduct(1, SKU_1),
                orderedProduct(2, SKU_2),
              ],
            },
          },
        },
      ],
    },
  },
};

const ACCEPTED: PlatformExample['response'] = { kind: 'response', status: 202, headers: {}, body: '' };

function refused(status: number, error: Readonly<Record<string, unknown>>): PlatformExample['response'] {
  return {
    kind: 'response',
    status,
    headers: { 'content-type': 'application/vnd.api+json', 'retry-after': '12' },
    body: JSON.stringify({ errors: [{ id: '5a17b0c5-0000-4000-8000-000000000000', ...error }] }),
  };
}

export const examples = examplesOf<KlaviyoCredentials>(
  { credentials, context: { test: false }, url, headers },
  [
    {
      title: 'a purchase and its two products, taken or refused together',
      events: [sampleEvent()],
      url: bulkUrl,
      body: { data: JOB },
      response: ACCEPTED,
    },
    {
      title: 'a replayed purchase without products: recorded, but no flow writes to anybody again',
      events: [sampleEvent({ eventId: 'order-1001~rp~01jd000000000000000000000x', replay: true })],
      credentials: { ...credentials, ordered_product: false },
      body: { data: { type: 'event', attributes: { ...ORDER, backfill: true, profile } } },
      response: ACCEPTED,
    },
    {
      title: 'a page view of somebody who came from an e-mail',
      events: [strangersPageView({ raw: { browserIds: { kx: 'Nb2Xq1.VyZ' } } })],
      body: {
        data: {
          type: 'event',
          attributes: {
            metric: metric('Active on Site'),
            unique_id: 'pv-1',
            time,
            properties: { event_id: 'pv-1', ...page },
            profile: { data: { type: 'profile', attributes: { _kx: 'Nb2Xq1.VyZ' } } },
          },
        },
      },
      response: ACCEPTED,
    },
    {
      title: 'a phone number Klaviyo does not take: the event is refused for good',
      events: [sampleEvent()],
      url: bulkUrl,
      body: { data: JOB },
      response: refused(400, {
        code: 'invalid',
        title: 'Invalid input.',
        detail: 'Invalid phone number format (Example of a valid format: +12345678901)',
        source: { pointer: '/data/attributes/profile/data/attributes/phone_number' },
      }),
      outcomes: [
        {
          kind: 'permanent',
          code: 'klaviyo.invalid',
          message:
            'Invalid input. Invalid phone number format (Example of a valid format: [phone]) /data/attributes/profile/data/attributes/phone_number',
        },
      ],
    },
    {
      title: 'too many requests for one account',
      events: [sampleEvent()],
      url: bulkUrl,
      body: { data: JOB },
      response: refused(429, {
        code: 'throttled',
        title: 'Request was throttled.',
        detail: 'Expected available in 12 seconds.',
        source: { pointer: '/data/' },
      }),
      outcomes: [
        {
          kind: 'rate_limited',
          code: 'klaviyo.throttled',
          message: 'Request was throttled. Expected available in 12 seconds. /data/',
          retryAfterSec: 12,
        },
      ],
    },
    {
      title: 'a wrong key stops the connection, not the event',
      events: [sampleEvent()],
      url: bulkUrl,
      body: { data: JOB },
      response: refused(401, {
        code: 'authentication_failed',
        title: 'Incorrect authentication credentials.',
        detail: 'Incorrect authentication credentials.',
      }),
      outcomes: [
        {
          kind: 'auth',
          code: 'klaviyo.authentication_failed',
          message: 'Incorrect authentication credentials.',
        },
      ],
    },
  ],
);
