// Known differences with Segment's Google Ads Conversions, and between the Google Ads API it speaks and the Data Manager API.
import type { Allowance } from '../comparison.ts';
import type { Difference } from '../fields.ts';
import type { Order } from '../order.ts';
import { documented } from '../rules.ts';
import { deniedStorage, identity, known, NOBODY, readAtHome, UNUSABLE } from './allowance.ts';
import { SEGMENT_SOURCE, theyRefuse, weRefuse } from './segment.ts';

const FORMATTING = 'https://developers.google.com/data-manager/api/devguides/concepts/formatting';
const UPGRADE =
  'https://developers.google.com/data-manager/api/devguides/events/google-ads/offline/upgrade/field-mappings';
const PROTO = 'https://github.com/googleapis/googleapis/blob/master/google/ads/datamanager/v1';
const ADDRESS = 'userData.address';

/** What Google calls the sources of these orders. */
const SOURCES = { website: 'WEB', app: 'APP', physical_store: 'IN_STORE', phone_call: 'PHONE' } as const;

const EMAIL = { 'userData.emailAddress': ['email', 'emailGoogle'] } as const;
const PHONE = { 'userData.phoneNumber': ['phone', 'phonePlus'] } as const;
const NAMES = {
  [`${ADDRESS}.givenName`]: ['first_name', 'nameGoogle'],
  [`${ADDRESS}.familyName`]: ['last_name', 'nameGoogle'],
} as const;
const PLACE = {
  [`${ADDRESS}.regionCode`]: ['country', 'countryCapitals', 'plain'],
  [`${ADDRESS}.postalCode`]: ['zip', 'asWritten', 'plain'],
} as const;

/** Google takes an address with all four parts or none; names and codes that are none are parts that are missing. */
export function addressMissing(order: Order): boolean {
  const parts = [...Object.values(NAMES), ...Object.values(PLACE)];
  return parts.some(
    ([field, rule]) =>
      documented(order, field, rule) === undefined ||
      (['country', 'zip'].includes(field) && order.kinds[field] === 'hashed'),
  );
}

const hasFraction = ({ order }: Difference): boolean =>
  (order.body.items ?? []).some(({ quantity }) => !Number.isInteger(quantity));

export const GOOGLE_ADS_IDENTIFIERS = { ...EMAIL, ...PHONE, ...NAMES } as const;

