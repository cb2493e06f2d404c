// What the vendors document for an identifier, said once more and in other words than our code says it: from the value and
// what is known of the order it stands in. A difference counts as explained only where ours is what these rules give.
// And of consent: whom an order may not go to at all.
import { revealed } from './digest-origins.ts';
import type { Order } from './order.ts';

export type Field =
  | 'email'
  | 'phone'
  | 'first_name'
  | 'last_name'
  | 'gender'
  | 'date_of_birth'
  | 'city'
  | 'state'
  | 'zip'
  | 'country'
  | 'customer_id'
  | 'client_ip'
  | 'madid';

/** The value as sent; undefined where there is none. */
export const sent = ({ body }: Order, field: Field): string | undefined => body.user_data[field] ?? undefined;

export const isKind = (order: Order, field: Field, ...kinds: readonly string[]): boolean =>
  kinds.includes(order.kinds[field] ?? '');

/** A digest stays one, in small letters. */
const digest = (value: string): string | undefined =>
  /^[0-9a-f]{64}$/i.test(value.trim()) ? value.trim().toLowerCase() : undefined;

const letters = (value: string): string =>
  value
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
const ascii = (value: string): string =>
  value
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
const tight = (value: string): string => value.replace(/\s/g, '').toLowerCase();

const GENDERS: Readonly<Record<string, string>> = {
  woman: 'f',
  frau: 'f',
  mr: 'm',
  hombre: 'm',
  female: 'f',
  male: 'm',
  f: 'f',
  m: 'm',
};
const DATES: Readonly<Record<string, string>> = {
  '19900131': '19900131',
  '20001231': '20001231',
  '1990-01-31': '19900131',
  '1990-1-3': '19900103',
  '1990-01-31T00:00:00Z': '19900131',
  '31.01.1990': '19900131',
  '01/31/1990': '19900131',
  '31/01/1990': '19900131',
  'January 31, 1990': '19900131',
};

/** The address as the vendors' rules start from it: small letters, no whitespace. */
const address = (value: string): string | undefined => {
  const plain = tight(value).normalize('NFC');
  return /^[^@]+@[^@.]+(?:\.[^@.]+)+$/.test(plain) ? plain : undefined;
};

const local = (rule: (name: string, domain: string) => string) => (value: string) => {
  const [name, domain] = (address(value) ?? '').split('@');
  const made = name && domain ? rule(name, domain) : '';
  return made === '' ? undefined : `${made}@${domain}`;
};
const isGmail = (domain: string): boolean => /^(?:gmail|googlemail)\.com$/.test(domain);
const untagged = (name: string): string => name.replace(/\+.*/, '');
const undotted = (name: string): string => name.replaceAll('.', '');

function number(order: Order, value: string): string | undefined {
  if (order.dialled !== undefined && !isKind(order, 'phone', 'national, no country')) return order.dialled;
  // Without a country: the digits, where they may be a number at all.
  const digits = value.replace(/\D/g, '').replace(/^0+/, '');
  return isKind(order, 'phone', 'national, no country') && digits.length >= 7 ? digits : undefined;
}

function zip(order: Order, value: string): string | undefined {
  const code = value.replace(/[\s-]/g, '').toLowerCase();
  return order.iso === 'us' ? code.slice(0, 5) : code;
}

const known = (order: Order, field: Field): boolean => !isKind(order, field, 'unknown');

/** Field → its documented form, unhashed; undefined where nothing may be sent. `value` names somebody: no literal for none. */
const RULES = {
  email: (value: string) => address(value),
  emailGoogle: local((name, domain) => (isGmail(domain) ? undotted(untagged(name)) : name)),
  emailGa4: local((name, domain) => (isGmail(domain) ? undotted(name) : name)),
  emailReddit: local((name) => untagged(name).replace(/[^a-z0-9]/g, '')),
  emailMicrosoft: local((name) => undotted(untagged(name))),
  emailAmazon: (value: string) => {
    const [name = '', domain = ''] = (address(value) ?? '').split('@');
    const kept = name.replace(/[^a-z0-9.+-]/g, '');
    return kept && /^[ -~]+$/.test(domain) ? `${kept}@${domain}` : undefined;
  },
  phone: (value: string, order: Order) => number(order, value),
  phonePlus: (value: string, order: Order) => {
    const digits = number(order, value);
    // Eleven digits without a zero before them are taken to begin with a country code.
    const unsaid =
      isKind(order, 'phone', 'national, no country') ||
      (isKind(order, 'phone', 'no plus') && order.iso === undefined);
    const whole = !unsaid || (!/^\D*0/.test(value) && (digits ?? '').length >= 11);
    return digits !== undefined && whole ? `+${digits}` : undefined;
  },
  name: (value: string) => letters(value) || undefined,
  nameAlnum: (value: string) => ascii(value) || undefined,
  nameGoogle: (value: string) =>
    value
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\s]/gu, '')
      .replace(/^\s*(?:dr|mrs)\s+(?=\S)|(?<=\S)\s+jr\s*$/g, '')
      .trim()
      .replace(/\s+/g, ' ') || undefined,
  /** A place unhashed, as Google Analytics takes it. */
  words: (value: string) =>
    value
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\s]/gu, '')
      .trim() || undefined,
  tight: (value: string) => tight(value) || undefined,
  asWritten: (value: string) => value.trim() || undefined,
  countryCapitals: (_value: string, order: Order) =>
    known(order, 'country') ? order.iso?.toUpperCase() : undefined,
  stateCapitals: (value: string, order: Order) =>
    (known(order, 'state') ? order.stateCode : stateOfNowhere(value))?.toUpperCase() || undefined,
  gender: (value: string) => GENDERS[value.trim().toLowerCase()],
  genderOrN: (value: string) => (value === 'nonbinary' ? 'n' : GENDERS[value.trim().toLowerCase()]),
  date_of_birth: (value: string) => DATES[value],
  city: (value: string) => letters(value) || undefined,
  cityAlnum: (value: string) => ascii(value) || undefined,
  state: (_value: string, order: Order) =>
    known(order, 'state') ? order.stateCode || undefined : stateOfNowhere(_value),
  stateAlnum: (value: string, order: Order) =>
    known(order, 'state') ? order.stateCode || undefined : ascii(value),
  zip: (value: string, order: Order) => (value.trim().length > 1 ? zip(order, value) : undefined),
  country: (_value: string, order: Order) => (known(order, 'country') ? order.iso : undefined),
} as const;

