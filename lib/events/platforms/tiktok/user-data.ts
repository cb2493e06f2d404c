// Which variant of each identifier TikTok takes.

import type { TrackingState } from '../../domain/event/app.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { SealedField } from '../../domain/identity/identity.ts';
import type { Fields } from '../answer.ts';
import { deviceKind } from '../device.ts';
import { storedIds } from '../stored-ids.ts';

/** TikTok takes the place of living unhashed. */
export const TIKTOK_SEALED_FIELDS = ['city', 'region', 'country'] as const satisfies readonly SealedField[];

/**
 * E-mail, phone (with plus), external id, names and postal code hashed; addresses of the network and ids of the browser as they
 * are; city without blanks, state and country in small letters.
 * https://github.com/tiktok/gtm-template-eapi (template.js); TikTok's own plugin for WooCommerce, pixel/Tt4b_Pixel_Class.php
 * (get_user, 1.3), read 2026-11-27
 */
export function tiktokUser(event: NormalizedEvent): Fields {
  const { hashed, raw, plaintext } = event;
  const ids = storedIds(event).browserIds;
  return {
    email: hashed.emailPlain,
    phone: hashed.phoneE164,
    external_id: hashed.externalIdsCased,
    first_name: hashed.firstName,
    last_name: hashed.lastName,
    zip_code: hashed.postalCode,
    city: plaintext.city?.toLowerCase().replace(/\s+/g, ''),
    state: plaintext.region?.toLowerCase(),
    country: plaintext.country?.toLowerCase(),
    ttclid: ids?.ttclid,
    ttp: ids?.ttp,
    ip: raw.clientIp,
    user_agent: raw.userAgent,
  };
}

const ATT_STATUS = {
  not_determined: 'NOT_DETERMINED',
  restricted: 'RESTRICTED',
  denied: 'DENIED',
  authorized: 'AUTHORIZED',
} as const satisfies Record<TrackingState, string>;

/** Of an app source. https://github.com/segmentio/action-destinations (tiktok-app-events/reportAppEvent/utils.ts) */
export function tiktokAppUser(event: NormalizedEvent): Fields {
  const { hashed, raw, app = {} } = event;
  const { madidHashed, vendorId } = storedIds(event);
  const isIos = deviceKind(event) === 'ios';
  return {
    email: hashed.emailPlain,
    phone: hashed.phoneE164,
    external_id: hashed.externalIdsCased,
    ...(isIos ? { idfa: madidHashed, idfv: vendorId } : { gaid: madidHashed }),
    att_status: isIos ? app.tracking && ATT_STATUS[app.tracking] : 'NOT_APPLICABLE',
    ip: raw.clientIp,
    user_agent: raw.userAgent,
    locale: app.locale,
  };
}

const ALONE = ['email', 'phone', 'external_id', 'ttclid', 'ttp', 'idfa', 'gaid', 'idfv'];

/** True when TikTok can try to match a person: one identifier of the person, or network address and browser together. */
export function isMatchable(user: Fields): boolean {
  if (ALONE.some((key) => user[key] !== undefined)) return true;
  return user.ip !== undefined && user.user_agent !== undefined;
}