export const GOOGLE_ADS_ALLOWANCES: readonly Allowance[] = [
  readAtHome('userData.phoneNumber'),
  identity({
    title: 'form of email',
    paths: EMAIL,
    has: 'both',
    reason:
      'Segment drops the first dot of an address at anything that begins with gmail, keeps the +tag, and passes digests in capitals on. Google documents: at gmail.com and googlemail.com, all dots and the +tag.',
    source: FORMATTING,
  }),
  identity({
    title: 'form of phone',
    paths: PHONE,
    has: 'both',
    reason:
      'Segment puts +1, or the country code a merchant sets for all orders, before digits that do not begin with it: 00 prefixes, trunk zeros and extensions stay. Google documents E.164: ours is the number the order was made with.',
    source: FORMATTING,
  }),
  identity({
    title: 'literals for no value, and what cannot be',
    paths: { ...EMAIL, ...PHONE },
    has: 'theirs',
    kinds: [...NOBODY, ...UNUSABLE, 'national, no country', 'no plus'],
    reason:
      'Segment hashes any digits after +1, and passes the digest of nothing on. Ours leaves out what is no number.',
    source: SEGMENT_SOURCE,
  }),
  identity({
    title: 'form of names',
    paths: NAMES,
    has: 'both',
    reason:
      'Segment hashes names as they were written. Google documents small letters, no punctuation, no titles.',
    source: FORMATTING,
  }),
  identity({
    title: 'form of country and postal code',
    paths: PLACE,
    has: 'both',
    reason: 'Segment sends both as they were written. Google documents the code of the country.',
    source: FORMATTING,
  }),
  known({
    title: 'addresses that are not whole',
    fields: [...Object.keys(NAMES), ...Object.keys(PLACE)],
    has: 'theirs',
    reason:
      'The Data Manager API takes an address with both names, country and postal code; ours sends all four or none.',
    source: `${PROTO}/user_data.proto`,
    when: ({ order }) => addressMissing(order),
  }),
  known({
    title: 'notation of time',
    fields: ['eventTimestamp'],
    has: 'both',
    reason: 'The Google Ads API takes a notation of its own, the Data Manager API RFC 3339.',
    source: UPGRADE,
    when: ({ ours, theirs }) => Date.parse(String(theirs)) === Date.parse(String(ours)),
  }),
  known({
    title: 'fields of the Data Manager API',
    fields: ['eventSource', 'eventDeviceInfo.userAgent'],
    has: 'ours',
    reason: 'Segment’s actions for the Google Ads API do not fill them.',
    source: `${PROTO}/event.proto`,
    when: ({ order, ours }) =>
      ours === order.body.user_data.user_agent ||
      ours === SOURCES[order.body.action_source as keyof typeof SOURCES],
  }),
  known({
    title: 'names of consent',
    fields: ['consent.adPersonalization'],
    has: 'both',
    reason: 'The Google Ads API writes GRANTED, the Data Manager API CONSENT_GRANTED.',
    source: `${PROTO}/consent.proto`,
    when: ({ ours, theirs }) => ours === `CONSENT_${theirs}`,
  }),
  known({
    title: 'IP addresses',
    fields: ['eventDeviceInfo.ipAddress'],
    has: 'theirs',
    reason:
      'Google matches none for people in the EEA, the UK and Switzerland. Ours sends none unless the connection says so.',
    source: `${PROTO}/device_info.proto`,
    when: ({ order, theirs }) => theirs === order.body.user_data.client_ip,
  }),
  known({
    title: 'attributes of the session',
    fields: ['sessionAttributeKey', 'sessionAttributeValue'].map(
      (name) => `sessionAttributesKeyValuePairs.keyValuePairs[].${name}`,
    ),
    has: 'theirs',
    reason:
      'Segment sends landing page, referrer and user agent as attributes of the session. Ours sends an event of the shop, not of a landing page.',
    source: `${PROTO}/event.proto`,
  }),
  known({
    title: 'click ids without consent to storage',
    fields: ['adIdentifiers.gclid'],
    has: 'theirs',
    reason: 'Segment has no consent to storage in its actions.',
    source: 'https://support.google.com/google-ads/answer/13802165',
    when: deniedStorage,
  }),
  known({
    title: 'carts with a weight',
    fields: ['merchantProductId', 'quantity', 'unitPrice'].map((name) => `cartData.items[].${name}`),
    has: 'theirs',
    reason:
      'Quantities are whole numbers at Google. Ours leaves out a cart of which a part would be missing.',
    source: `${PROTO}/cart_data.proto`,
    when: hasFraction,
  }),
  known({
    title: 'currency without an amount',
    fields: ['currency'],
    has: 'theirs',
    reason: 'Ours sends no currency where there is neither a value nor a cart.',
    source: `${PROTO}/event.proto`,
    when: (difference) =>
      difference.order.body.value === undefined &&
      ((difference.order.body.items ?? []).length === 0 || hasFraction(difference)),
  }),
  known({
    title: 'the id of an item beside that of the product',
    fields: ['cartData.items[].itemId'],
    has: 'ours',
    reason: 'The older interface, which Segment speaks to, has one id for both.',
    source: `${PROTO}/cart_data.proto`,
    when: ({ order, ours }) => order.body.items?.some(({ id }) => id === ours) === true,
  }),
  known({
    title: 'the advertising id of an app',
    fields: ['adIdentifiers.mobileDeviceId'],
    has: 'ours',
    reason: 'Segment speaks to an older interface, which has no field for it.',
    source:
      'https://docs.cloud.google.com/nodejs/docs/reference/datamanager/latest/datamanager/protos.google.ads.datamanager.v1.iadidentifiers',
    when: ({ order, ours }) =>
      order.body.action_source === 'app' && ours === order.body.user_data.madid?.toLowerCase(),
  }),
  theyRefuse(
    'an address that is none',
    /^Email provided doesn't seem to be in a valid format\.$/,
    'Segment refuses the whole order for one address it does not take. Ours leaves the address out, or takes it where it is one of another script.',
  ),
  weRefuse(
    'nobody to match',
    'invalid: user_data',
    'Google needs an identifier or a click id. Segment counts an address that is none and a click id without consent to storage.',
    `${PROTO}/error.proto`,
  ),
];
