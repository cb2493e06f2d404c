// Google Ads conversions through the Data Manager API. See README.md for every rule and its source.
import { definePlatform } from '../platform.ts';
import { readTokenAnswer, refreshTokenRequest } from '../refresh-token.ts';
import { googleAdsCredentials } from './credentials.ts';
import { GOOGLE_ADS_EVENT_NAMES } from './event-names.ts';
import { AGE_MAX_SEC, googleAdsGroupKey, googleAdsRequest, googleAdsUnsendable } from './payload.ts';
import { GOOGLE_ADS_ERRORS, isGoogleAdsError, readGoogleAdsAnswer } from './response.ts';
import { googleAdsStatus } from './status.ts';

export default definePlatform({
  slug: 'google_ads',
  label: 'Google Ads',
  api: {
    version: 'v1',
    docs: 'https://developers.google.com/data-manager/api',
    readOn: '2026-11-21',
  },
  credentials: googleAdsCredentials,
  limits: {
    batchSizeMax: 2_000,
    ageMaxSec: AGE_MAX_SEC,
    bodySizeMaxBytes: 8_000_000,
    timeoutMs: 20_000,
    allOrNothing: true,
  },
  /** Of a Cloud project, by https://developers.google.com/data-manager/api/devguides/limits. */
  quotas: [
    { counts: 'requests', max: 300, perSec: 60 },
    { counts: 'requests', max: 100_000, perSec: 86_400 },
  ],
  eventNames: GOOGLE_ADS_EVENT_NAMES,
  sealedFields: ['postalCode', 'country'],
  clickIds: ['gclid', 'gbraid', 'wbraid'],
  dedup: { purchasesByOrder: ({ transaction_id }) => transaction_id === 'order_id' },
  restatesPurchases: true,
  takenMeans: {
    text: 'the events will be processed, which takes up to a day',
    source: 'https://developers.google.com/data-manager/api/devguides/diagnostics',
  },
  statusOf: googleAdsStatus,
  consentSignals: ['ad_user_data'],
  oauth: {
    buildTokenRequest: (credentials) =>
      refreshTokenRequest('https://oauth2.googleapis.com/token', credentials),
    readTokenResponse: readTokenAnswer,
  },
  unsendable: googleAdsUnsendable,
  groupKey: googleAdsGroupKey,
  buildRequest: googleAdsRequest,
  deletion: {
    offered: 'no',
    why: 'Google’s Data Manager API removes people from audiences, not from conversions that it took.',
    docs: 'https://developers.google.com/data-manager/api/reference/rpc/google.ads.datamanager.v1',
    readOn: '2026-11-27',
  },
  errors: GOOGLE_ADS_ERRORS,
  isOwnError: isGoogleAdsError,
  readAnswer: readGoogleAdsAnswer,
});
