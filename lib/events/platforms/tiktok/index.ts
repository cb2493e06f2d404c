// TikTok Events API 2.0. See README.md for every rule and its source.
import { noDeletion } from '../deletion.ts';
import { definePlatform } from '../platform.ts';
import { tiktokCredentials } from './credentials.ts';
import { TIKTOK_EVENT_NAMES } from './event-names.ts';
import { tiktokRequest, tiktokUnsendable } from './payload.ts';
import { isTiktokError, readTiktokAnswer, TIKTOK_ERRORS } from './response.ts';
import { TIKTOK_SEALED_FIELDS } from './user-data.ts';

export default definePlatform({
  slug: 'tiktok',
  label: 'TikTok',
  api: {
    version: 'v1.3',
    docs: 'https://business-api.tiktok.com/portal/docs?id=1771100865818625',
    readOn: '2026-11-21',
  },
  credentials: tiktokCredentials,
  limits: {
    batchSizeMax: 1_000,
    ageMaxSec: 7 * 86_400,
    bodySizeMaxBytes: 2_000_000,
    timeoutMs: 10_000,
    allOrNothing: true,
  },
  eventNames: TIKTOK_EVENT_NAMES,
  sealedFields: TIKTOK_SEALED_FIELDS,
  clickIds: ['ttclid'],
  dedup: { windowSec: 48 * 3_600 },
  takenMeans: {
    text: 'the request was valid, not whether its events were matched',
    source: 'https://business-api.tiktok.com/portal/docs?id=1771100865818625',
  },
  consentSignals: ['ad_user_data'],
  unsendable: tiktokUnsendable,
  testable: (credentials) => credentials.test_event_code !== undefined,
  buildRequest: tiktokRequest,
  deletion: noDeletion(
    'TikTok',
    'https://business-api.tiktok.com/portal/docs?id=1771100865818625',
    '2026-11-27',
  ),
  errors: TIKTOK_ERRORS,
  isOwnError: isTiktokError,
  readAnswer: readTiktokAnswer,
});
