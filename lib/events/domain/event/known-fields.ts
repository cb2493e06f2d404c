// What is known about the person behind an event, by name and without a value: match quality is counted from it, long
// after the values are gone.

import { clickIdOf } from '../identity/click-ids.ts';
import type { CountedField } from '../identity/field-facts.ts';
import type { BrowserIds } from '../identity/identity.ts';
import type { PersonalPart } from './normalized-event.ts';

/** Rows are stored with the positions: append only, never reorder. */
const READERS = {
  email: (e) => e.hashed.emailPlain,
  phone: (e) => e.hashed.phoneDigits,
  first_name: (e) => e.hashed.firstName,
  last_name: (e) => e.hashed.lastName,
  city: (e) => e.hashed.city,
  state: (e) => e.hashed.state,
  postal_code: (e) => e.hashed.postalCode,
  country: (e) => e.hashed.country,
  date_of_birth: (e) => e.hashed.dateOfBirth,
  gender: (e) => e.hashed.gender,
  external_id: (e) => e.hashed.externalIds?.[0],
  client_ip: (e) => e.raw.clientIp,
  user_agent: (e) => e.raw.userAgent,
  fbp: (e) => e.raw.browserIds?.fbp,
  fbc: (e) => e.raw.browserIds?.fbc,
  click_id: (e) => clickIdOf(e.raw.browserIds),
} as const satisfies Record<
  CountedField,
  (event: Pick<PersonalPart, 'hashed' | 'raw'>) => string | undefined
>;

export type KnownField = keyof typeof READERS;

export const KNOWN_FIELDS = Object.keys(READERS) as readonly KnownField[];

/** `joined`: click ids that other events brought. They are not what its sender says of the person. */
export function knownFields(
  { hashed, raw }: Pick<PersonalPart, 'hashed' | 'raw'>,
  joined: readonly string[] = [],
): readonly KnownField[] {
  const said = joined.length === 0 ? raw : { ...raw, browserIds: withoutJoined(raw.browserIds, joined) };
  return KNOWN_FIELDS.filter((field) => READERS[field]({ hashed, raw: said }) !== undefined);
}

const withoutJoined = (ids: BrowserIds = {}, joined: readonly string[]): BrowserIds =>
  Object.fromEntries(Object.entries(ids).filter(([key]) => !joined.includes(key)));
