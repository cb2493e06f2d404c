// Google Analytics 4, Measurement Protocol for web and app streams. See README.md for every rule and its source.
import { definePlatform } from '../platform.ts';
import { ga4Credentials } from './credentials.ts';
import { GA4_EVENT_NAMES } from './event-names.ts';
import { ga4GroupKey, ga4Request, ga4Unsendable } from './payload.ts';
import { GA4_ERRORS, isGa4Error, readGa4Answer } from './response.ts';
import { GA4_SEALED_FIELDS } from './user-data.ts';

export default definePlatform({
  slug: 'ga4',
  label: 'Google Analytics 4',
  api: {
    version: 'mp',
    docs: 'https://developers.google.com/analytics/devguides/collection/protocol/ga4',
    readOn: '2026-11-21',
  },
  credentials: ga4Credentials,
  limits: {
    batchSizeMax: 25,
    /** Older events would be counted at a time that is not theirs. */
    ageMaxSec: 72 * 3_600,
    bodySizeMaxBytes: 130_000,
    timeoutMs: 10_000,
    allOrNothing: false,
  },
  eventNames: GA4_EVENT_NAMES,
  sealedFields: GA4_SEALED_FIELDS,
  dedup: { purchasesByOrder: () => true },
  takenMeans: {
    text: 'the request arrived: an invalid one is answered alike',
    source: 'https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference',
  },
  consentSignals: ['analytics'],
  unsendable: ga4Unsendable,
  groupKey: ga4GroupKey,
  buildRequest: ga4Request,
  deletion: {
    offered: 'other_rights',
    why: 'Google deletes a person from a property by its Admin API (submitUserDeletion), for which an API secret of a data stream has no rights: delete the person there.',
    docs: 'https://developers.google.com/analytics/devguides/config/admin/v1/rest/v1alpha/properties/submitUserDeletion',
    readOn: '2026-11-27',
  },
  errors: GA4_ERRORS,
  isOwnError: isGa4Error,
  readAnswer: readGa4Answer,
});
