// OpenAI Ads, the ads of ChatGPT: Conversions API. See README.md for every rule and its source.
import { noDeletion } from '../deletion.ts';
import { definePlatform } from '../platform.ts';
import { openaiAdsCredentials } from './credentials.ts';
import { OPENAI_ADS_EVENT_NAMES } from './event-names.ts';
import { OPENAI_ADS_API_VERSION, openaiAdsRequest, openaiAdsUnsendable } from './payload.ts';
import { isOpenaiAdsError, OPENAI_ADS_ERRORS, readOpenaiAdsAnswer } from './response.ts';

const DOCS = 'https://developers.openai.com/ads/conversions-api';

export default definePlatform({
  slug: 'openai_ads',
  label: 'OpenAI Ads',
  api: { version: OPENAI_ADS_API_VERSION, docs: DOCS, readOn: '2026-11-27' },
  experimental: true,
  credentials: openaiAdsCredentials,
  limits: {
    batchSizeMax: 1_000,
    ageMaxSec: 7 * 86_400,
    bodySizeMaxBytes: 1_000_000,
    timeoutMs: 10_000,
    allOrNothing: true,
  },
  eventNames: OPENAI_ADS_EVENT_NAMES,
  sealedFields: ['city', 'postalCode', 'country'],
  clickIds: ['oppref'],
  takenMeans: { text: 'the events passed its checks, not whether they were matched', source: DOCS },
  consentSignals: ['ad_user_data'],
  unsendable: openaiAdsUnsendable,
  keepsTestsApart: true,
  buildRequest: openaiAdsRequest,
  deletion: noDeletion('OpenAI Ads', DOCS, '2026-11-27'),
  errors: OPENAI_ADS_ERRORS,
  isOwnError: isOpenaiAdsError,
  readAnswer: readOpenaiAdsAnswer,
});
