// What a server gets of a person: digests, and what can be used unhashed alone.
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { BROWSER_ID_KEYS } from '../../domain/identity/identity.ts';
import type { Fields } from '../answer.ts';
import { extinfo } from '../app-data.ts';
import { storedIds } from '../stored-ids.ts';

export function webhookUser(event: NormalizedEvent): Fields {
  const { hashed, raw } = event;
  const { browserIds, madid } = storedIds(event);
  return {
    email_sha256: hashed.emailPlain,
    phone_sha256: hashed.phoneE164,
    first_name_sha256: hashed.firstName,
    last_name_sha256: hashed.lastName,
    gender_sha256: hashed.gender,
    date_of_birth_sha256: hashed.dateOfBirth,
    city_sha256: hashed.city,
    state_sha256: hashed.state,
    postal_code_sha256: hashed.postalCode,
    country_sha256: hashed.country,
    external_ids_sha256: hashed.externalIdsCased,
    client_ip: raw.clientIp,
    user_agent: raw.userAgent,
    madid,
    browser_ids: Object.fromEntries(BROWSER_ID_KEYS.map((key) => [key, browserIds?.[key]])),
  };
}

/** As it came, without ids that were not to be read. */
export function webhookApp(event: NormalizedEvent): Fields | undefined {
  const { app } = event;
  if (app === undefined) return undefined;
  const { vendorId: vendor_id, campaignIds: campaign_ids } = storedIds(event);
  const list = app.extinfo === undefined ? undefined : extinfo(app);
  return { ...app, vendor_id, campaign_ids, extinfo: list };
}
