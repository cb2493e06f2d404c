// Pinterest Conversions API. See README.md for every rule and its source.
import { definePlatform } from '../platform.ts';
import { pinterestCredentials } from './credentials.ts';
import { PINTEREST_EVENT_NAMES } from './event-names.ts';
import { isOffline, PINTEREST_API_VERSION, pinterestRequest, pinterestUnsendable } from './payload.ts';
import { isPinterestError, PINTEREST_ERRORS, readPinterestAnswer } from './response.ts';

export default definePlatform({
  slug: 'pinterest',
  label: 'Pinterest',
  api: {
    version: PINTEREST_API_VERSION,
    docs: 'https://developers.pinterest.com/docs/api/v5/events-create/',
    readOn: '2026-11-21',
  },
  credentials: pinterestCredentials,
  limits: {
    batchSizeMax: 1_000,
    ageMaxSec: 7 * 86_400,
    bodySizeMaxBytes: 2_000_000,
    timeoutMs: 10_000,
    allOrNothing: false,
  },
  /** Of an ad account, by Pinterest's API description. */
  quotas: [{ counts: 'requests', max: 5_000, perSec: 60 }],
  eventNames: PINTEREST_EVENT_NAMES,
  sealedFields: [],
  clickIds: ['epik'],
  dedup: { windowSec: 24 * 3_600, countsAgain: isOffline },
  takenMeans: {
    text: 'each event was processed, not whether it was matched',
    source: 'https://github.com/pinterest/api-description',
  },
  consentSignals: ['ad_user_data'],
  unsendable: pinterestUnsendable,
  keepsTestsApart: true,
  buildRequest: pinterestRequest,
  deletion: {
    offered: 'other_rights',
    why: 'Pinterest deletes people from conversions in a closed beta, by a token with ads:read and ads:write, which a conversion token has not: ask Pinterest.',
    docs: 'https://developer.pinterest.com/docs/track-conversions/remove-users-from-events/',
    readOn: '2026-11-27',
  },
  errors: PINTEREST_ERRORS,
  isOwnError: isPinterestError,
  readAnswer: readPinterestAnswer,
});
