// Reddit Conversions API. See README.md for every rule and its source.
import { definePlatform } from '../platform.ts';
import { redditCredentials } from './credentials.ts';
import { REDDIT_EVENT_NAMES } from './event-names.ts';
import { REDDIT_API_VERSION, redditRequest, redditUnsendable } from './payload.ts';
import { isRedditError, REDDIT_ERRORS, readRedditAnswer } from './response.ts';

export default definePlatform({
  slug: 'reddit',
  label: 'Reddit',
  api: {
    version: REDDIT_API_VERSION,
    docs: 'https://ads-api.reddit.com/docs/v3/operations/Post%20Conversion%20Events',
    readOn: '2026-11-21',
  },
  credentials: redditCredentials,
  limits: {
    batchSizeMax: 1_000,
    ageMaxSec: 7 * 86_400,
    bodySizeMaxBytes: 2_000_000,
    timeoutMs: 10_000,
    allOrNothing: true,
  },
  /** Of a pixel, as connectors cite https://ads-api.reddit.com/docs/v3/ (best practices); its reference allows 1,000 requests and 10,000 events a second. */
  quotas: [
    { counts: 'requests', max: 5_000, perSec: 60 },
    { counts: 'events', max: 250_000, perSec: 60 },
  ],
  eventNames: REDDIT_EVENT_NAMES,
  sealedFields: [],
  clickIds: ['rdt_cid'],
  dedup: { windowSec: 48 * 3_600 },
  takenMeans: {
    text: 'so many events were processed, not whether they were matched',
    source: 'https://ads-api.reddit.com/docs/v3/operations/Post%20Conversion%20Events',
  },
  consentSignals: ['ad_user_data'],
  unsendable: redditUnsendable,
  testable: (credentials) => credentials.test_id !== undefined,
  buildRequest: redditRequest,
  deletion: {
    offered: 'other_rights',
    why: 'Reddit deletes people by a data deletion job, for a business admin with the scope adsdatadeletion, which a conversion access token has not: delete the person there.',
    docs: 'https://ads-api.reddit.com/docs/v3/',
    readOn: '2026-11-27',
  },
  errors: REDDIT_ERRORS,
  isOwnError: isRedditError,
  readAnswer: readRedditAnswer,
});
