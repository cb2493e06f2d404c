// X web conversions. See README.md for every rule and its source.
import { noDeletion } from '../deletion.ts';
import { definePlatform } from '../platform.ts';
import { xCredentials } from './credentials.ts';
import { X_EVENT_NAMES } from './event-names.ts';
import { X_API_VERSION, xGroupKey, xRequest, xUnsendable } from './payload.ts';
import { isXError, readXAnswer, X_ERRORS } from './response.ts';

export default definePlatform({
  slug: 'x',
  label: 'X',
  api: {
    version: X_API_VERSION,
    docs: 'https://docs.x.com/x-ads-api/measurement/web-conversions',
    readOn: '2026-11-21',
  },
  credentials: xCredentials,
  limits: {
    batchSizeMax: 500,
    ageMaxSec: 90 * 86_400,
    bodySizeMaxBytes: 2_000_000,
    timeoutMs: 10_000,
    allOrNothing: true,
  },
  /** Of an account: the lowest figure of X's own pages, README.md. */
  quotas: [{ counts: 'events', max: 60_000, perSec: 900 }],
  eventNames: X_EVENT_NAMES,
  sealedFields: [],
  clickIds: ['twclid'],
  takenMeans: {
    text: 'so many events were processed, not whether they were matched',
    source: 'https://github.com/xdevplatform/docs',
  },
  consentSignals: ['ad_user_data', 'ad_personalization'],
  unsendable: xUnsendable,
  testable: () => false,
  groupKey: xGroupKey,
  buildRequest: xRequest,
  deletion: noDeletion('X', 'https://docs.x.com/x-ads-api/measurement/web-conversions', '2026-11-27'),
  errors: X_ERRORS,
  isOwnError: isXError,
  readAnswer: readXAnswer,
});
