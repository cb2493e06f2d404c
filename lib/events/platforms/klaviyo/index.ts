// Klaviyo, Events API. See README.md for every rule and its source.
import { definePlatform } from '../platform.ts';
import { klaviyoCredentials } from './credentials.ts';
import { klaviyoDeletion } from './deletion.ts';
import { KLAVIYO_EVENT_NAMES } from './event-names.ts';
import { isOrderJob, KLAVIYO_REVISION, klaviyoRequest, klaviyoUnsendable } from './payload.ts';
import { isKlaviyoError, KLAVIYO_ERRORS, readKlaviyoAnswer } from './response.ts';
import { KLAVIYO_SEALED_FIELDS } from './user-data.ts';

export default definePlatform({
  slug: 'klaviyo',
  label: 'Klaviyo',
  api: {
    version: KLAVIYO_REVISION,
    /** A revision is served for two years. */
    sunset: '2028-07-15',
    others: [{ version: '2026-04-15', sunset: '2028-04-15' }],
    docs: 'https://developers.klaviyo.com/en/reference/create_event',
    readOn: '2026-11-21',
  },
  credentials: klaviyoCredentials,
  limits: {
    batchSizeMax: 1,
    ageMaxSec: 0,
    bodySizeMaxBytes: 5_000_000,
    timeoutMs: 10_000,
    allOrNothing: false,
  },
  /** Of an account, by https://developers.klaviyo.com/en/docs/rate_limits_and_error_handling; a purchase with items takes the endpoint for several events. */
  quotas: [
    { counts: 'requests', max: 350, perSec: 1, of: (event, credentials) => !isOrderJob(event, credentials) },
    {
      counts: 'requests',
      max: 3_500,
      perSec: 60,
      of: (event, credentials) => !isOrderJob(event, credentials),
    },
    { counts: 'requests', max: 10, perSec: 1, of: isOrderJob },
    { counts: 'requests', max: 150, perSec: 60, of: isOrderJob },
  ],
  eventNames: KLAVIYO_EVENT_NAMES,
  sealedFields: KLAVIYO_SEALED_FIELDS,
  clickIds: ['kx'],
  dedup: { purchasesByOrder: ({ unique_id }) => unique_id === 'order_id' },
  takenMeans: {
    text: 'the event was valid and will be processed',
    source: 'https://github.com/klaviyo/openapi',
  },
  consentSignals: ['ad_user_data'],
  unsendable: klaviyoUnsendable,
  testable: () => false,
  buildRequest: klaviyoRequest,
  deletion: klaviyoDeletion,
  errors: KLAVIYO_ERRORS,
  isOwnError: isKlaviyoError,
  readAnswer: readKlaviyoAnswer,
});
