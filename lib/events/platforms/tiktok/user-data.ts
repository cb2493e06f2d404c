// Which variant of each identifier TikTok takes.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { storedIds } from '../stored-ids.ts';

/**
 * E-mail, phone (with plus), external id and names hashed; addresses of the network and ids of the browser as they are.
 * https://github.com/tiktok/gtm-template-eapi (template.js)
 */
export function tiktokUser(event: NormalizedEvent): Fields {
  const { hashed, raw } = event;
  const ids = storedIds(event).browserIds;
  return {
    email: hashed.emailPlain,
    phone: hashed.phoneE164,
    external_id: hashed.externalIdsCased,
    first_name: hashed.firstName,
    last_name: hashed.lastName,
    zip_code: hashed.postalCode,
    ttclid: ids?.ttclid,
    ttp: ids?.ttp,
    ip: raw.clientIp,
    user_agent: raw.userAgent,
  };
}

/** True when TikTok can try to match a person: one identifier of the person, or network address and browser together. */
export function isMatchable(user: Fields): boolean {
  if (['email', 'phone', 'external_id', 'ttclid', 'ttp'].some((key) => user[key] !== undefined)) return true;
  return user.ip !== undefined && user.user_agent !== undefined;
}
