// What is known about the person behind an event, after normalization.
// Guarantees: every digest is SHA-256, lowercase hex, of a non-empty normalized value; a variant is absent
// rather than empty. Platforms pick a variant; none of them normalizes or hashes anything itself.

import type { RemovalCode } from '../privacy/kinds.ts';

/** 64 lowercase hex characters. */
export type Sha256Hex = string;

/**
 * One digest per normalization the platforms ask for. Which platform takes which variant is a fact of the
 * platform's folder; the rule of each variant is in `variants.ts`.
 */
export interface HashedIdentity {
  /** trim + lowercase: Meta, TikTok, Snapchat, Pinterest, LinkedIn, X. */
  readonly emailPlain?: Sha256Hex;
  /** Google Data Manager: inner whitespace removed; gmail.com/googlemail.com lose dots and +tag. */
  readonly emailGoogle?: Sha256Hex;
  /** GA4: inner whitespace removed; gmail.com/googlemail.com lose dots, keep +tag. */
  readonly emailGa4?: Sha256Hex;
  /** Reddit: +tag and every non-alphanumeric of the local part removed, any domain. */
  readonly emailReddit?: Sha256Hex;
  /** Microsoft: dots and +tag of the local part removed, any domain. */
  readonly emailMicrosoft?: Sha256Hex;
  /** Amazon: only a-z 0-9 . @ + - kept. */
  readonly emailAmazon?: Sha256Hex;
  /** Digits with country code, no plus: Meta, Snapchat, Pinterest, Amazon. */
  readonly phoneDigits?: Sha256Hex;
  /** +digits (E.164): Google, GA4, TikTok, Reddit, X, Microsoft. */
  readonly phoneE164?: Sha256Hex;
  /** Lowercase, punctuation and whitespace removed, accents kept. */
  readonly firstName?: Sha256Hex;
  readonly lastName?: Sha256Hex;
  /** Google/GA4: lowercase, digits, symbols removed, trimmed, inner single spaces and accents kept. */
  readonly firstNameGoogle?: Sha256Hex;
  readonly lastNameGoogle?: Sha256Hex;
  /** Amazon: lowercase a-z 0-9 only. */
  readonly firstNameAlnum?: Sha256Hex;
  readonly lastNameAlnum?: Sha256Hex;
  /** `f` or `m`: Meta, Snapchat. */
  readonly gender?: Sha256Hex;
  /** `f`, `m` or, for a person who is neither, `n`: Pinterest. */
  readonly genderOrN?: Sha256Hex;
  /** YYYYMMDD. */
  readonly dateOfBirth?: Sha256Hex;
  /** Lowercase, no spaces or punctuation, accents kept. */
  readonly city?: Sha256Hex;
  /** Lowercase 2-letter US state, or subdivision code of up to 3 characters. */
  readonly state?: Sha256Hex;
  /** Amazon: lowercase a-z 0-9 only. */
  readonly cityAlnum?: Sha256Hex;
  readonly stateAlnum?: Sha256Hex;
  /** US: first five digits; else lowercase without spaces and hyphens. */
  readonly postalCode?: Sha256Hex;
  /** ISO 3166-1 alpha-2, lowercase. */
  readonly country?: Sha256Hex;
  /** Trimmed and lowercased: Meta, Snapchat, Pinterest. In the order sent, duplicates removed. */
  readonly externalIds?: readonly Sha256Hex[];
  /** Trimmed, case kept: TikTok, Reddit. Same order. */
  readonly externalIdsCased?: readonly Sha256Hex[];
  /** madid hashed as sent by Pinterest (lowercase). */
  readonly madid?: Sha256Hex;
}

/** Sent as they are, and needed as they are. Never hashed, never lowercased unless said. */
export interface RawIdentity {
  /** A valid IPv4 or IPv6 address. */
  readonly clientIp?: string;
  readonly userAgent?: string;
  /** Lowercased. */
  readonly madid?: string;
  readonly fbLoginId?: string;
  readonly subscriptionId?: string;
  readonly leadId?: string;
  readonly anonId?: string;
  readonly ctwaClid?: string;
  readonly browserIds?: BrowserIds;
}

/** Click and browser identifiers, in the spelling of the wire (`user_data.browser_ids`). */
export const BROWSER_ID_KEYS = [
  'fbp',
  'fbc',
  'gclid',
  'gbraid',
  'wbraid',
  'ttclid',
  'ttp',
  'sc_click_id',
  'sc_cookie1',
  'epik',
  'li_fat_id',
  'rdt_cid',
  'rdt_uuid',
  'twclid',
  'msclkid',
  'kx',
  'oppref',
  'tblci',
  'ob_click_id',
  'awc',
  'irclickid',
  'crto_mapped_user_id',
  'ga_client_id',
  'ga_session_id',
] as const;
export type BrowserIdKey = (typeof BROWSER_ID_KEYS)[number];
export type BrowserIds = { readonly [K in BrowserIdKey]?: string };

/** Values some platforms take unhashed. Kept, sealed, where a connected platform that may have the event declares the field. */
export const SEALED_FIELDS = [
  'email',
  'phone',
  'firstName',
  'lastName',
  'city',
  'region',
  'postalCode',
  'country',
  'externalId',
] as const;
export type SealedField = (typeof SEALED_FIELDS)[number];
/** What a merchant calls each of them: its name in `user_data`. */
export const SEALED_FIELD_NAMES: Readonly<Record<SealedField, string>> = {
  email: 'email',
  phone: 'phone',
  firstName: 'first_name',
  lastName: 'last_name',
  city: 'city',
  region: 'state',
  postalCode: 'postal_code',
  country: 'country',
  externalId: 'customer_id',
};
/** `phone` is E.164; `region` and `country` are uppercase codes; the rest is trimmed. */
export type PlaintextIdentity = { readonly [K in SealedField]?: string };

/** What normalization noticed about one field. `code` is stable; shown to the merchant, counted by analytics. */
export interface IdentityIssue {
  /** Wire name of the field, e.g. `email`. */
  readonly field: string;
  readonly code:
    | 'empty'
    | 'literal_null'
    | 'hash_of_empty'
    | 'already_hashed'
    | 'double_hashed'
    | 'not_an_email'
    | 'phone_without_country_code'
    | 'not_a_phone'
    | 'zip_plus_four'
    | 'unknown_country'
    | 'unknown_state'
    | 'unknown_gender'
    | 'not_a_date'
    | 'not_an_ip'
    | 'unknown_property'
    | 'unknown_consent'
    | 'repeated_order'
    | 'refund_reduced'
    | 'refund_repeated'
    | 'refund_refused'
    | 'order_unknown'
    | 'browser_copy_differs'
    | 'not_an_identifier'
    | 'click_out_of_time'
    | 'page_missing'
    | 'malformed'
    /** Of `user_data`: the person is on the merchant's list, and nothing of them was kept. */
    | 'person_suppressed'
    /** A name under which the merchant lets e-mail, phone or person through: it did. */
    | 'personal_data_allowed'
    | RemovalCode;
}

/** Whether the field of such an issue is a word of the sender's choice: of those there is no end. */
export const isSendersName = (code: IdentityIssue['code']): boolean =>
  code === 'unknown_property' || code === 'unknown_consent' || code === 'personal_data_allowed';

export interface NormalizedIdentity {
  readonly hashed: HashedIdentity;
  readonly raw: RawIdentity;
  /** All plain values available; the caller keeps only what connected platforms declare. */
  readonly plain: PlaintextIdentity;
  readonly issues: readonly IdentityIssue[];
}
