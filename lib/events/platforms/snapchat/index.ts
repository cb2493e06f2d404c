// Snapchat Conversions API. See README.md for every rule and its source.
import { noDeletion } from '../deletion.ts';
import { definePlatform } from '../platform.ts';
import { snapchatCredentials } from './credentials.ts';
import { SNAPCHAT_EVENT_NAMES } from './event-names.ts';
import { SNAPCHAT_API_VERSION, snapchatGroupKey, snapchatRequest, snapchatUnsendable } from './payload.ts';
import { isSnapchatError, readSnapchatAnswer, SNAPCHAT_ERRORS } from './response.ts';

export default definePlatform({
  slug: 'snapchat',
  label: 'Snapchat',
  api: {
    version: SNAPCHAT_API_VERSION,
    docs: 'https://developers.snap.com/api/marketing-api/Conversions-API',
    readOn: '2026-11-21',
  },
  credentials: snapchatCredentials,
  limits: {
    batchSizeMax: 2_000,
    ageMaxSec: 37 * 86_400,
    bodySizeMaxBytes: 2_000_000,
    timeoutMs: 10_000,
    allOrNothing: true,
  },
  eventNames: SNAPCHAT_EVENT_NAMES,
  sealedFields: [],
  clickIds: ['sc_click_id'],
  dedup: { windowSec: 48 * 3_600 },
  takenMeans: {
    text: 'the request was valid, not whether its events were matched',
    source: 'https://developers.snap.com/api/marketing-api/Conversions-API',
  },
  consentSignals: ['ad_user_data'],
  unsendable: snapchatUnsendable,
  groupKey: snapchatGroupKey,
  keepsTestsApart: true,
  buildRequest: snapchatRequest,
  deletion: noDeletion('Snap', 'https://developers.snap.com/api/marketing-api/Conversions-API', '2026-11-27'),
  errors: SNAPCHAT_ERRORS,
  isOwnError: isSnapchatError,
  readAnswer: readSnapchatAnswer,
});
