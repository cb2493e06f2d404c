// Amazon Ads, Events API. See README.md for every rule and its source.
import { definePlatform } from '../platform.ts';
import { readTokenAnswer, refreshTokenRequest } from '../refresh-token.ts';
import { type AmazonCredentials, amazonCredentials } from './credentials.ts';
import { amazonDeletion } from './deletion.ts';
import { AMAZON_EVENT_NAMES } from './event-names.ts';
import { amazonRequest, amazonUnsendable } from './payload.ts';
import { AMAZON_ERRORS, isAmazonError, readAmazonAnswer } from './response.ts';
import { AMAZON_SEALED_FIELDS } from './user-data.ts';

/** https://developer.amazon.com/docs/login-with-amazon/refresh-token.html */
const TOKEN_URLS = {
  NA: 'https://api.amazon.com/auth/o2/token',
  EU: 'https://api.amazon.co.uk/auth/o2/token',
  FE: 'https://api.amazon.co.jp/auth/o2/token',
} as const satisfies Record<AmazonCredentials['region'], string>;

export default definePlatform({
  slug: 'amazon',
  label: 'Amazon Ads',
  api: {
    version: 'v1',
    docs: 'https://advertising.amazon.com/API/docs/en-us/guides/events/events',
    readOn: '2026-11-21',
  },
  experimental: true,
  credentials: amazonCredentials,
  limits: {
    batchSizeMax: 500,
    ageMaxSec: 7 * 86_400,
    /** The answer repeats every event, and no more than 64 KiB of an answer are read. */
    bodySizeMaxBytes: 40_000,
    timeoutMs: 15_000,
    allOrNothing: false,
  },
  eventNames: AMAZON_EVENT_NAMES,
  sealedFields: AMAZON_SEALED_FIELDS,
  takenMeans: {
    text: 'the event was valid and is listed in `success`',
    source: 'https://advertising.amazon.com/API/docs/en-us/guides/events/events',
  },
  consentSignals: ['ad_user_data'],
  oauth: {
    buildTokenRequest: (credentials) => refreshTokenRequest(TOKEN_URLS[credentials.region], credentials),
    readTokenResponse: readTokenAnswer,
  },
  unsendable: amazonUnsendable,
  testable: () => false,
  buildRequest: amazonRequest,
  deletion: amazonDeletion,
  errors: AMAZON_ERRORS,
  isOwnError: isAmazonError,
  readAnswer: readAmazonAnswer,
});
