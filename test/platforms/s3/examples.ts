import { createHmac, hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { HttpResult } from '#lib/events/platforms/platform.ts';
import type { S3Credentials } from '#lib/events/platforms/s3/credentials.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_RAW,
  SAMPLE_TIME_SEC,
  sampleEvent,
  strangersPageView,
} from '#test/support/sample-event.ts';
import { examplesOf } from '../platform-example.ts';

const credentials: S3Credentials = {
  bucket: 'shop-events',
  region: 'eu-central-1',
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  prefix: 'millrace',
};
const HOST = 'shop-events.s3.eu-central-1.amazonaws.com';
const NOW_MS = SAMPLE_TIME_SEC * 1_000 + 400;
const MERCHANT = '0192f7a0-0000-7000-8000-000000000001';

/** Where the object of these events lies: `channel`, id. */
function objectOf(...events: readonly (readonly [string, string])[]): string {
  const ids = events.map(([channel, id]) => JSON.stringify([MERCHANT, channel, id])).sort();
  return `dt=2026-11-20/hour=12/${hash('sha256', ids.join('\n')).slice(0, 40)}.ndjson.gz`;
}

/** As https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html signs. */
function put(path: string, lines: readonly unknown[]) {
  const packed = gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const digest = hash('sha256', packed);
  const headers = {
    'content-type': 'application/x-ndjson',
    'if-none-match': '*',
    'x-amz-checksum-sha256': Buffer.from(digest, 'hex').toString('base64'),
    'x-amz-content-sha256': digest,
    'x-amz-date': '20261120T120000Z',
  };
  const names = 'content-type;host;if-none-match;x-amz-checksum-sha256;x-amz-content-sha256;x-amz-date';
  const all: Readonly<Record<string, string>> = { ...headers, host: HOST };
  const listed = names.split(';').map((name) => `${name}:${all[name]}\n`);
  const canonical = `PUT\n/${path}\n\n${listed.join('')}\n${names}\n${digest}`;
  const scope = '20261120/eu-central-1/s3/aws4_request';
  const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const dayKey = mac(`AWS4${credentials.secret_access_key}`, '20261120');
  const key = mac(mac(mac(dayKey, 'eu-central-1'), 's3'), 'aws4_request');
  const signature = mac(key, `AWS4-HMAC-SHA256\n20261120T120000Z\n${scope}\n${hash('sha256', canonical)}`);
  return {
    url: `https://${HOST}/${path}`,
    headers: {
      ...headers,
      authorization: `AWS4-HMAC-SHA256 Credential=${credentials.access_key_id}/${scope}, SignedHeaders=${names}, Signature=${signature.toString('hex')}`,
    },
  };
}

const PURCHASE = {
  event_id: 'order-1001',
  event_name: 'Purchase',
  event_time: SAMPLE_TIME_SEC,
  received_at: '2026-11-20T12:00:00.250Z',
  merchant_id: MERCHANT,
  channel: 'server',
  source: 'server',
  action_source: 'website',
  event_source_url: 'https://shop.example/thank-you?order=1001',
  referrer_url: 'https://shop.example/checkout',
  order_id: '1001',
  value: 59.98,
  currency: 'USD',
  items: [
    { id: 'SKU-1', quantity: 2, price: 24.99 },
    { id: 'SKU-2', quantity: 1, price: 10 },
  ],
  user_data: {
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
};
const PAGE_VIEW = {
  event_id: 'pv-1',
  event_name: 'PageView',
  event_time: SAMPLE_TIME_SEC,
  received_at: '2026-11-20T12:00:00.250Z',
  merchant_id: MERCHANT,
  channel: 'browser',
  source: 'browser',
  action_source: 'website',
  event_source_url: 'https://shop.example/thank-you?order=1001',
  referrer_url: 'https://shop.example/checkout',
  user_data: {
    client_ip: SAMPLE_RAW.clientIp,
    user_agent: SAMPLE_RAW.userAgent,
    browser_ids: { fbp: SAMPLE_RAW.browserIds?.fbp },
  },
};

const STORED: HttpResult = {
  kind: 'response',
  status: 200,
  headers: { etag: '"5eb63bbbe01eeed093cb22bb8f5acdc3"' },
  body: '',
};
const error = (status: number, code: string, message: string, more = ''): HttpResult => ({
  kind: 'response',
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message>${more}<RequestId>4442587FB7D0A2F9</RequestId></Error>`,
});
const ORDER = put(`millrace/events/${objectOf(['server', 'order-1001'])}`, [PURCHASE]);

export const examples = examplesOf<S3Credentials>(
  { credentials, context: { test: false, nowMs: NOW_MS }, method: 'PUT', ...ORDER },
  [
    {
      title: 'a purchase with everything known about the person',
      events: [sampleEvent()],
      body: PURCHASE,
      response: STORED,
    },
    {
      title: 'a test of a stranger’s page view, which the table does not see',
      events: [strangersPageView()],
      context: { test: true, nowMs: NOW_MS },
      ...put(`millrace/tests/${objectOf(['browser', 'pv-1'])}`, [PAGE_VIEW]),
      body: PAGE_VIEW,
      response: STORED,
    },
    {
      title: 'a batch in one object, which was there already',
      events: [sampleEvent(), strangersPageView()],
      ...put(`millrace/events/${objectOf(['server', 'order-1001'], ['browser', 'pv-1'])}`, [
        PURCHASE,
        PAGE_VIEW,
      ]),
      body: [PURCHASE, PAGE_VIEW],
      response: error(
        412,
        'PreconditionFailed',
        'At least one of the pre-conditions you specified did not hold',
      ),
      outcomes: [0, 1].map(() => ({
        kind: 'duplicate',
        code: 's3.PreconditionFailed',
        message: 'At least one of the pre-conditions you specified did not hold',
      })),
    },
    {
      title: 'the bucket is gone',
      events: [sampleEvent()],
      body: PURCHASE,
      response: error(404, 'NoSuchBucket', 'The specified bucket does not exist'),
      outcomes: [{ kind: 'auth', code: 's3.NoSuchBucket', message: 'The specified bucket does not exist' }],
    },
    {
      title: 'the bucket is in another region',
      events: [sampleEvent()],
      body: PURCHASE,
      response: error(
        301,
        'PermanentRedirect',
        'The bucket you are attempting to access must be addressed using the specified endpoint.',
        '<Endpoint>shop-events.s3.eu-west-1.amazonaws.com</Endpoint>',
      ),
      outcomes: [
        {
          kind: 'auth',
          code: 's3.PermanentRedirect',
          message: 'The bucket is in another region, eu-west-1: change the region of the connection.',
        },
      ],
    },
    {
      title: 'a proxy says no, and the connection goes on',
      events: [sampleEvent()],
      body: PURCHASE,
      response: { kind: 'response', status: 403, headers: {}, body: '<html>Forbidden</html>' },
      outcomes: [{ kind: 'retry', code: 'http_403', message: 'the answer is not the platform’s own' }],
    },
  ],
);
