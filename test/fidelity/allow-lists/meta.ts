// Known differences with Meta's own code and with Segment's.
import { type Allowance, SENDABLE } from '../comparison.ts';
import type { Difference } from '../fields.ts';
import { documentedIds, type IdentityPaths, isHashed, sentIds } from '../rules.ts';
import { deniedPersonalization, identity, known, listed, NOBODY, readAtHome, same } from './allowance.ts';
import {
  allOf,
  consentAdvertisingId,
  consentIds,
  externalIds,
  FRACTIONS,
  forms,
  fullWidth,
  invalidAddress,
  NO_VALUE,
  type Paths,
  refuse,
  relativeUrl,
  theyRefuse,
  tight,
  weRefuse,
  withoutApp,
} from './segment.ts';

const DOCS = 'https://developers.facebook.com/documentation/ads-commerce/conversions-api/parameters';
const PERSON = `${DOCS}/customer-information-parameters`;
const EVENT = `${DOCS}/server-event`;
const SDK = 'https://github.com/facebook/facebook-nodejs-business-sdk/tree/main/src/objects/serverside';
const BUILDER = 'https://github.com/facebook/capi-param-builder/tree/main/nodejs';

const PATHS = {
  email: { 'user_data.em': ['email', 'email'] },
  phone: { 'user_data.ph': ['phone', 'phone'] },
  names: { 'user_data.fn': ['first_name', 'name'], 'user_data.ln': ['last_name', 'name'] },
  gender: { 'user_data.ge': ['gender', 'gender'] },
  birthDate: { 'user_data.db': ['date_of_birth', 'date_of_birth'] },
  city: { 'user_data.ct': ['city', 'city'] },
  state: { 'user_data.st': ['state', 'state'] },
  zip: { 'user_data.zp': ['zip', 'zip'] },
  country: { 'user_data.country': ['country', 'country'] },
} as const satisfies Paths;
export const META_IDENTIFIERS: IdentityPaths = allOf(PATHS);
const lowered = (id: string): string => id.toLowerCase();

const ids = (theirs: (id: string) => string, reason: string, source: string): Allowance =>
  known({
    title: 'external ids',
    fields: ['user_data.external_id'],
    reason,
    source,
    when: ({ order, ours, oursPlain, theirsPlain }) => {
      return (
        isHashed(ours) &&
        same(oursPlain, listed(documentedIds(order, lowered))) &&
        same(theirsPlain, listed([...new Set(sentIds(order).map(theirs))]))
      );
    },
  });

const nobody = (name: string, source: string): Allowance =>
  identity({
    title: 'literals for no value',
    paths: META_IDENTIFIERS,
    has: 'theirs',
    kinds: NOBODY,
    reason: `${name} hashes what a program prints for "no value" as if it named somebody, and passes the digest of nothing on. Ours leaves both out.`,
    source,
  });

const NO_APP = withoutApp(
  'Meta requires facts of the device and what it lets apps do; the other side sends app events without.',
  `${DOCS}/app-data`,
);

