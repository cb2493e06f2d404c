// Which variant of each identifier Snap takes.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { storedIds } from '../stored-ids.ts';

/**
 * Digests in lists, as in Snap's own SDK; network address, browser, advertising id and Snap's own ids as they are.
 * https://developers.snap.com/api/marketing-api/Conversions-API/Parameters
 */
export function snapchatUser(event: NormalizedEvent): Fields {
  const { hashed, raw } = event;
  const { browserIds: ids, madid, vendorId } = storedIds(event);
  return {
    em: [hashed.emailPlain],
    ph: [hashed.phoneDigits],
    fn: [hashed.firstName],
    ln: [hashed.lastName],
    ge: [hashed.gender],
    db: [hashed.dateOfBirth],
    ct: [hashed.city],
    st: [hashed.state],
    zp: [hashed.postalCode],
    country: [hashed.country],
    external_id: hashed.externalIds,
    client_ip_address: raw.clientIp,
    client_user_agent: raw.userAgent,
    madid,
    idfv: vendorId,
    subscription_id: raw.subscriptionId,
    lead_id: raw.leadId,
    sc_click_id: ids?.sc_click_id,
    sc_cookie1: ids?.sc_cookie1,
  };
}

/** True when Snap can try to match a person: e-mail, phone, advertising id, or network address and browser together. */
export function isMatchable(user: Fields): boolean {
  if (['em', 'ph', 'madid'].some((key) => isPresent(user[key]))) return true;
  return isPresent(user.client_ip_address) && isPresent(user.client_user_agent);
}

function isPresent(value: unknown): boolean {
  return Array.isArray(value) ? value.some((item) => item !== undefined) : value !== undefined;
}
