// Google Analytics 4: the Measurement Protocol for web and app streams, or the Data Manager API where a connection chooses it. See
// README.md for every rule and its source.
import { DATA_MANAGER_LIMITS, DATA_MANAGER_QUOTAS, googleToken } from '../google-ingest/request.ts';
import { dataManagerAnswer, isDataManagerError } from '../google-ingest/response.ts';
import { dataManagerStatus } from '../google-ingest/status.ts';
import { definePlatform } from '../platform.ts';
import type { RefreshGrant } from '../refresh-token.ts';
import { type Ga4Credentials, ga4Credentials } from './credentials.ts';
import { GA4_EVENT_NAMES } from './event-names.ts';
import { analyticsGroupKey, analyticsRequest, analyticsUnsendable, GA4_DESTINATIONS } from './ingest.ts';
import { ga4GroupKey, ga4Request, ga4Unsendable } from './payload.ts';
import { GA4_ERRORS, isGa4Error, readGa4Answer } from './response.ts';
import { GA4_SEALED_FIELDS } from './user-data.ts';

/** Older events would be counted at a time that is not theirs, or refused. */
const AGE_MAX_SEC = 72 * 3_600;

const shared = {
  slug: 'ga4',
  label: 'Google Analytics 4',
  credentials: ga4Credentials,
  eventNames: GA4_EVENT_NAMES,
  sealedFields: GA4_SEALED_FIELDS,
  dedup: { purchasesByOrder: () => true },
  consentSignals: ['analytics'],
  deletion: {
    offered: 'other_rights',
    why: 'Google deletes a person from a property by its Admin API (submitUserDeletion), for which a connection has no rights: delete the person there.',
    docs: 'https://developers.google.com/analytics/devguides/config/admin/v1/rest/v1alpha/properties/submitUserDeletion',
    readOn: '2026-11-27',
  },
} as const;

const dataManager = definePlatform<Ga4Credentials>({
  ...shared,
  api: {
    version: 'v1',
    docs: 'https://developers.google.com/data-manager/api/devguides/events/analytics/recommended-custom-events',
    readOn: '2026-11-27',
  },
  limits: { ...DATA_MANAGER_LIMITS, ageMaxSec: AGE_MAX_SEC },
  quotas: DATA_MANAGER_QUOTAS,
  takenMeans: {
    text: 'the events will be processed, which takes up to a day',
    source: 'https://developers.google.com/data-manager/api/devguides/diagnostics',
  },
  statusOf: dataManagerStatus({
    vendor: 'ga4',
    accountOf: ({ property_id }) => property_id,
    // A request has one.
    destinationOf: () => undefined,
  }),
  // The schema wants all three of such a connection.
  oauth: {
    ...googleToken,
    buildTokenRequest: (given) => googleToken.buildTokenRequest(given as RefreshGrant),
  },
  unsendable: analyticsUnsendable,
  groupKey: analyticsGroupKey,
  keepsTestsApart: true,
  buildRequest: analyticsRequest,
  errors: GA4_DESTINATIONS.errors,
  isOwnError: isDataManagerError,
  readAnswer: dataManagerAnswer(GA4_DESTINATIONS),
});

export default definePlatform<Ga4Credentials>({
  ...shared,
  api: {
    version: 'mp',
    docs: 'https://developers.google.com/analytics/devguides/collection/protocol/ga4',
    readOn: '2026-11-21',
  },
  other: {
    name: 'data_manager',
    label: 'Data Manager API',
    fields:
      'https://developers.google.com/data-manager/api/devguides/events/analytics/measurement-protocol/upgrade/field-mappings',
    platform: dataManager,
    isChosen: ({ api }) => api === 'data_manager',
  },
  limits: {
    batchSizeMax: 25,
    ageMaxSec: AGE_MAX_SEC,
    bodySizeMaxBytes: 130_000,
    timeoutMs: 10_000,
    allOrNothing: false,
  },
  takenMeans: {
    text: 'the request arrived: an invalid one is answered alike',
    source: 'https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference',
  },
  unsendable: ga4Unsendable,
  groupKey: ga4GroupKey,
  keepsTestsApart: true,
  buildRequest: ga4Request,
  errors: GA4_ERRORS,
  isOwnError: isGa4Error,
  readAnswer: readGa4Answer,
});