export const PARAM_BUILDER_ALLOWANCES: readonly Allowance[] = [
  readAtHome('user_data.ph'),
  nobody('The builder', BUILDER),
  ids(
    (id) => id.replace(/\s/g, '').toLowerCase(),
    'The builder removes whitespace inside an id, and keeps ids that are literals for no value, or 0. Meta documents no form of an id; ours trims it and makes small letters of it.',
    `${DOCS}/external-id`,
  ),
  identity({
    title: 'form of phone',
    paths: PATHS.phone,
    has: 'both',
    reason:
      'The builder keeps the trunk zero after the country code and the digits of an extension, and adds no country code. Meta documents: no leading zeros, always with country code. Ours is the number the order was made with.',
    source: PERSON,
  }),
  identity({
    title: 'digits of other scripts',
    paths: PATHS.phone,
    has: 'ours',
    kinds: ['full width'],
    theirs: () => undefined,
    reason: 'The builder reads ASCII digits only, and makes nothing of a number in full width.',
    source: BUILDER,
  }),
  identity({
    title: 'numbers too short, too long or of letters',
    paths: PATHS.phone,
    has: 'theirs',
    kinds: ['too short', 'too long', 'letters', 'national, no country'],
    reason: 'The builder hashes any digits. Ours leaves out what cannot be a number.',
    source: BUILDER,
  }),
  identity({
    title: 'addresses of other scripts, or with a space',
    paths: PATHS.email,
    has: 'ours',
    kinds: ['unicode', 'inner space'],
    theirs: () => undefined,
    reason:
      'The builder takes ASCII addresses only. Meta documents trimming and small letters, nothing about scripts; a space inside an address is a slip of the keyboard.',
    source: PERSON,
  }),
  identity({
    title: 'form of names',
    paths: PATHS.names,
    has: 'both',
    reason:
      'The builder removes the punctuation of ASCII: typographic quotes and dashes, symbols and decomposed accents stay. Meta documents names without punctuation, in UTF-8.',
    source: PERSON,
  }),
  identity({
    title: 'words for a gender',
    paths: PATHS.gender,
    has: 'ours',
    kinds: ['other word'],
    reason: 'The builder knows English words. Ours knows those of some other languages too.',
    source: PERSON,
  }),
  identity({
    title: 'a widow',
    paths: PATHS.gender,
    has: 'theirs',
    kinds: ['unknown'],
    theirs: (word) => (word === 'widow' ? 'f' : undefined),
    reason: 'The builder takes words for relatives and titles too. Ours takes words for a gender.',
    source: BUILDER,
  }),
  identity({
    title: 'dates nobody was born on, or that can be read in two ways',
    paths: PATHS.birthDate,
    has: 'theirs',
    kinds: ['impossible', 'ambiguous'],
    reason:
      'The builder takes 30 February, month 13 and the year 1850, and reads 04/05 as April. Meta documents years from 1900 and months to 12; ours does not guess.',
    source: PERSON,
  }),
  identity({
    title: 'dates in words',
    paths: PATHS.birthDate,
    has: 'ours',
    kinds: ['words'],
    theirs: () => undefined,
    reason: 'The builder reads digits only. Ours reads English names of months.',
    source: PERSON,
  }),
  identity({
    title: 'letters with accents in cities',
    paths: PATHS.city,
    has: 'both',
    reason:
      'The builder drops every letter but a-z: Łódź becomes d. Meta documents no punctuation, no special characters, no spaces; its SDK and Segment keep letters with accents, and so does ours.',
    source: PERSON,
  }),
  identity({
    title: 'cities of other scripts',
    paths: PATHS.city,
    has: 'ours',
    theirs: () => undefined,
    reason:
      'The builder has nothing left of a city in Japanese, or one that begins with a digit. Ours keeps it.',
    source: PERSON,
  }),
  identity({
    title: 'form of state',
    paths: PATHS.state,
    has: 'both',
    reason:
      'The builder cuts what it does not know to two letters: NSW becomes ns, Bayern ba, District of Columbia di, Québec qu. Ours is the code of ISO 3166-2, as Meta documents for the US.',
    source: PERSON,
  }),
  identity({
    title: 'states that are numbers',
    paths: PATHS.state,
    has: 'ours',
    theirs: () => undefined,
    reason: 'The builder has nothing left of 13, which is Tokyo.',
    source: BUILDER,
  }),
  identity({
    title: 'places nobody knows',
    paths: { ...PATHS.state, ...PATHS.country },
    has: 'theirs',
    kinds: ['unknown'],
    reason: 'The builder cuts an unknown name to two letters: Atlantis becomes Austria. Ours leaves it out.',
    source: BUILDER,
  }),
  identity({
    title: 'form of zip',
    paths: PATHS.zip,
    has: 'both',
    reason:
      'The builder keeps inner spaces and cuts at the hyphen, which takes half of a Polish or Japanese code. Meta documents no spaces, no dash, and five digits in the US.',
    source: PERSON,
  }),
];

