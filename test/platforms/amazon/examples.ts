import type { AmazonCredentials } from '#lib/events/platforms/amazon/credentials.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_RAW,
  sampleEvent,
  sha256,
  strangersPageView,
} from '#test/support/sample-event.ts';
import { answer, examplesOf } from '../platform-example.ts';

const credentials: AmazonCredentials = {
  region: 'EU',
  account_id: '580123456789',
  client_id: 'amzn1.application-oa2-client.0123456789abcdef',
  client_secret: 'amzn1.oa2-cs.v1.0123456789abcdef',
  refresh_token: 'Atzr|sandbox-refresh-token-0123456789',
  country_code: 'DE',
  data_set_name: 'web_events',
};
const context = { test: false, accessToken: 'Atza|sandbox-access-token' };
const url = 'https://advertising-api-eu.amazon.com/adsApi/v1/create/events';
const headers = {
  'content-type': 'application/json',
  accept: 'application/json',
  authorization: 'Bearer Atza|sandbox-access-token',
  'amazon-ads-clientid': 'amzn1.application-oa2-client.0123456789abcdef',
  'amazon-ads-accountid': '580123456789',
};
const geo = { geo: { ipAddress: '203.0.113.7' } };
const described = (name: string, conversionType: string) => ({
  name,
  conversionType,
  eventSource: 'WEBSITE',
  eventIngestionMethod: 'SERVER_TO_SERVER',
  dataSetName: 'web_events',
});
const key = (type: string, value: string | undefined) => ({ type, values: [value] });

const PURCHASE = {
  eventDescription: described('Purchase', 'OFF_AMAZON_PURCHASES'),
  eventId: 'order-1001',
  eventTime: '2026-11-20T12:00:00.000Z',
  countryCode: 'US',
  matchKeys: [
    key('EMAIL', SAMPLE_HASHED.emailAmazon),
    key('PHONE', SAMPLE_HASHED.phoneDigits),
    key('FIRST_NAME', SAMPLE_HASHED.firstNameAlnum),
    key('LAST_NAME', SAMPLE_HASHED.lastNameAlnum),
    key('CITY', SAMPLE_HASHED.cityAlnum),
    key('STATE', SAMPLE_HASHED.stateAlnum),
    key('POSTAL', SAMPLE_HASHED.postalCode),
    key('MATCH_ID', 'Cust-42'),
    key('FIP', '203.0.113.7'),
  ],
  value: 59.98,
  currencyCode: 'USD',
  unitsSold: 3,
  consent: geo,
  deviceInfo: { userAgent: SAMPLE_RAW.userAgent },
  customData: [{ name: 'order_id', dataType: 'STRING', value: '1001' }],
};
const PAGE_VIEW = {
  eventDescription: described('PageView', 'PAGE_VIEW'),
  eventId: 'pv-1',
  eventTime: '2026-11-20T12:00:00.000Z',
  countryCode: 'DE',
  matchKeys: [key('FIP', '203.0.113.7')],
  consent: geo,
  deviceInfo: { userAgent: SAMPLE_RAW.userAgent },
};

export const examples = examplesOf<AmazonCredentials>({ credentials, context, url, headers }, [
  {
    title: 'a purchase with everything known about the person',
    events: [sampleEvent()],
    body: { events: [PURCHASE] },
    response: answer(207, { success: [{ index: 0, event: PURCHASE }], error: [] }),
  },
  {
    title: 'consent as it was given; personalization denied: limited data use',
    events: [
      strangersPageView({
        consent: { ad_user_data: 'granted', ad_storage: 'denied', ad_personalization: 'denied' },
        hashed: { emailAmazon: sha256('jane.doe+shop@gmail.com') },
      }),
    ],
    body: {
      events: [
        {
          ...PAGE_VIEW,
          matchKeys: [key('EMAIL', SAMPLE_HASHED.emailAmazon), key('FIP', '203.0.113.7')],
          consent: { amazonConsent: { amznUserData: 'GRANTED', amznAdStorage: 'DENIED' } },
          dataProcessingOptions: { options: 'LIMITED_DATA_USE' },
        },
      ],
    },
    response: answer(207, { success: [{ index: 0, event: PAGE_VIEW }], error: [] }),
  },
  {
    title: 'one of two is refused by index, the other was taken',
    events: [sampleEvent(), strangersPageView()],
    body: { events: [PURCHASE, PAGE_VIEW] },
    response: answer(207, {
      success: [{ index: 0, event: PURCHASE }],
      error: [
        {
          index: 1,
          errors: [
            {
              code: 'FIELD_VALUE_IS_INVALID',
              fieldLocation: '$.events[1].eventTime',
              message: 'eventTime is older than 7 days',
            },
          ],
        },
      ],
    }),
    outcomes: [
      { kind: 'delivered' },
      {
        kind: 'permanent',
        code: 'amazon.FIELD_VALUE_IS_INVALID',
        message: '$.events[1].eventTime: eventTime is older than 7 days',
      },
    ],
  },
  {
    title: 'missing rights stop the connection, not the event',
    events: [sampleEvent()],
    body: { events: [PURCHASE] },
    response: answer(403, {
      code: 'FORBIDDEN',
      details: 'Not authorized to manage events of this account',
      requestId: '6C1XJ33DSF546P3XZSD',
    }),
    outcomes: [
      {
        kind: 'auth',
        code: 'amazon.FORBIDDEN',
        message: 'Not authorized to manage events of this account',
      },
    ],
  },
]);
