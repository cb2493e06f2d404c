// Who the events of one request belong to. The Measurement Protocol takes one client per request; everything here
// is therefore part of the group an event is sent with.
import { hash } from 'node:crypto';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { SealedField } from '../../domain/identity/identity.ts';
import type { Fields } from '../answer.ts';

/** GA4 takes the place of living unhashed, and the user id as the shop knows it. */
export const GA4_SEALED_FIELDS = [
  'city',
  'region',
  'postalCode',
  'country',
  'externalId',
] as const satisfies readonly SealedField[];

/** The request-level part of the body. */
export function ga4Client(event: NormalizedEvent, isApp: boolean): Fields {
  const adUserData = event.consent.ad_user_data;
  return {
    ...(isApp ? { app_instance_id: event.app?.instance_id } : { client_id: clientId(event) }),
    user_id: userId(event.plaintext.externalId),
    consent: {
      ad_user_data: adUserData?.toUpperCase(),
      ad_personalization: event.consent.ad_personalization?.toUpperCase(),
    },
    user_data: adUserData === 'denied' ? undefined : userData(event),
  };
}

const COOKIE = /^GA\d+\.\d+\.(\d+\.\d+)$/;

/**
 * The browser's client id where it is known (the whole `_ga` cookie is understood too). Otherwise a stable stand-in in
 * the cookie's own form, made from what identifies the person best: such events count, but join no browser session.
 */
export function clientId(event: NormalizedEvent): string {
  const known = event.raw.browserIds?.ga_client_id;
  if (known !== undefined && known !== '') return COOKIE.exec(known)?.[1] ?? known;
  const { hashed, raw } = event;
  return standIn(
    event,
    hashed.externalIdsCased?.[0] ??
      hashed.externalIds?.[0] ??
      hashed.emailGa4 ??
      hashed.phoneE164 ??
      raw.anonId ??
      raw.browserIds?.fbp ??
      event.dedupId,
  );
}

/** The Data Manager API refuses an id of another form: https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference */
export function strictClientId(event: NormalizedEvent): string {
  const id = clientId(event);
  return /^\d+\.\d+$/.test(id) ? id : standIn(event, id);
}

function standIn({ merchantId }: NormalizedEvent, seed: string): string {
  const digest = hash('sha256', `${merchantId}\n${seed}`, 'hex');
  return `${positive(digest.slice(0, 8))}.${positive(digest.slice(8, 16))}`;
}

/** 1..2147483647, as in the cookie. */
const positive = (hex: string): number => Number.parseInt(hex, 16) & 0x7fffffff || 1;

/** Google forbids user ids that are e-mail addresses; longer than 256 characters it cuts. */
export function userId(externalId: string | undefined): string | undefined {
  if (externalId === undefined || externalId.includes('@') || externalId.length > 256) return undefined;
  return externalId;
}

/** https://developers.google.com/analytics/devguides/collection/ga4/uid-data */
function userData(event: NormalizedEvent): Fields {
  const { hashed } = event;
  return {
    sha256_email_address: hashed.emailGa4 === undefined ? undefined : [hashed.emailGa4],
    sha256_phone_number: hashed.phoneE164 === undefined ? undefined : [hashed.phoneE164],
    address: address(event),
  };
}

/** A place without a name identifies nobody: it is not sent. */
function address({ hashed, plaintext }: NormalizedEvent): readonly unknown[] | undefined {
  if (hashed.firstNameGoogle === undefined && hashed.lastNameGoogle === undefined) return undefined;
  return [
    {
      sha256_first_name: hashed.firstNameGoogle,
      sha256_last_name: hashed.lastNameGoogle,
      city: letters(plaintext.city),
      region: letters(plaintext.region),
      postal_code: plaintext.postalCode?.replace(/[.~]/g, '').trim(),
      country: plaintext.country,
    },
  ];
}

/** Lowercase, without digits and symbols. */
export const letters = (text: string | undefined): string | undefined =>
  text
    ?.toLowerCase()
    .replace(/[^\p{L}\p{M}\s]/gu, '')
    .trim();
