// Meta Conversions API. See README.md for every rule and its source.
import { noDeletion } from '../deletion.ts';
import { definePlatform } from '../platform.ts';
import { metaCredentials } from './credentials.ts';
import { META_EVENT_NAMES } from './event-names.ts';
import { META_API_VERSION, metaRequest, metaUnsendable } from './payload.ts';
import { isMetaError, META_ERRORS, readMetaAnswer } from './response.ts';

const DAY_SEC = 86_400;

export default definePlatform({
  slug: 'meta',
  label: 'Meta',
  api: {
    version: META_API_VERSION,
    others: [{ version: 'v27.0' }, { version: 'v25.0', sunset: '2027-02-23' }],
    docs: 'https://developers.facebook.com/documentation/ads-commerce/conversions-api',
    readOn: '2026-11-21',
  },
  credentials: metaCredentials,
  limits: {
    batchSizeMax: 1_000,
    ageMaxSec: 7 * DAY_SEC,
    bodySizeMaxBytes: 5_000_000,
    timeoutMs: 10_000,
    allOrNothing: true,
  },
  eventNames: META_EVENT_NAMES,
  sealedFields: [],
  clickIds: ['fbc'],
  dedup: { windowSec: 48 * 3_600 },
  takenMeans: {
    text: 'so many events were received, not whether they were matched',
    source: 'https://developers.facebook.com/documentation/ads-commerce/conversions-api',
  },
  consentSignals: ['ad_user_data'],
  /** Sales in a shop may be reported for 62 days. */
  ageMaxSec: (event) => (event.actionSource === 'physical_store' ? 62 : 7) * DAY_SEC,
  insteadOfRefunds: 'Send the profit you expect to keep as custom_data.net_revenue of the purchase.',
  unsendable: metaUnsendable,
  testable: (credentials) => credentials.test_event_code !== undefined,
  buildRequest: metaRequest,
  deletion: noDeletion(
    'Meta',
    'https://developers.facebook.com/documentation/ads-commerce/conversions-api',
    '2026-11-27',
  ),
  errors: META_ERRORS,
  isOwnError: isMetaError,
  readAnswer: readMetaAnswer,
});
