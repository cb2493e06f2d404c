// What every request to the Data Manager API has, whichever product of Google its events are for.
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { jsonBody } from '../json-body.ts';
import type { BuildContext, HttpRequest, Quota } from '../platform.ts';
import { type RefreshGrant, readTokenAnswer, refreshTokenRequest } from '../refresh-token.ts';

/** ingestion_service.proto. Google publishes no size of the body. */
export const DATA_MANAGER_LIMITS = {
  batchSizeMax: 2_000,
  bodySizeMaxBytes: 8_000_000,
  timeoutMs: 20_000,
  allOrNothing: true,
} as const;

/** Of a Cloud project, by https://developers.google.com/data-manager/api/devguides/limits. */
export const DATA_MANAGER_QUOTAS = [
  { counts: 'requests', max: 300, perSec: 60 },
  { counts: 'requests', max: 100_000, perSec: 86_400 },
] as const satisfies readonly Quota[];

export const googleToken = {
  buildTokenRequest: (credentials: RefreshGrant) =>
    refreshTokenRequest('https://oauth2.googleapis.com/token', credentials),
  readTokenResponse: readTokenAnswer,
};

/** Throws RangeError without an access token. */
export function ingestRequest(
  destinations: readonly Fields[],
  events: readonly Fields[],
  { accessToken, test }: BuildContext,
): HttpRequest {
  if (accessToken === undefined) throw new RangeError('a request needs an access token');
  return {
    method: 'POST',
    url: 'https://datamanager.googleapis.com/v1/events:ingest',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: jsonBody({ destinations, encoding: 'HEX', validateOnly: test ? true : undefined, events }),
    secrets: [accessToken],
  };
}

/** RFC 3339. */
export const eventTimestamp = ({ eventTimeSec }: NormalizedEvent): string =>
  new Date(eventTimeSec * 1_000).toISOString();

/**
 * At most three identifiers. An address is one identifier of four parts, of which names are hashed, country and postal
 * code are not, and what `more` adds. https://developers.google.com/data-manager/api/devguides/concepts/formatting
 */
export function userIdentifiers(event: NormalizedEvent, more: Fields = {}): readonly Fields[] {
  const { hashed, plaintext } = event;
  const address = {
    givenName: hashed.firstNameGoogle,
    familyName: hashed.lastNameGoogle,
    regionCode: plaintext.country,
    postalCode: plaintext.postalCode,
  };
  const whole = Object.values(address).every((part) => part !== undefined && part !== '');
  return [
    ...(hashed.emailGoogle === undefined ? [] : [{ emailAddress: hashed.emailGoogle }]),
    ...(hashed.phoneE164 === undefined ? [] : [{ phoneNumber: hashed.phoneE164 }]),
    ...(whole ? [{ address: { ...address, ...more } }] : []),
  ];
}

export const consentOf = ({ consent }: NormalizedEvent): Fields => ({
  adUserData: consentStatus(consent.ad_user_data),
  adPersonalization: consentStatus(consent.ad_personalization),
});

function consentStatus(state: 'granted' | 'denied' | undefined): string | undefined {
  if (state === undefined) return undefined;
  return state === 'granted' ? 'CONSENT_GRANTED' : 'CONSENT_DENIED';
}

/** `custom_data.coupon`: one, or a list. */
export function couponsOf({ customData }: NormalizedEvent): readonly string[] {
  return [customData?.coupon]
    .flat()
    .filter((coupon): coupon is string => typeof coupon === 'string' && coupon !== '');
}
