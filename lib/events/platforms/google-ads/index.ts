// Google Ads conversions through the Data Manager API. See README.md for every rule and its source.
import { DATA_MANAGER_LIMITS, DATA_MANAGER_QUOTAS, googleToken } from '../google-ingest/request.ts';
import { dataManagerAnswer, isDataManagerError } from '../google-ingest/response.ts';
import { dataManagerStatus } from '../google-ingest/status.ts';
import { definePlatform } from '../platform.ts';
import { type GoogleAdsCredentials, googleAdsCredentials } from './credentials.ts';
import { GOOGLE_ADS_EVENT_NAMES } from './event-names.ts';
import {
  AGE_MAX_SEC,
  actionOf,
  googleAdsGroupKey,
  googleAdsRequest,
  googleAdsUnsendable,
} from './payload.ts';
import { GOOGLE_ADS_DESTINATIONS } from './response.ts';

export default definePlatform({
  slug: 'google_ads',
  label: 'Google Ads',
  api: {
    version: 'v1',
    docs: 'https://developers.google.com/data-manager/api',
    readOn: '2026-11-21',
  },
  credentials: googleAdsCredentials,
  limits: { ...DATA_MANAGER_LIMITS, ageMaxSec: AGE_MAX_SEC },
  quotas: DATA_MANAGER_QUOTAS,
  eventNames: GOOGLE_ADS_EVENT_NAMES,
  sealedFields: ['postalCode', 'country'],
  clickIds: ['gclid', 'gbraid', 'wbraid'],
  dedup: { purchasesByOrder: ({ transaction_id }) => transaction_id === 'order_id' },
  restatesPurchases: true,
  takenMeans: {
    text: 'the events will be processed, which takes up to a day',
    source: 'https://developers.google.com/data-manager/api/devguides/diagnostics',
  },
  statusOf: dataManagerStatus({
    vendor: 'google_ads',
    accountOf: ({ customer_id }: GoogleAdsCredentials) => customer_id,
    destinationOf: actionOf,
  }),
  consentSignals: ['ad_user_data'],
  oauth: googleToken,
  unsendable: googleAdsUnsendable,
  groupKey: googleAdsGroupKey,
  keepsTestsApart: true,
  buildRequest: googleAdsRequest,
  deletion: {
    offered: 'no',
    why: 'Google’s Data Manager API removes people from audiences, not from conversions that it took.',
    docs: 'https://developers.google.com/data-manager/api/reference/rpc/google.ads.datamanager.v1',
    readOn: '2026-11-27',
  },
  errors: GOOGLE_ADS_DESTINATIONS.errors,
  isOwnError: isDataManagerError,
  readAnswer: dataManagerAnswer(GOOGLE_ADS_DESTINATIONS),
});
