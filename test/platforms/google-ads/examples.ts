import type { GoogleAdsCredentials } from '#lib/events/platforms/google-ads/credentials.ts';
import { GOOGLE_ADS_EVENT_NAMES } from '#lib/events/platforms/google-ads/event-names.ts';
import { SAMPLE_HASHED, SAMPLE_RAW, sampleEvent } from '#test/support/sample-event.ts';
import { everyEventId } from '../every-event-id.ts';
import { answer, examplesOf } from '../platform-example.ts';

const credentials: GoogleAdsCredentials = {
  customer_id: '1234567890',
  client_id: '1234-abc.apps.googleusercontent.com',
  client_secret: 'GOCSPX-sandbox-client-secret',
  refresh_token: '1//sandbox-refresh-token-0123456789',
  event_ids: everyEventId({ ...GOOGLE_ADS_EVENT_NAMES, Refund: null }, (_, position) =>
    String(100_001 + position),
  ),
  transaction_id: 'event_id',
  send_ip_address: false,
};
const url = 'https://datamanager.googleapis.com/v1/events:ingest';
const accessToken = 'ya29.sandbox-access-token';
const headers = { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` };
const account = { accountType: 'GOOGLE_ADS', accountId: '1234567890' };
const action = (id: string) => ({ reference: id, operatingAccount: account, productDestinationId: id });
const context = { test: false, accessToken };

const PURCHASE = {
  destinationReferences: ['100013'],
  transactionId: 'order-1001',
  eventTimestamp: '2026-11-20T12:00:00.000Z',
  eventSource: 'WEB',
  currency: 'USD',
  conversionValue: 59.98,
  userData: {
    userIdentifiers: [
      { emailAddress: SAMPLE_HASHED.emailGoogle },
      { phoneNumber: SAMPLE_HASHED.phoneE164 },
      {
        address: {
          givenName: SAMPLE_HASHED.firstNameGoogle,
          familyName: SAMPLE_HASHED.lastNameGoogle,
          regionCode: 'US',
          postalCode: '94025',
        },
      },
    ],
  },
  eventDeviceInfo: { userAgent: SAMPLE_RAW.userAgent },
  cartData: {
    items: [
      { itemId: 'SKU-1', merchantProductId: 'SKU-1', quantity: 2, unitPrice: 24.99 },
      { itemId: 'SKU-2', merchantProductId: 'SKU-2', quantity: 1, unitPrice: 10 },
    ],
  },
};
/** A lead known by its click alone. */
const clickedLead = sampleEvent({
  name: 'Lead',
  eventId: 'lead-7',
  dedupId: 'lead-7',
  items: [],
  hashed: {},
  plaintext: {},
  raw: { browserIds: { gclid: 'Cj0KCQiA-sandbox_gclid' } },
  consent: { ad_user_data: 'granted', ad_personalization: 'denied' },
});
const LEAD = {
  destinationReferences: ['100020'],
  transactionId: 'lead-7',
  eventTimestamp: '2026-11-20T12:00:00.000Z',
  eventSource: 'WEB',
  currency: 'USD',
  conversionValue: 59.98,
  consent: { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_DENIED' },
  adIdentifiers: { gclid: 'Cj0KCQiA-sandbox_gclid' },
};

function failed(status: number, word: string, message: string, ...details: unknown[]) {
  return answer(status, { error: { code: status, message, status: word, details } });
}

const errorInfo = (reason: string, metadata?: object) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'datamanager.googleapis.com',
  ...(metadata === undefined ? {} : { metadata }),
});

const REQUEST = 'bb2a7f2c-5d1f-4e8a-9d0e-3a2f';

export const examples = examplesOf<GoogleAdsCredentials>({ credentials, context, url, headers }, [
  {
    title: 'a purchase with everything known about the person',
    events: [sampleEvent()],
    body: { destinations: [action('100013')], encoding: 'HEX', events: [PURCHASE] },
    response: answer(200, { requestId: REQUEST }),
    outcomes: [{ kind: 'delivered', request: REQUEST }],
  },
  {
    title: 'validated only, as a test',
    events: [sampleEvent()],
    context: { ...context, test: true },
    body: { destinations: [action('100013')], encoding: 'HEX', validateOnly: true, events: [PURCHASE] },
    response: answer(200, {
      requestId: REQUEST,
      fieldWarnings: [
        {
          reason: 'WARNING_REASON_INVALID_MERCHANT_ID',
          description: 'The merchant ID is not valid.',
          field: 'events.events[0].cart_data.merchant_id',
        },
      ],
    }),
    outcomes: [{ kind: 'delivered', message: 'The merchant ID is not valid.', request: REQUEST }],
  },
  {
    title: 'two conversion actions in one request; one event is too old and refuses both',
    events: [clickedLead, sampleEvent()],
    body: {
      destinations: [action('100020'), action('100013')],
      encoding: 'HEX',
      events: [LEAD, PURCHASE],
    },
    response: failed(
      400,
      'INVALID_ARGUMENT',
      'There was a problem with the request.',
      errorInfo('INVALID_ARGUMENT'),
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [
          {
            field: 'events.events[1].event_timestamp',
            description: 'Event did not occur within the acceptable time window.',
            reason: 'EVENT_TIME_INVALID',
          },
        ],
      },
    ),
    outcomes: [
      {
        kind: 'batch_refused',
        code: 'google_ads.INVALID_ARGUMENT',
        message: 'There was a problem with the request.',
      },
      {
        kind: 'permanent',
        code: 'google_ads.EVENT_TIME_INVALID',
        message: 'Event did not occur within the acceptable time window.',
      },
    ],
  },
  {
    title: 'the quota of the day is used up',
    events: [sampleEvent()],
    body: { destinations: [action('100013')], encoding: 'HEX', events: [PURCHASE] },
    response: failed(
      429,
      'RESOURCE_EXHAUSTED',
      'Quota exceeded.',
      errorInfo('RESOURCE_EXHAUSTED', { quota_limit: 'IngestRequestsPerDayPerProject' }),
    ),
    outcomes: [
      {
        kind: 'rate_limited',
        code: 'google_ads.RESOURCE_EXHAUSTED',
        message: 'Quota exceeded.',
        retryAfterSec: 3_600,
      },
    ],
  },
  {
    title: 'the account does not allow this',
    events: [sampleEvent()],
    body: { destinations: [action('100013')], encoding: 'HEX', events: [PURCHASE] },
    response: failed(
      403,
      'PERMISSION_DENIED',
      'The caller does not have permission',
      errorInfo('PERMISSION_DENIED'),
    ),
    outcomes: [
      { kind: 'auth', code: 'google_ads.PERMISSION_DENIED', message: 'The caller does not have permission' },
    ],
  },
]);
