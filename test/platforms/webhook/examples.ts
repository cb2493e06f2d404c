import { createHmac, hash } from 'node:crypto';
import type { WebhookCredentials } from '#lib/events/platforms/webhook/credentials.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_RAW,
  SAMPLE_TIME_SEC,
  sampleEvent,
  strangersPageView,
} from '#test/support/sample-event.ts';
import { answer, examplesOf } from '../platform-example.ts';

const credentials: WebhookCredentials = {
  url: 'https://hooks.shop.example/events',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  authorization: 'Bearer webhook-sandbox-token',
};
const { url } = credentials;
const NOW_MS = SAMPLE_TIME_SEC * 1_000 + 400;

/** As the specification signs: https://www.standardwebhooks.com. */
function signed(eventId: string, body: unknown) {
  const id = `msg_${Buffer.from(hash('sha256', eventId, 'hex'), 'hex')
    .toString('base64url')
    .slice(0, 27)}`;
  const time = String(Math.floor(NOW_MS / 1_000));
  const key = Buffer.from(credentials.secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key)
    .update(`${id}.${time}.${JSON.stringify(body)}`)
    .digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${signature}`,
    authorization: credentials.authorization ?? '',
  };
}

const PURCHASE = {
  type: 'purchase',
  timestamp: '2026-11-20T12:00:00.000Z',
  data: {
    event_id: 'order-1001',
    event_time: SAMPLE_TIME_SEC,
    action_source: 'website',
    source: 'server',
    event_source_url: 'https://shop.example/thank-you?order=1001',
    referrer_url: 'https://shop.example/checkout',
    order_id: '1001',
    value: 59.98,
    currency: 'USD',
    items: [
      { id: 'SKU-1', quantity: 2, price: 24.99 },
      { id: 'SKU-2', quantity: 1, price: 10 },
    ],
    user: {
      email_sha256: SAMPLE_HASHED.emailPlain,
      phone_sha256: SAMPLE_HASHED.phoneE164,
      first_name_sha256: SAMPLE_HASHED.firstName,
      last_name_sha256: SAMPLE_HASHED.lastName,
      gender_sha256: SAMPLE_HASHED.gender,
      date_of_birth_sha256: SAMPLE_HASHED.dateOfBirth,
      city_sha256: SAMPLE_HASHED.city,
      state_sha256: SAMPLE_HASHED.state,
      postal_code_sha256: SAMPLE_HASHED.postalCode,
      country_sha256: SAMPLE_HASHED.country,
      external_ids_sha256: SAMPLE_HASHED.externalIdsCased,
      client_ip: SAMPLE_RAW.clientIp,
      user_agent: SAMPLE_RAW.userAgent,
      browser_ids: SAMPLE_RAW.browserIds,
    },
  },
};
const PAGE_VIEW = {
  type: 'page_view',
  timestamp: '2026-11-20T12:00:00.000Z',
  test: true,
  data: {
    event_id: 'pv-1',
    event_time: SAMPLE_TIME_SEC,
    action_source: 'website',
    source: 'browser',
    event_source_url: 'https://shop.example/thank-you?order=1001',
    referrer_url: 'https://shop.example/checkout',
    user: {
      client_ip: SAMPLE_RAW.clientIp,
      user_agent: SAMPLE_RAW.userAgent,
      browser_ids: { fbp: SAMPLE_RAW.browserIds?.fbp },
    },
  },
};
const OWN_FORM = {
  type: 'purchase',
  data: { event_id: 'order-1001', text: 'Order 1001 for 59.98', amount: { value: 59.98, in: 'USD' } },
};
const TEMPLATE = `{
  "type": "{{type}}",
  "data": {
    "event_id": "{{data.event_id}}",
    "text": "Order {{data.order_id}} for {{data.value}}",
    "amount": { "value": "{{ data.value }}", "in": "{{data.currency}}", "note": "{{data.custom_data.note}}" }
  }
}`;

export const examples = examplesOf<WebhookCredentials>(
  { credentials, context: { test: false, nowMs: NOW_MS }, url, headers: signed('order-1001', PURCHASE) },
  [
    {
      title: 'a purchase with everything known about the person',
      events: [sampleEvent()],
      body: PURCHASE,
      response: answer(200, { ok: true }),
    },
    {
      title: 'a test of a stranger’s page view',
      events: [strangersPageView()],
      context: { test: true, nowMs: NOW_MS },
      headers: signed('pv-1', PAGE_VIEW),
      body: PAGE_VIEW,
      response: { kind: 'response', status: 204, headers: {}, body: '' },
    },
    {
      title: 'a body of one’s own form',
      events: [sampleEvent()],
      credentials: {
        ...credentials,
        url: 'https://hooks.shop.example/own-form',
        body: TEMPLATE,
      },
      url: 'https://hooks.shop.example/own-form',
      headers: signed('order-1001', OWN_FORM),
      body: OWN_FORM,
      response: answer(202, null),
    },
    {
      title: 'the server refuses the event for good',
      events: [sampleEvent()],
      body: PURCHASE,
      response: answer(422, { error: { code: 'no_such_order', message: 'We have no order 1001.' } }),
      outcomes: [{ kind: 'permanent', code: 'webhook.no_such_order', message: 'We have no order 1001.' }],
    },
    {
      title: 'the server has it already',
      events: [sampleEvent()],
      body: PURCHASE,
      response: answer(409, { error: { code: 'seen', message: 'We have it.' } }),
      outcomes: [{ kind: 'duplicate', code: 'webhook.seen', message: 'We have it.' }],
    },
    {
      title: 'a firewall before the server stops nothing',
      events: [sampleEvent()],
      body: PURCHASE,
      response: { kind: 'response', status: 403, headers: {}, body: '<html>Forbidden</html>' },
      outcomes: [{ kind: 'retry', code: 'http_403', message: 'the answer is not the platform’s own' }],
    },
  ],
);