/** Without a country a short code is believed to be one. */
const stateOfNowhere = (value: string): string | undefined =>
  /^[A-Za-z0-9]{1,3}$/.test(value) ? value.toLowerCase() : undefined;

export type Rule = keyof typeof RULES;

/** Path → the field of the order it is made of, the vendor's rule for it, and whether the vendor takes it unhashed. */
export type IdentityPaths = Readonly<Record<string, readonly [Field, Rule, 'plain'?]>>;

/** A digest, or a list of nothing else; nothing at all counts too. */
export const isHashed = (value: unknown): boolean =>
  value === undefined || [value].flat().every((one) => digest(String(one)) === one);

/** Whether ours is what the vendor documents: the text, and that it is hashed where it has to be. */
export function isDocumented(ours: unknown, expected: string | undefined, plain?: 'plain'): boolean {
  if (ours === undefined || expected === undefined) return ours === expected;
  if (plain !== 'plain' && !isHashed(ours)) return false;
  return revealed(String(ours)) === revealed(expected);
}

/** What is to be sent for a field by the vendor's documents: text, or a digest the sender made where the vendor takes digests. */
export function documented(order: Order, field: Field, rule: Rule, plain?: 'plain'): string | undefined {
  const value = sent(order, field);
  if (value === undefined || isKind(order, field, 'poison', 'empty')) return undefined;
  const hashed = digest(value);
  if (hashed !== undefined) return plain === 'plain' ? undefined : hashed;
  return RULES[rule](value, order);
}

/**
 * Our known weakness: digits without a plus that exist in the country of the order are read as dialled there.
 * @param ours the phone, unhashed
 */
export const isReadAtHome = (order: Order, ours: unknown): boolean =>
  isKind(order, 'phone', 'no plus') &&
  order.iso !== undefined &&
  String(ours).length > String(order.dialled).length &&
  String(ours).endsWith(order.dialled ?? ' ');

/** The external ids: `customer_id` first, without the literals for nobody, each once. */
export function documentedIds({ body, kinds }: Order, form: (id: string) => string = (id) => id): string[] {
  const first = ['poison', 'empty', 'zero'].includes(kinds.customer_id ?? '')
    ? undefined
    : body.user_data.customer_id;
  const ids = [first, ...(body.user_data.external_ids ?? [])].filter((id): id is string => Boolean(id));
  return [...new Set(ids.map((id) => form(id.trim())))];
}

/** Without digests: where the vendor takes ids as they are. */
export const documentedPlainIds = (order: Order): string[] =>
  documentedIds(order).filter((id) => digest(id) === undefined);

/** Every external id as sent. */
export const sentIds = ({ body }: Order): string[] =>
  [body.user_data.customer_id, ...(body.user_data.external_ids ?? [])].filter((id): id is string =>
    Boolean(id),
  );

type Signal = keyof NonNullable<Order['body']['consent']>;

/** Platforms that an order is kept from by other refusals than that of `ad_user_data` alone. */
const WITHHOLDING: Readonly<Record<string, readonly Signal[]>> = {
  // No field of theirs is known that would tell them of a refusal.
  linkedin: ['ad_user_data', 'ad_personalization'],
  x: ['ad_user_data', 'ad_personalization'],
  // It measures.
  ga4: ['analytics'],
};

/** The refusal that keeps the order from the platform; undefined where it may go. docs/reference/consent.md */
export const signalRefused = ({ body }: Order, platform: string): Signal | undefined =>
  (WITHHOLDING[platform] ?? ['ad_user_data']).find((signal) => body.consent?.[signal] === 'denied');
