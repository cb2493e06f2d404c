// What is true of each field of `user_data`, said once. From this fold: what a rule takes out with the field, which names
// hide their value in a log, and which fields match quality counts. Guarantees, by type: a field of the schema without its
// facts does not compile, nor does a digest, raw or plain value that belongs to no field.
import type { UserData } from './draft.ts';
import type { HashedIdentity, RawIdentity, SealedField } from './identity.ts';

export interface IdentityTraces {
  readonly hashed?: readonly (keyof HashedIdentity)[];
  readonly raw?: readonly (keyof RawIdentity)[];
  readonly plaintext?: readonly SealedField[];
}

interface LogFacts {
  /** A log shows no value under this name, at any depth. */
  readonly isHiddenInLogs: boolean;
}

/** A second name of a field: what it becomes is said there. */
interface AliasFacts extends LogFacts {
  readonly aliasOf: keyof UserData;
}

interface OwnFacts extends LogFacts, IdentityTraces {
  /** Names under which match quality counts it; empty: it is not counted. */
  readonly counted: readonly string[];
}

export const FIELD_FACTS = {
  email: {
    isHiddenInLogs: true,
    hashed: ['emailPlain', 'emailGoogle', 'emailGa4', 'emailReddit', 'emailMicrosoft', 'emailAmazon'],
    plaintext: ['email'],
    counted: ['email'],
  },
  phone: {
    isHiddenInLogs: true,
    hashed: ['phoneDigits', 'phoneE164'],
    plaintext: ['phone'],
    counted: ['phone'],
  },
  first_name: {
    isHiddenInLogs: true,
    hashed: ['firstName', 'firstNameGoogle', 'firstNameAlnum'],
    plaintext: ['firstName'],
    counted: ['first_name'],
  },
  last_name: {
    isHiddenInLogs: true,
    hashed: ['lastName', 'lastNameGoogle', 'lastNameAlnum'],
    plaintext: ['lastName'],
    counted: ['last_name'],
  },
  gender: { isHiddenInLogs: true, hashed: ['gender', 'genderOrN'], counted: ['gender'] },
  date_of_birth: { isHiddenInLogs: true, hashed: ['dateOfBirth'], counted: ['date_of_birth'] },
  city: { isHiddenInLogs: true, hashed: ['city', 'cityAlnum'], plaintext: ['city'], counted: ['city'] },
  // In a log the word for a delivery's state; a person's state travels inside `user_data`, which is hidden as a whole.
  state: {
    isHiddenInLogs: false,
    hashed: ['state', 'stateAlnum'],
    plaintext: ['region'],
    counted: ['state'],
  },
  zip: { isHiddenInLogs: true, aliasOf: 'postal_code' },
  postal_code: {
    isHiddenInLogs: true,
    hashed: ['postalCode'],
    plaintext: ['postalCode'],
    counted: ['postal_code'],
  },
  // In a log two letters, which figures are counted by.
  country: { isHiddenInLogs: false, hashed: ['country'], plaintext: ['country'], counted: ['country'] },
  customer_id: { isHiddenInLogs: true, aliasOf: 'external_ids' },
  external_ids: {
    isHiddenInLogs: true,
    hashed: ['externalIds', 'externalIdsCased'],
    plaintext: ['externalId'],
    counted: ['external_id'],
  },
  client_ip: { isHiddenInLogs: true, raw: ['clientIp'], counted: ['client_ip'] },
  ip: { isHiddenInLogs: true, aliasOf: 'client_ip' },
  user_agent: { isHiddenInLogs: true, raw: ['userAgent'], counted: ['user_agent'] },
  browser_ids: { isHiddenInLogs: true, raw: ['browserIds'], counted: ['fbp', 'fbc', 'click_id'] },
  madid: { isHiddenInLogs: true, hashed: ['madid'], raw: ['madid'], counted: [] },
  fb_login_id: { isHiddenInLogs: true, raw: ['fbLoginId'], counted: [] },
  // In a log also what a merchant pays for.
  subscription_id: { isHiddenInLogs: false, raw: ['subscriptionId'], counted: [] },
  lead_id: { isHiddenInLogs: true, raw: ['leadId'], counted: [] },
  anon_id: { isHiddenInLogs: true, raw: ['anonId'], counted: [] },
  ctwa_clid: { isHiddenInLogs: true, raw: ['ctwaClid'], counted: [] },
} as const satisfies Readonly<Record<keyof UserData, AliasFacts | OwnFacts>>;

type Facts = typeof FIELD_FACTS;
type Own = { [K in keyof Facts]: Facts[K] extends OwnFacts ? K : never }[keyof Facts];
type Listed<List extends string> = {
  [K in Own]: Facts[K] extends Readonly<Record<List, readonly (infer Name)[]>> ? Name : never;
}[Own];

/** Fields of `user_data` by their main name. */
export type OwnField = Own;
export const OWN_FIELDS = (Object.keys(FIELD_FACTS) as (keyof Facts)[]).filter(
  (field): field is OwnField => !('aliasOf' in FIELD_FACTS[field]),
);

/** What match quality counts. */
export type CountedField = Listed<'counted'>;

// What belongs to no field would survive the rule that drops the field: each is an error here, by its name.
({}) satisfies Record<
  Exclude<keyof HashedIdentity, Listed<'hashed'>>,
  'a digest that no field in FIELD_FACTS becomes'
>;
({}) satisfies Record<
  Exclude<keyof RawIdentity, Listed<'raw'>>,
  'a raw value that no field in FIELD_FACTS becomes'
>;
({}) satisfies Record<
  Exclude<SealedField, Listed<'plaintext'>>,
  'a plain value that no field in FIELD_FACTS becomes'
>;
