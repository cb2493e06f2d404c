// Which variant of each identifier Pinterest takes.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { storedIds } from '../stored-ids.ts';

/** https://github.com/pinterest/api-description (v5/openapi.json, ConversionEventsUserDataProperties): digests in lists. */
export function pinterestUser(event: NormalizedEvent): Fields {
  const { hashed, raw } = event;
  const { browserIds: ids, madidHashed } = storedIds(event);
  return {
    em: list(hashed.emailPlain),
    ph: list(hashed.phoneDigits),
    ge: list(hashed.genderOrN),
    db: list(hashed.dateOfBirth),
    fn: list(hashed.firstName),
    ln: list(hashed.lastName),
    ct: list(hashed.city),
    st: list(hashed.state),
    zp: list(hashed.postalCode),
    country: list(hashed.country),
    external_id: hashed.externalIds,
    hashed_maids: list(madidHashed),
    client_ip_address: raw.clientIp,
    client_user_agent: raw.userAgent,
    click_id: ids?.epik,
  };
}

/** True when the event is Pinterest's to match: e-mail, advertising id, or network address and browser together. */
export function isMatchable(user: Fields): boolean {
  if (user.em !== undefined || user.hashed_maids !== undefined) return true;
  return user.client_ip_address !== undefined && user.client_user_agent !== undefined;
}

const list = (digest: string | undefined): readonly string[] | undefined =>
  digest === undefined ? undefined : [digest];
