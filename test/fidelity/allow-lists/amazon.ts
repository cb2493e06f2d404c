// Known differences with Segment's Amazon Conversions API, which Segment built with Amazon.
import type { Allowance } from '../comparison.ts';
import { documentedPlainIds } from '../rules.ts';
import { known, readAtHome } from './allowance.ts';
import {
  allOf,
  consentAdvertisingId,
  EMPTY_TEXT,
  externalId,
  forms,
  NO_VALUE,
  type Paths,
  refuse,
  SEGMENT_SOURCE,
  theyRefuse,
  weRefuse,
} from './segment.ts';

const SCHEMA = 'https://github.com/lai3221/amazon-ads-api-v1/blob/main/.openapi/amazon-ads-v1-all.json';
/** The currencies Segment's form lists. */
const LISTED = 'AED AUD BRL CAD CNY EUR GBP INR JPY MXN SAR SEK SGD TRY USD DKK NOK NZD'.split(' ');

const PATHS = {
  email: { 'matchKeys.EMAIL': ['email', 'emailAmazon'] },
  phone: { 'matchKeys.PHONE': ['phone', 'phone'] },
  names: {
    'matchKeys.FIRST_NAME': ['first_name', 'nameAlnum'],
    'matchKeys.LAST_NAME': ['last_name', 'nameAlnum'],
  },
  city: { 'matchKeys.CITY': ['city', 'cityAlnum'] },
  state: { 'matchKeys.STATE': ['state', 'stateAlnum'] },
  zip: { 'matchKeys.POSTAL': ['zip', 'zip'] },
} as const satisfies Paths;

export const AMAZON_IDENTIFIERS = allOf(PATHS);

export const AMAZON_ALLOWANCES: readonly Allowance[] = [
  readAtHome('matchKeys.PHONE'),
  ...refuse(PATHS),
  ...forms({ ...PATHS, city: {} }, SEGMENT_SOURCE, {
    names:
      'Segment drops the accent of a letter written in two signs and keeps the letter; of the same letter written in one it drops both. Ours drops both, however it was written.',
    state:
      'Segment removes spaces and signs of the name of a state. Ours sends its code, so that CA and California are one.',
    zip: 'Segment removes spaces; Amazon’s schema says no more than "normalized". Ours removes hyphens too and keeps five digits in the US, as other platforms document. Which of the two matches is unverified.',
  }),
  externalId(
    'matchKeys.MATCH_ID',
    (id) => id,
    SCHEMA,
    (order) =>
      documentedPlainIds(order)
        .slice(0, 1)
        .filter((id) => !id.includes('@')),
  ),
  known({
    title: 'user agent and IP address',
    fields: ['deviceInfo.userAgent', 'matchKeys.FIP'],
    has: 'ours',
    reason: 'Segment has no field for them. Amazon’s schema has deviceInfo and the match key FIP.',
    source: SCHEMA,
    when: ({ order, ours }) =>
      [order.body.user_data.user_agent, order.body.user_data.client_ip].includes(String(ours)),
  }),
  known({
    title: 'no IP address',
    fields: ['consent.geo.ipAddress'],
    has: 'theirs',
    reason: 'Segment sends any text as the address of the network.',
    source: SEGMENT_SOURCE,
    when: ({ order }) => ['invalid', 'empty'].includes(order.kinds.client_ip ?? ''),
  }),
  known({
    title: 'advertising id in capitals, or of zeros',
    fields: ['matchKeys.MAID'],
    reason: 'Segment sends the advertising id as it stands. Ours in small letters, never of zeros.',
    source: SEGMENT_SOURCE,
    when: ({ order, ours, theirs }) =>
      theirs === order.body.user_data.madid &&
      (order.kinds.madid === 'zero' ? ours === undefined : ours === String(theirs).toLowerCase()),
  }),
  consentAdvertisingId(
    ['matchKeys.MAID'],
    SCHEMA,
    ' Segment’s form has a field for the refusal (`amznAdStorage`); the id goes with it.',
  ),
  known({
    title: 'order id',
    fields: ['customData.order_id.value', 'customData.order_id.dataType'],
    has: 'ours',
    reason: 'Segment’s form has no attribute for it.',
    source: SEGMENT_SOURCE,
  }),
  known({
    title: 'currencies Segment does not list',
    fields: ['currencyCode'],
    has: 'ours',
    reason: 'Segment lists 18 currencies, Amazon’s schema 87.',
    source: SCHEMA,
    when: ({ ours }) => !LISTED.includes(String(ours)),
  }),
  known({
    title: 'currency without a value',
    fields: ['currencyCode'],
    has: 'theirs',
    reason: 'Ours sends no currency where there is no amount.',
    source: SCHEMA,
    when: NO_VALUE,
  }),
  EMPTY_TEXT,
  theyRefuse(
    'nobody Segment can match',
    /^At least one valid match key must be provided\.$/,
    'Ours takes the IP address and the further ids of the customer for match keys too.',
  ),
  weRefuse(
    'amounts of three decimals',
    'invalid: value',
    'Amazon takes two decimals; another amount than the merchant’s would arrive.',
    SCHEMA,
    ({ order }) => /\.\d{3}/.test(String(order.body.value)),
  ),
  weRefuse(
    'currencies Amazon does not list',
    'invalid: currency',
    'Amazon’s schema lists the currencies of purchases.',
    SCHEMA,
    ({ order }) => !LISTED.includes(order.body.currency ?? ''),
  ),
  weRefuse('nobody to match', 'invalid: user_data', 'Nothing in the order names anybody.', SCHEMA),
];
