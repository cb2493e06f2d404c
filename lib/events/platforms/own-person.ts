// What receivers without a form of their own get of a person and an app: digests, and what can be used unhashed alone.
import type { NormalizedEvent } from '../domain/event/normalized-event.ts';
import { BROWSER_ID_KEYS, type HashedIdentity } from '../domain/identity/identity.ts';
import type { Fields } from './answer.ts';
import { extinfo } from './app-data.ts';
import { storedIds } from './stored-ids.ts';

/** Field → the variant of the identifier in it. */
export const OWN_DIGESTS = {
  email_sha256: 'emailPlain',
  phone_sha256: 'phoneE164',
  first_name_sha256: 'firstName',
  last_name_sha256: 'lastName',
  gender_sha256: 'gender',
  date_of_birth_sha256: 'dateOfBirth',
  city_sha256: 'city',
  state_sha256: 'state',
  postal_code_sha256: 'postalCode',
  country_sha256: 'country',
  external_ids_sha256: 'externalIdsCased',
} as const satisfies Readonly<Record<string, keyof HashedIdentity>>;

export function ownPerson(event: NormalizedEvent): Fields {
  const { hashed, raw } = event;
  const { browserIds, madid } = storedIds(event);
  return {
    ...Object.fromEntries(Object.entries(OWN_DIGESTS).map(([field, variant]) => [field, hashed[variant]])),
    client_ip: raw.clientIp,
    user_agent: raw.userAgent,
    madid,
    browser_ids: Object.fromEntries(BROWSER_ID_KEYS.map((key) => [key, browserIds?.[key]])),
  };
}

/** As it came, without ids that were not to be read. */
export function ownApp(event: NormalizedEvent): Fields | undefined {
  const { app } = event;
  if (app === undefined) return undefined;
  const { vendorId: vendor_id, campaignIds: campaign_ids } = storedIds(event);
  const list = app.extinfo === undefined ? undefined : extinfo(app);
  return { ...app, vendor_id, campaign_ids, extinfo: list };
}
