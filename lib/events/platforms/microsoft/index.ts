// Microsoft Advertising, UET Conversions API. See README.md for every rule and its source.
import { noDeletion } from '../deletion.ts';
import { definePlatform } from '../platform.ts';
import { adsToken } from './adjustments.ts';
import { microsoftCredentials } from './credentials.ts';
import { MICROSOFT_EVENT_NAMES } from './event-names.ts';
import {
  MICROSOFT_API_VERSION,
  microsoftGroupKey,
  microsoftRequest,
  microsoftUnsendable,
} from './payload.ts';
import { isMicrosoftError, MICROSOFT_ERRORS, readMicrosoftAnswer } from './response.ts';

export default definePlatform({
  slug: 'microsoft',
  label: 'Microsoft Advertising',
  api: {
    version: MICROSOFT_API_VERSION,
    docs: 'https://learn.microsoft.com/en-us/advertising/guides/uet-conversion-api-integration?view=bingads-13',
    readOn: '2026-11-28',
  },
  credentials: microsoftCredentials,
  limits: {
    batchSizeMax: 1_000,
    ageMaxSec: 7 * 86_400,
    bodySizeMaxBytes: 1_000_000,
    timeoutMs: 10_000,
    allOrNothing: false,
  },
  eventNames: MICROSOFT_EVENT_NAMES,
  sealedFields: [],
  clickIds: ['msclkid'],
  takenMeans: {
    text: 'so many events were received, not whether they were matched',
    source:
      'https://learn.microsoft.com/en-us/advertising/guides/uet-conversion-api-integration?view=bingads-13',
  },
  consentSignals: ['ad_user_data'],
  restatesPurchases: 'adjusting',
  oauth: adsToken,
  unsendable: microsoftUnsendable,
  groupKey: microsoftGroupKey,
  testable: () => false,
  buildRequest: microsoftRequest,
  deletion: noDeletion(
    'Microsoft',
    'https://learn.microsoft.com/en-us/advertising/guides/uet-conversion-api-integration?view=bingads-13',
    '2026-11-27',
  ),
  errors: MICROSOFT_ERRORS,
  isOwnError: isMicrosoftError,
  readAnswer: readMicrosoftAnswer,
});
