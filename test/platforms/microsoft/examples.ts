import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import type { MicrosoftCredentials } from '#lib/events/platforms/microsoft/credentials.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_RAW,
  SAMPLE_TIME_SEC,
  sampleEvent,
  strangersPageView,
} from '#test/support/sample-event.ts';
import { answer, examplesOf } from '../platform-example.ts';

const credentials: MicrosoftCredentials = {
  tag_id: '187012345',
  api_token: 'uet-sandbox-token-0123456789',
};
const withRefunds: MicrosoftCredentials = {
  ...credentials,
  purchase_goal: 'Purchases',
  customer_id: '21012345',
  account_id: '150012345',
  developer_token: 'ads-developer-token',
  client_id: '6731de76-14a6-49ae-97bc-6eba6914391e',
  client_secret: 'ads-client-secret-0123456789',
  refresh_token: 'ads-sandbox-refresh-token-0123456789',
};
const refundOf = (left: string): OutgoingEvent =>
  sampleEvent({
    name: 'Refund',
    refund: {
      ...{ touch: 'direct', currency: 'USD', minor: '2000' },
      purchase: {
        ...{ value: left, dedupId: 'order-1001' },
        ...{ eventTimeSec: SAMPLE_TIME_SEC, actionSource: 'website' },
      },
    },
  });
const REFUND_MS = Date.UTC(2026, 10, 23, 9, 30);
const RESTATED = {
  TransactionId: '1001',
  ConversionName: 'Purchases',
  AdjustmentTime: '2026-11-23T09:30:00.000Z',
  AdjustmentType: 'Restate',
  AdjustmentValue: 39.98,
  AdjustmentCurrencyCode: 'USD',
};
const {
  AdjustmentValue: _value,
  AdjustmentCurrencyCode: _currency,
  ...RETRACTED
} = {
  ...RESTATED,
  AdjustmentType: 'Retract',
};
const toAdsApi = {
  credentials: withRefunds,
  context: { test: false, accessToken: 'ads-access-token', nowMs: REFUND_MS },
  url: 'https://campaign.api.bingads.microsoft.com/CampaignManagement/v13/OnlineConversionAdjustments/Apply',
  headers: {
    'content-type': 'application/json',
    authorization: 'Bearer ads-access-token',
    developertoken: 'ads-developer-token',
    customerid: '21012345',
    customeraccountid: '150012345',
  },
};
const url = 'https://capi.uet.microsoft.com/v1/187012345/events';
const headers = {
  'content-type': 'application/json',
  authorization: 'Bearer uet-sandbox-token-0123456789',
};
const MSCLKID = '6f1d2c3b4a5968778695a4b3c2d1e0f1';
const page = {
  eventSourceUrl: 'https://shop.example/thank-you?order=1001',
  referrerUrl: 'https://shop.example/checkout',
};
const request = { dataProvider: 'Millrace', continueOnValidationError: true };

const PURCHASE = {
  eventType: 'custom',
  eventId: 'order-1001',
  eventName: 'purchase',
  eventTime: SAMPLE_TIME_SEC,
  ...page,
  userData: {
    externalId: SAMPLE_HASHED.externalIdsCased?.[0],
    em: SAMPLE_HASHED.emailMicrosoft,
    ph: SAMPLE_HASHED.phoneE164,
    clientIpAddress: '203.0.113.7',
    clientUserAgent: SAMPLE_RAW.userAgent,
  },
  customData: {
    transactionId: '1001',
    itemIds: ['SKU-1', 'SKU-2'],
    pageType: 'purchase',
    eventValue: 59.98,
    value: 59.98,
    currency: 'USD',
    items: [
      { id: 'SKU-1', quantity: 2, price: 24.99 },
      { id: 'SKU-2', quantity: 1, price: 10 },
    ],
    ecommTotalValue: 59.98,
  },
};
const PAGE_LOAD = {
  eventType: 'pageLoad',
  eventId: 'pv-1',
  eventTime: SAMPLE_TIME_SEC,
  ...page,
  adStorageConsent: 'G',
  userData: { msclkid: MSCLKID, clientIpAddress: '203.0.113.7', clientUserAgent: SAMPLE_RAW.userAgent },
};
const pageLoad = strangersPageView({
  consent: { ad_storage: 'granted' },
  raw: { ...SAMPLE_RAW, browserIds: { msclkid: MSCLKID } },
});

