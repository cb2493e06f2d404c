// Which variant of each identifier Meta takes, and when there is too little of them to be worth a request.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { jsonNumber } from '../json-body.ts';
import { storedIds } from '../stored-ids.ts';

/** https://developers.facebook.com/documentation/ads-commerce/conversions-api/parameters/customer-information-parameters */
export function metaUserData(event: NormalizedEvent): Fields {
  const { hashed, raw } = event;
  const { browserIds: ids, madid } = storedIds(event);
  return {
    em: list(hashed.emailPlain),
    ph: list(hashed.phoneDigits),
    ge: hashed.gender,
    db: hashed.dateOfBirth,
    fn: hashed.firstName,
    ln: hashed.lastName,
    ct: hashed.city,
    st: hashed.state,
    zp: hashed.postalCode,
    country: hashed.country,
    external_id: hashed.externalIds,
    client_ip_address: raw.clientIp,
    client_user_agent: raw.userAgent,
    fbp: ids?.fbp,
    fbc: ids?.fbc,
    madid,
    fb_login_id: integer(raw.fbLoginId),
    lead_id: integer(raw.leadId),
    subscription_id: raw.subscriptionId,
    anon_id: raw.anonId,
    ctwa_clid: raw.ctwaClid,
  };
}

/** Combinations, and parts of them, that Meta refuses as too broad to match anyone (since Graph API v13). */
const TOO_BROAD: readonly ReadonlySet<string>[] = [
  new Set(['ct', 'country', 'st', 'zp', 'ge', 'client_user_agent']),
  new Set(['db', 'client_user_agent']),
  new Set(['fn', 'ge']),
  new Set(['ln', 'ge']),
];

/** True when Meta can try to match a person by these keys. */
export function isMatchable(userData: Fields): boolean {
  const keys = Object.keys(userData).filter((key) => userData[key] !== undefined);
  return !TOO_BROAD.some((broad) => keys.every((key) => broad.has(key)));
}

const list = (digest: string | undefined): readonly string[] | undefined =>
  digest === undefined ? undefined : [digest];

/** Meta's own ids are integers of up to 20 digits: more than a float holds, so they are written digit for digit. */
const integer = (text: string | undefined): object | undefined =>
  text !== undefined && /^[1-9]\d{0,19}$/.test(text) ? jsonNumber(text) : undefined;