const CODES = ['code', 'name'];

export const BUSINESS_SDK_ALLOWANCES: readonly Allowance[] = [
  NO_APP,
  readAtHome('user_data.ph'),
  nobody('The SDK', SDK),
  ids(
    (id) => id,
    'The SDK sends ids as they stand, unhashed, those that name nobody too. Meta recommends hashing; ours hashes the id trimmed, in small letters.',
    PERSON,
  ),
  identity({
    title: 'form of phone',
    paths: PATHS.phone,
    has: 'both',
    reason:
      'The SDK removes some signs and one or two leading zeros: points, digits in full width, extensions and trunk zeros stay, and no country code is added. Ours is the number the order was made with.',
    source: PERSON,
  }),
  identity({
    title: 'addresses of other scripts, or with a space',
    paths: PATHS.email,
    has: 'ours',
    kinds: ['unicode', 'inner space'],
    theirs: () => undefined,
    reason: 'The SDK throws at them. Meta documents trimming and small letters, nothing about scripts.',
    source: PERSON,
  }),
  identity({
    title: 'form of names',
    paths: PATHS.names,
    has: 'both',
    theirs: (name) => name.trim().toLowerCase(),
    reason: 'The SDK trims names and makes small letters of them, no more. Meta documents: no punctuation.',
    source: PERSON,
  }),
  identity({
    title: 'names of signs alone',
    paths: { ...PATHS.names, ...PATHS.city, ...PATHS.state, ...PATHS.country },
    has: 'theirs',
    kinds: ['symbols', 'unknown'],
    reason: 'The SDK hashes signs and names of no place. Ours leaves out what is none.',
    source: SDK,
  }),
  identity({
    title: 'words for a gender',
    paths: PATHS.gender,
    has: 'ours',
    kinds: ['other word'],
    theirs: () => undefined,
    reason: 'The SDK knows male, female, m and f.',
    source: SDK,
  }),
  identity({
    title: 'form of birth date',
    paths: PATHS.birthDate,
    has: 'both',
    theirs: (date) => date.trim().toLowerCase(),
    reason: 'The SDK hashes the date as it was written. Meta documents YYYYMMDD.',
    source: PERSON,
  }),
  identity({
    title: 'dates that are none',
    paths: PATHS.birthDate,
    has: 'theirs',
    kinds: ['impossible', 'ambiguous'],
    reason: 'The SDK hashes any text as a date. Ours leaves out what is no date of a birth, or two.',
    source: PERSON,
  }),
  identity({
    title: 'form of city and state',
    paths: { ...PATHS.city, ...PATHS.state },
    has: 'both',
    reason:
      'The SDK removes digits, spaces, points, brackets and hyphens: quotes stay, digits go, and a state keeps its full name. Meta documents no punctuation, and the code of the state.',
    source: PERSON,
  }),
  identity({
    title: 'form of zip',
    paths: PATHS.zip,
    has: 'both',
    reason:
      'The SDK cuts at the hyphen, which takes half of a Polish or Japanese code, and keeps nine digits.',
    source: PERSON,
  }),
  identity({
    title: 'countries by name',
    paths: PATHS.country,
    has: 'ours',
    kinds: CODES,
    theirs: () => undefined,
    reason: 'The SDK throws at anything but a code of two letters.',
    source: SDK,
  }),
  invalidAddress('user_data.client_ip_address', SDK),
  consentIds(['user_data.fbc', 'user_data.fbp']),
  consentAdvertisingId(['user_data.madid'], PERSON),
  known({
    title: 'advertising id in capitals, or of zeros',
    fields: ['user_data.madid'],
    reason:
      'The SDK sends the advertising id as it stands, also that of all zeros every phone has that limits tracking. Ours is in small letters, as Meta documents, and never of zeros.',
    source: PERSON,
    when: ({ order, ours, theirs }) =>
      theirs === order.body.user_data.madid &&
      (order.kinds.madid === 'zero' ? ours === undefined : ours === String(theirs).toLowerCase()),
  }),
  known({
    title: 'referrer_url',
    fields: ['referrer_url'],
    has: 'ours',
    reason: 'This SDK has no setter for the referrer. Meta documents the field.',
    source: EVENT,
    when: ({ ours, order }) => ours === order.body.referrer_url,
  }),
  relativeUrl('event_source_url', EVENT),
  known({
    title: 'number of items',
    fields: ['custom_data.num_items'],
    has: 'theirs',
    reason:
      'Meta’s SDKs say of num_items: only with InitiateCheckout. Ours leaves the count to the contents of a purchase.',
    source: 'https://rubydoc.info/gems/facebookbusiness/0.5.0.5/FacebookAds/ServerSide/CustomData',
  }),
  known({
    title: 'items that cost nothing',
    fields: ['custom_data.contents[].item_price'],
    has: 'ours',
    reason: 'The SDK takes a price of 0 for none.',
    source: SDK,
    when: ({ ours }) => ours === 0,
  }),
  known({
    title: 'purchases without a value',
    fields: [SENDABLE],
    reason:
      'The SDK checks no event. Meta requires currency and value of a purchase and refuses the whole request.',
    source: EVENT,
    when: (difference) => difference.ours === 'invalid: value' && NO_VALUE(difference),
  }),
  known({
    title: 'nobody to match',
    fields: [SENDABLE],
    reason: 'The SDK checks no event. Meta refuses events without a usable identifier.',
    source: PERSON,
    when: ({ ours }) => ours === 'invalid: user_data',
  }),
];