const TOO_OLD = {
  index: 1,
  propertyName: 'eventTime',
  attemptedValue: SAMPLE_TIME_SEC,
  errorMessage: "'eventTime' is older than 7 days.",
};
const VALIDATION = {
  code: 'ValidationError',
  message: 'One or more validation errors occurred.',
  details: [TOO_OLD],
};
const tooOld = { code: 'microsoft.ValidationError', message: "eventTime: 'eventTime' is older than 7 days." };

export const examples = examplesOf<MicrosoftCredentials>(
  { credentials, context: { test: false }, url, headers },
  [
    {
      title: 'a purchase with everything known about the person',
      events: [sampleEvent()],
      body: { data: [PURCHASE], ...request },
      response: answer(200, { eventsReceived: 1, traceId: '00-abc-01' }),
    },
    {
      title: 'a page view of somebody who came from an ad',
      events: [pageLoad],
      body: { data: [PAGE_LOAD], ...request },
      response: answer(200, { eventsReceived: 1, traceId: '00-abc-01' }),
    },
    {
      title: 'personalization denied, under the event action of the shop’s own goal',
      events: [sampleEvent({ consent: { ad_storage: 'granted', ad_personalization: 'denied' } })],
      credentials: { ...credentials, event_names: { Purchase: 'PRODUCT_PURCHASE' } },
      body: { data: [{ ...PURCHASE, eventName: 'PRODUCT_PURCHASE', adStorageConsent: 'D' }], ...request },
      response: answer(200, { eventsReceived: 1, traceId: '00-abc-01' }),
    },
    {
      title: 'one of two is refused by index, the other was taken',
      events: [sampleEvent(), pageLoad],
      body: { data: [PURCHASE, PAGE_LOAD], ...request },
      response: answer(200, { eventsReceived: 1, error: VALIDATION, traceId: '00-abc-01' }),
      outcomes: [{ kind: 'delivered' }, { kind: 'permanent', ...tooOld }],
    },
    {
      title: 'the request is refused for one event: the other goes again without it',
      events: [sampleEvent(), pageLoad],
      body: { data: [PURCHASE, PAGE_LOAD], ...request },
      response: answer(400, { error: VALIDATION, traceId: '00-abc-01' }),
      outcomes: [
        {
          kind: 'batch_refused',
          code: 'microsoft.ValidationError',
          message: 'One or more validation errors occurred.',
        },
        { kind: 'permanent', ...tooOld },
      ],
    },
    {
      title: 'a wrong token stops the connection, not the event',
      events: [sampleEvent()],
      body: { data: [PURCHASE], ...request },
      response: answer(401, {
        error: { code: 'Unauthorized', message: 'The token is not valid for this tag.' },
        traceId: '00-abc-01',
      }),
      outcomes: [
        { kind: 'auth', code: 'microsoft.Unauthorized', message: 'The token is not valid for this tag.' },
      ],
    },
    {
      title: 'a refund of a part restates the purchase, one of the whole retracts it',
      events: [refundOf('39.98'), refundOf('0')],
      ...toAdsApi,
      body: { OnlineConversionAdjustments: [RESTATED, RETRACTED] },
      response: answer(200, { PartialErrors: [] }),
    },
    {
      title: 'one of two adjustments is refused by index',
      events: [refundOf('39.98'), refundOf('0')],
      ...toAdsApi,
      body: { OnlineConversionAdjustments: [RESTATED, RETRACTED] },
      response: answer(200, {
        PartialErrors: [{ Index: 1, ErrorCode: 'OfflineConversionsApplyFailed', Message: 'It failed.' }],
      }),
      outcomes: [
        { kind: 'delivered' },
        { kind: 'permanent', code: 'microsoft.OfflineConversionsApplyFailed', message: 'It failed.' },
      ],
    },
    {
      title: 'a refused grant of the Ads API keeps back refunds, and not the connection',
      events: [refundOf('39.98')],
      ...toAdsApi,
      body: { OnlineConversionAdjustments: [RESTATED] },
      response: answer(401, {
        Errors: [{ Code: 106, ErrorCode: 'UserIsNotAuthorized', Message: 'User is not authorized.' }],
      }),
      outcomes: [
        {
          ...{ kind: 'retry', code: 'microsoft.UserIsNotAuthorized', message: 'User is not authorized.' },
          ...{ retryAfterSec: 3_600, setting: true },
        },
      ],
    },
  ],
);
