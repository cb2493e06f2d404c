// What a rule may take out of an event. Of a person every trace of a field goes: its digests, its raw and its plain value.
import type { HashedIdentity, RawIdentity, SealedField } from './identity/identity.ts';

export interface IdentityTraces {
  readonly hashed?: readonly (keyof HashedIdentity)[];
  readonly raw?: readonly (keyof RawIdentity)[];
  readonly plaintext?: readonly SealedField[];
}

const EVENT_FIELDS = [
  'value',
  'order_id',
  'items',
  'event_source_url',
  'referrer_url',
  'custom_data',
] as const;

/** By the name in `user_data`. */
export const IDENTITY_TRACES = {
  'user_data.email': {
    hashed: ['emailPlain', 'emailGoogle', 'emailGa4', 'emailReddit', 'emailMicrosoft', 'emailAmazon'],
    plaintext: ['email'],
  },
  'user_data.phone': { hashed: ['phoneDigits', 'phoneE164'], plaintext: ['phone'] },
  'user_data.first_name': {
    hashed: ['firstName', 'firstNameGoogle', 'firstNameAlnum'],
    plaintext: ['firstName'],
  },
  'user_data.last_name': {
    hashed: ['lastName', 'lastNameGoogle', 'lastNameAlnum'],
    plaintext: ['lastName'],
  },
  'user_data.gender': { hashed: ['gender', 'genderOrN'] },
  'user_data.date_of_birth': { hashed: ['dateOfBirth'] },
  'user_data.city': { hashed: ['city', 'cityAlnum'], plaintext: ['city'] },
  'user_data.state': { hashed: ['state', 'stateAlnum'], plaintext: ['region'] },
  'user_data.postal_code': { hashed: ['postalCode'], plaintext: ['postalCode'] },
  'user_data.country': { hashed: ['country'], plaintext: ['country'] },
  'user_data.external_ids': { hashed: ['externalIds', 'externalIdsCased'], plaintext: ['externalId'] },
  'user_data.client_ip': { raw: ['clientIp'] },
  'user_data.user_agent': { raw: ['userAgent'] },
  'user_data.browser_ids': { raw: ['browserIds'] },
  'user_data.madid': { hashed: ['madid'], raw: ['madid'] },
  'user_data.fb_login_id': { raw: ['fbLoginId'] },
  'user_data.subscription_id': { raw: ['subscriptionId'] },
  'user_data.lead_id': { raw: ['leadId'] },
  'user_data.anon_id': { raw: ['anonId'] },
  'user_data.ctwa_clid': { raw: ['ctwaClid'] },
} as const satisfies Readonly<Record<string, IdentityTraces>>;

type IdentityField = keyof typeof IDENTITY_TRACES;
export type DroppedField = (typeof EVENT_FIELDS)[number] | IdentityField;

export const DROPPED_FIELDS: readonly [DroppedField, ...DroppedField[]] = [
  ...EVENT_FIELDS,
  ...(Object.keys(IDENTITY_TRACES) as IdentityField[]),
];

export const isIdentityField = (field: string): field is IdentityField =>
  Object.hasOwn(IDENTITY_TRACES, field);
