// LinkedIn Conversions API. See README.md for every rule and its source.
import { noDeletion } from '../deletion.ts';
import { definePlatform } from '../platform.ts';
import { readTokenAnswer, refreshTokenRequest } from '../refresh-token.ts';
import { LINKEDIN_VERSION, linkedinCredentials, withoutVersion } from './credentials.ts';
import { LINKEDIN_EVENT_NAMES } from './event-names.ts';
import { linkedinRequest, linkedinUnsendable } from './payload.ts';
import { isLinkedinError, LINKEDIN_ERRORS, readLinkedinAnswer } from './response.ts';

export default definePlatform({
  slug: 'linkedin',
  label: 'LinkedIn',
  api: {
    version: LINKEDIN_VERSION,
    sunset: '2027-08-16',
    others: [{ version: '202607', sunset: '2027-07-15' }],
    docs: 'https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads-reporting/conversions-api',
    readOn: '2026-11-21',
  },
  credentials: linkedinCredentials,
  upgradeCredentials: withoutVersion,
  limits: {
    batchSizeMax: 5_000,
    ageMaxSec: 90 * 86_400,
    bodySizeMaxBytes: 5_000_000,
    timeoutMs: 20_000,
    allOrNothing: true,
  },
  /** By https://developer.salesforce.com/docs/data/data-cloud-int/guide/c360-a-linkedincapi-connector.html; LinkedIn shows an app's own in its portal only. */
  quotas: [
    { counts: 'requests', max: 600, perSec: 60 },
    { counts: 'requests', max: 300_000, perSec: 86_400 },
  ],
  eventNames: LINKEDIN_EVENT_NAMES,
  sealedFields: ['firstName', 'lastName', 'country', 'externalId'],
  clickIds: ['li_fat_id'],
  takenMeans: {
    text: 'the event was created, not whether it was matched',
    source: 'https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads-reporting/conversions-api',
  },
  consentSignals: ['ad_user_data', 'ad_personalization'],
  oauth: {
    needed: (credentials) => credentials.access_token === undefined,
    buildTokenRequest: ({ client_id = '', client_secret = '', refresh_token = '' }) =>
      refreshTokenRequest('https://www.linkedin.com/oauth/v2/accessToken', {
        client_id,
        client_secret,
        refresh_token,
      }),
    readTokenResponse: readTokenAnswer,
  },
  unsendable: linkedinUnsendable,
  testable: () => false,
  buildRequest: linkedinRequest,
  deletion: noDeletion(
    'LinkedIn',
    'https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads-reporting/conversions-api',
    '2026-11-27',
  ),
  errors: LINKEDIN_ERRORS,
  isOwnError: isLinkedinError,
  readAnswer: readLinkedinAnswer,
});