export const SEGMENT_META_ALLOWANCES: readonly Allowance[] = [
  NO_APP,
  readAtHome('user_data.ph'),
  fullWidth(PATHS.phone),
  ...refuse(PATHS),
  // Small letters of any text: addresses agree.
  ...forms({ ...PATHS, email: {} }, PERSON),
  externalIds('user_data.external_id', lowered, tight, `${DOCS}/external-id`),
  invalidAddress('user_data.client_ip_address'),
  consentIds(['user_data.fbc', 'user_data.fbp']),
  consentAdvertisingId(['user_data.madid'], PERSON),
  relativeUrl('event_source_url', EVENT),
  known({
    title: 'time as text',
    fields: ['event_time'],
    has: 'both',
    reason: 'Segment passes its own timestamp on. Meta documents Unix seconds.',
    source: EVENT,
    when: ({ ours, theirs }) => Date.parse(String(theirs)) === Number(ours) * 1_000,
  }),
  known({
    title: 'referrer_url',
    fields: ['referrer_url'],
    has: 'ours',
    reason: 'Segment has no field for the referrer. Meta documents it.',
    source: EVENT,
    when: ({ ours, order }) => ours === order.body.referrer_url,
  }),
  known({
    title: 'opt_out',
    fields: ['opt_out'],
    has: 'ours',
    reason:
      'Segment has no field for it. Where personalization was denied, Meta uses an event with opt_out for attribution only.',
    source: EVENT,
    when: (difference) => difference.ours === true && deniedPersonalization(difference),
  }),
  known({
    title: 'advertising id',
    fields: ['user_data.madid'],
    reason:
      'Segment sends the advertising id as it stands, that of all zeros too. Ours in small letters, never of zeros.',
    source: PERSON,
    when: ({ order, ours, theirs }: Difference) =>
      theirs === order.body.user_data.madid &&
      (order.kinds.madid === 'zero' ? ours === undefined : ours === String(theirs).toLowerCase()),
  }),
  FRACTIONS,
  theyRefuse(
    'website events without a user agent',
    /client_user_agent must be defined/,
    'Meta documents the user agent as required of website events, and takes them without it (seen by others against the live API, 2026-09-05). Ours sends what there is.',
  ),
  weRefuse(
    'nobody to match',
    'invalid: user_data',
    'Meta refuses events without a usable identifier.',
    PERSON,
  ),
];
