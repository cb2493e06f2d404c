// Known differences with Segment's Klaviyo.
import type { Allowance } from '../comparison.ts';
import type { Difference } from '../fields.ts';
import { documented, documentedPlainIds, isKind } from '../rules.ts';
import { deniedStorage, identity, isOfItem, known, same } from './allowance.ts';
import { relativeUrl, SEGMENT_SOURCE, theyRefuse, weRefuse } from './segment.ts';

const CREATE = 'https://developers.klaviyo.com/en/reference/create_event';
const BULK = 'https://developers.klaviyo.com/en/reference/bulk_create_events';
const GUIDE =
  'https://developers.klaviyo.com/en/docs/guide_to_integrating_a_platform_without_a_pre_built_klaviyo_integration';

const PERSON = {
  'profile.email': ['email', 'email', 'plain'],
  'profile.phone_number': ['phone', 'phonePlus', 'plain'],
  'profile.first_name': ['first_name', 'asWritten', 'plain'],
  'profile.last_name': ['last_name', 'asWritten', 'plain'],
  'profile.location.city': ['city', 'asWritten', 'plain'],
  'profile.location.zip': ['zip', 'asWritten', 'plain'],
  'profile.location.country': ['country', 'countryCapitals', 'plain'],
  'profile.location.region': ['state', 'stateCapitals', 'plain'],
} as const;

export const KLAVIYO_IDENTIFIERS = {
  'profile.email': PERSON['profile.email'],
  'profile.phone_number': PERSON['profile.phone_number'],
} as const;

/** By which rule a value is none: ours sends names and places as they were written, once something is left of them. */
const SOMETHING = {
  ...PERSON,
  'profile.first_name': ['first_name', 'name'],
  'profile.last_name': ['last_name', 'name'],
  'profile.location.city': ['city', 'city'],
} as const;

const items = ({ order }: Difference) => order.body.items ?? [];

export const KLAVIYO_ALLOWANCES: readonly Allowance[] = [
  identity({
    title: 'form of what is known of the person',
    paths: PERSON,
    has: 'both',
    reason:
      'Segment sends every value as it was written. Ours sends the address in small letters, the phone in E.164, codes of country and state, the rest without spaces around it, so that one person stays one profile.',
    source: CREATE,
  }),
  known({
    title: 'values that name nobody, or are none',
    fields: Object.keys(PERSON),
    has: 'theirs',
    reason:
      'Segment sends literals for no value, digests and signs as names, addresses and places: Klaviyo would write to "Dear null". Ours leaves them out.',
    source: CREATE,
    when: ({ order, field }) => {
      const [name, rule] = SOMETHING[field as keyof typeof SOMETHING];
      return isKind(order, name, 'hashed', 'hashed upper') || documented(order, name, rule) === undefined;
    },
  }),
  known({
    title: 'external id',
    fields: ['profile.external_id'],
    reason:
      'Segment sends the customer id as it stands, literals for no value too. Ours the first id that names somebody, trimmed.',
    source: CREATE,
    when: ({ order, ours, theirs }) =>
      same(ours, documentedPlainIds(order)[0]) && same(theirs, order.body.user_data.customer_id || undefined),
  }),
  known({
    title: '_kx without consent to storage',
    fields: ['profile._kx'],
    has: 'theirs',
    reason: 'Segment has no consent to storage in its actions.',
    source: 'https://support.google.com/google-ads/answer/13802165',
    when: deniedStorage,
  }),
  known({
    title: 'currency of the value',
    fields: ['order.value_currency', 'products[].value_currency'],
    has: 'ours',
    reason: 'Segment sends no currency with a value: Klaviyo takes it for that of the account.',
    source: CREATE,
    when: ({ order, ours }) => ours === order.body.currency,
  }),
  known({
    title: 'items in the order',
    fields: ['ProductID', 'Quantity', 'ItemPrice', 'RowTotal'].map(
      (name) => `order.properties.Items[].${name}`,
    ),
    has: 'ours',
    reason:
      'Klaviyo’s guide lists the items in Placed Order; the mapping of this comparison leaves them to the product events.',
    source: GUIDE,
    when: (difference) => isOfItem(difference, difference.ours),
  }),
  known({
    title: 'what a product cost',
    fields: ['products[].value', 'products[].properties.RowTotal', 'order.properties.Items[].RowTotal'],
    has: 'ours',
    reason: 'Klaviyo’s guide asks for the value of Ordered Product; Segment sends none.',
    source: GUIDE,
    when: (difference) =>
      items(difference).some(
        ({ price, quantity }) => Math.abs((price ?? 0) * quantity - Number(difference.ours)) < 1e-6,
      ),
  }),
  known({
    title: 'identity of a product event',
    fields: ['products[].unique_id'],
    has: 'both',
    reason: 'Segment’s is random: tried again, the products are counted again. Ours follows from the order.',
    source: BULK,
    when: ({ order, ours }) => String(ours).startsWith(`${order.body.event_id}:`),
  }),
  known({
    title: 'properties of the order in its products',
    fields: ['products[].properties.URL', 'products[].properties.Referrer'],
    has: 'theirs',
    reason: 'Segment repeats the properties of the order in each product.',
    source: SEGMENT_SOURCE,
    when: ({ order, theirs }) =>
      [order.body.event_source_url, order.body.referrer_url].includes(String(theirs)),
  }),
  relativeUrl('order.properties.URL', CREATE),
  theyRefuse(
    'numbers Segment cannot read',
    /is not a valid phone number and cannot be converted to E\.164 format\.$/,
    'Segment refuses the whole order for one phone it does not take. Ours leaves the phone out, or reads it.',
  ),
  theyRefuse(
    'nobody Segment knows',
    /^One of External ID, Anonymous ID, Phone Number or Email is required\.$/,
    'Ours takes the further ids of the customer, and _kx, for an identifier too.',
  ),
  weRefuse(
    'nobody to match',
    'invalid: user_data',
    'Klaviyo finds people by plain values. Segment counts a digest, or a literal for no value, as one.',
    CREATE,
  ),
];
