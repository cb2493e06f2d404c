import type { LinkedinCredentials } from '#lib/events/platforms/linkedin/credentials.ts';
import { LINKEDIN_EVENT_NAMES } from '#lib/events/platforms/linkedin/event-names.ts';
import { SAMPLE_HASHED, SAMPLE_RAW, SAMPLE_TIME_SEC, sampleEvent } from '#test/support/sample-event.ts';
import { everyEventId } from '../every-event-id.ts';
import { answer, examplesOf } from '../platform-example.ts';

const credentials: LinkedinCredentials = {
  client_id: '77sandboxclient',
  client_secret: 'sandbox-client-secret',
  refresh_token: 'AQsandbox-refresh-token-0123456789',
  event_ids: everyEventId(LINKEDIN_EVENT_NAMES, (_, position) => String(20_001 + position)),
  send_ip_address: false,
};
const url = 'https://api.linkedin.com/rest/conversionEvents';
const accessToken = 'AQV-sandbox-access-token';
const headers = {
  'content-type': 'application/json',
  authorization: `Bearer ${accessToken}`,
  'linkedin-version': '202608',
  'x-restli-protocol-version': '2.0.0',
  'x-restli-method': 'BATCH_CREATE',
};
const context = { test: false, accessToken };

const PURCHASE = {
  conversion: 'urn:lla:llaPartnerConversion:20013',
  conversionHappenedAt: SAMPLE_TIME_SEC * 1_000,
  conversionValue: { currencyCode: 'USD', amount: '59.98' },
  eventId: 'order-1001',
  user: {
    userIds: [{ idType: 'SHA256_EMAIL', idValue: SAMPLE_HASHED.emailPlain }],
    userInfo: { firstName: 'Jane', lastName: 'Doe', countryCode: 'US' },
    externalIds: ['Cust-42'],
  },
};
/** A lead known by the click and the network address. */
const clickedLead = sampleEvent({
  name: 'Lead',
  eventId: 'lead-7',
  dedupId: 'lead-7',
  hashed: {},
  plaintext: {},
  raw: { ...SAMPLE_RAW, browserIds: { li_fat_id: '8f2a0e1c-77d1-4e5f-9a9b-0c6d6f3f2a11' } },
});
const LEAD = {
  conversion: 'urn:lla:llaPartnerConversion:20020',
  conversionHappenedAt: SAMPLE_TIME_SEC * 1_000,
  conversionValue: { currencyCode: 'USD', amount: '59.98' },
  eventId: 'lead-7',
  user: {
    userIds: [
      { idType: 'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID', idValue: '8f2a0e1c-77d1-4e5f-9a9b-0c6d6f3f2a11' },
      { idType: 'PLAINTEXT_IP_ADDRESS', idValue: '203.0.113.7' },
    ],
  },
};
const { userInfo: _names, ...userByEmail } = PURCHASE.user;

const WRONG_METHOD =
  "Incorrect conversions information provided. Conversion's method should be CONVERSIONS_API, indices [0] (0-indexed)";

export const examples = examplesOf<LinkedinCredentials>({ credentials, context, url, headers }, [
  {
    title: 'a purchase with everything known about the person',
    events: [sampleEvent()],
    body: { elements: [PURCHASE] },
    response: answer(200, { elements: [{ status: 201 }] }),
  },
  {
    title: 'with network addresses; the rule of the first event is refused, the second goes again',
    events: [clickedLead, sampleEvent({ plaintext: { firstName: 'Jane', externalId: 'Cust-42' }, raw: {} })],
    credentials: { ...credentials, send_ip_address: true },
    body: { elements: [LEAD, { ...PURCHASE, user: userByEmail }] },
    response: answer(400, { message: WRONG_METHOD, status: 400 }),
    outcomes: [
      { kind: 'retry', code: 'linkedin.400', message: WRONG_METHOD, retryAfterSec: 3_600, setting: true },
      { kind: 'batch_refused', code: 'linkedin.400', message: WRONG_METHOD },
    ],
  },
  {
    title: 'a field is missing',
    events: [sampleEvent()],
    body: { elements: [PURCHASE] },
    response: answer(422, {
      message:
        'Index: 0, ERROR :: /conversionValue/amount :: field is required but not found and has no default value\nERROR :: /user/userInfo/lastName :: field is required but not found and has no default value\n',
      status: 422,
    }),
    outcomes: [
      {
        kind: 'permanent',
        code: 'linkedin.422',
        message:
          'ERROR :: /conversionValue/amount :: field is required but not found and has no default value ERROR :: /user/userInfo/lastName :: field is required but not found and has no default value',
      },
    ],
  },
  {
    title: 'the monthly version is gone',
    events: [sampleEvent()],
    context: { ...context, version: '202511' },
    headers: { ...headers, 'linkedin-version': '202511' },
    body: { elements: [PURCHASE] },
    response: answer(426, {
      status: 426,
      code: 'NONEXISTENT_VERSION',
      message: 'Requested version 202511 is not active',
    }),
    outcomes: [
      {
        kind: 'auth',
        code: 'linkedin.no_such_version',
        message: 'Requested version 202511 is not active',
      },
    ],
  },
  {
    title: 'the user has withdrawn the grant',
    events: [sampleEvent()],
    body: { elements: [PURCHASE] },
    response: answer(401, {
      status: 401,
      serviceErrorCode: 65601,
      code: 'REVOKED_ACCESS_TOKEN',
      message: 'The token used in the request has been revoked by the user',
    }),
    outcomes: [
      {
        kind: 'auth',
        code: 'linkedin.REVOKED_ACCESS_TOKEN',
        message: 'The token used in the request has been revoked by the user',
      },
    ],
  },
]);
