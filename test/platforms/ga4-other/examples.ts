import type { Ga4Credentials } from '#lib/events/platforms/ga4/credentials.ts';
import { appEvent, SAMPLE_APP } from '#test/support/sample-app.ts';
import { SAMPLE_HASHED, sampleEvent, strangersPageView } from '#test/support/sample-event.ts';
import { answer, examplesOf } from '../platform-example.ts';

const credentials: Ga4Credentials = {
  measurement_id: 'G-TEST123456',
  api: 'data_manager',
  region: 'global',
  property_id: '123456789',
  client_id: '1234-abc.apps.googleusercontent.com',
  client_secret: 'GOCSPX-sandbox-client-secret',
  refresh_token: '1//sandbox-analytics-refresh-token-0123456789',
  firebase_app_id: '1:1234567890:android:321abc456def7890',
};
const url = 'https://datamanager.googleapis.com/v1/events:ingest';
const accessToken = 'ya29.sandbox-access-token';
const headers = { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` };
const account = { accountType: 'GOOGLE_ANALYTICS_PROPERTY', accountId: '123456789' };
const stream = (productDestinationId: string) => ({
  operatingAccount: account,
  loginAccount: account,
  productDestinationId,
});
const WEB = { destinations: [stream('G-TEST123456')], encoding: 'HEX' };
const context = { test: false, accessToken };
const REQUEST = 'bb2a7f2c-5d1f-4e8a-9d0e-3a2f';
const TAKEN = answer(200, { requestId: REQUEST });
const TIME = '2026-11-20T12:00:00.000Z';
const parameters = (all: Readonly<Record<string, string>>) =>
  Object.entries(all).map(([parameterName, value]) => ({ parameterName, value }));

const PERSON = {
  userId: 'Cust-42',
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
          city: 'menlo park',
          administrativeArea: 'ca',
        },
      },
    ],
  },
};
const SALE = {
  eventName: 'purchase',
  eventTimestamp: TIME,
  ...PERSON,
  transactionId: '1001',
  currency: 'USD',
  conversionValue: 59.98,
  cartData: {
    items: [
      { itemId: 'SKU-1', quantity: 2, unitPrice: 24.99 },
      { itemId: 'SKU-2', quantity: 1, unitPrice: 10 },
    ],
  },
};
const PURCHASE = {
  ...SALE,
  eventSource: 'WEB',
  clientId: '1098115397.1795000000',
  additionalEventParameters: parameters({
    engagement_time_msec: '1',
    session_id: '1795175000',
    event_id: 'order-1001',
    page_location: 'https://shop.example/thank-you?order=1001',
    page_referrer: 'https://shop.example/checkout',
  }),
};
const PAGE_VIEW = {
  eventName: 'page_view',
  eventTimestamp: TIME,
  eventSource: 'WEB',
  clientId: '1364764238.1122209428',
  additionalEventParameters: parameters({
    engagement_time_msec: '1',
    event_id: 'pv-1',
    page_location: 'https://shop.example/thank-you?order=1001',
    page_referrer: 'https://shop.example/checkout',
  }),
};

function failed(status: number, word: string, message: string, ...details: unknown[]) {
  return answer(status, { error: { code: status, message, status: word, details } });
}

const violations = (...fieldViolations: readonly object[]) => [
  {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'INVALID_ARGUMENT',
    domain: 'datamanager.googleapis.com',
  },
  { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations },
];
const PROBLEM = 'There was a problem with the request.';

export const examples = examplesOf<Ga4Credentials>({ credentials, context, url, headers }, [
  {
    title: 'a purchase in a known browser session',
    events: [sampleEvent()],
    body: { ...WEB, events: [PURCHASE] },
    response: TAKEN,
    outcomes: [{ kind: 'delivered', request: REQUEST }],
  },
  {
    title: 'a purchase in an app, in the stream of the app',
    events: [appEvent({}, { raw: {} })],
    body: {
      destinations: [stream('1:1234567890:android:321abc456def7890')],
      encoding: 'HEX',
      events: [
        {
          ...SALE,
          eventSource: 'APP',
          appInstanceId: SAMPLE_APP.instance_id,
          additionalEventParameters: parameters({ engagement_time_msec: '1', event_id: 'order-1001' }),
        },
      ],
    },
    response: TAKEN,
    outcomes: [{ kind: 'delivered', request: REQUEST }],
  },
  {
    title: 'two clients in one request; the name of one event refuses both',
    events: [strangersPageView(), sampleEvent()],
    body: { ...WEB, events: [PAGE_VIEW, PURCHASE] },
    response: failed(
      400,
      'INVALID_ARGUMENT',
      PROBLEM,
      ...violations({
        field: 'events.events[1].event_name',
        description: 'The event name is not supported.',
        reason: 'INVALID_EVENT_NAME',
      }),
    ),
    outcomes: [
      { kind: 'batch_refused', code: 'ga4.INVALID_ARGUMENT', message: PROBLEM },
      { kind: 'permanent', code: 'ga4.INVALID_EVENT_NAME', message: 'The event name is not supported.' },
    ],
  },
  {
    title: 'validated only, as a test; the client id is not one',
    events: [sampleEvent()],
    context: { ...context, test: true },
    body: { ...WEB, validateOnly: true, events: [PURCHASE] },
    response: answer(200, {
      requestId: REQUEST,
      fieldWarnings: [
        {
          reason: 'WARNING_REASON_INVALID_CLIENT_ID',
          description: 'The client ID is invalid.',
          field: 'events.events[0].client_id',
        },
      ],
    }),
    outcomes: [{ kind: 'delivered', message: 'The client ID is invalid.', request: REQUEST }],
  },
  {
    title: 'the property has no such stream',
    events: [sampleEvent()],
    body: { ...WEB, events: [PURCHASE] },
    response: failed(
      400,
      'INVALID_ARGUMENT',
      PROBLEM,
      ...violations({ field: 'destinations.product_destination_id', description: 'Resource not found.' }),
    ),
    outcomes: [
      {
        kind: 'retry',
        code: 'ga4.INVALID_ARGUMENT',
        message: 'Resource not found.',
        retryAfterSec: 3_600,
        setting: true,
      },
    ],
  },
]);
