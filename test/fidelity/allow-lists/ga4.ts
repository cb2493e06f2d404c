// Known differences with Segment's Google Analytics 4, and the identifiers only ours sends: they are held against what Google
// documents all the same.
import type { Allowance } from '../comparison.ts';
import { documentedPlainIds, isHashed, isReadAtHome } from '../rules.ts';
import { identity, known, readAtHome, same } from './allowance.ts';
import { FRACTIONS, NO_VALUE, relativeUrl, weRefuse } from './segment.ts';

const UID = 'https://developers.google.com/analytics/devguides/collection/ga4/uid-data';
const PROTOCOL = 'https://developers.google.com/analytics/devguides/collection/protocol/ga4';
/** The client id of the comparison where the order has none. */
export const NO_CLIENT = '555.555';

const ADDRESS = 'user_data.address[]';

export const GA4_IDENTIFIERS = {
  'user_data.sha256_email_address': ['email', 'emailGa4'],
  'user_data.sha256_phone_number': ['phone', 'phonePlus'],
  [`${ADDRESS}.sha256_first_name`]: ['first_name', 'nameGoogle'],
  [`${ADDRESS}.sha256_last_name`]: ['last_name', 'nameGoogle'],
} as const;

export const GA4_ALLOWANCES: readonly Allowance[] = [
  identity({
    title: 'identifiers, hashed',
    paths: GA4_IDENTIFIERS,
    has: 'ours',
    reason: 'Segment sends no user_data. Ours sends what Google documents, in the form it documents.',
    source: UID,
  }),
  known({
    title: 'no plus, and a number of the country of the order too',
    fields: ['user_data.sha256_phone_number'],
    has: 'ours',
    reason: readAtHome('').reason,
    source: UID,
    when: ({ order, ours, oursPlain }) => isHashed(ours) && isReadAtHome(order, oursPlain),
  }),
  identity({
    title: 'place of living',
    paths: {
      [`${ADDRESS}.city`]: ['city', 'words', 'plain'],
      [`${ADDRESS}.postal_code`]: ['zip', 'asWritten', 'plain'],
      [`${ADDRESS}.country`]: ['country', 'countryCapitals', 'plain'],
      [`${ADDRESS}.region`]: ['state', 'state', 'plain'],
    },
    has: 'ours',
    reason: 'Segment sends no user_data.',
    source: UID,
  }),
  known({
    title: 'user id',
    fields: ['user_id'],
    reason:
      'Segment sends the customer id as it stands, also an e-mail address, which Google forbids, or a literal for no value. Ours the first id that names somebody.',
    source: 'https://developers.google.com/analytics/devguides/collection/ga4/user-id',
    when: ({ order, ours, theirs }) => {
      const [first] = documentedPlainIds(order);
      return (
        same(ours, first?.includes('@') ? undefined : first) &&
        same(theirs, order.body.user_data.customer_id || undefined)
      );
    },
  }),
  known({
    title: 'client id of orders without one',
    fields: ['client_id'],
    has: 'both',
    reason:
      'Segment refuses an order without a client id, so the comparison gives it one. Ours makes a stand-in of the person, in the form of the cookie.',
    source: PROTOCOL,
    when: ({ ours, theirs }) => theirs === NO_CLIENT && /^\d{1,10}\.\d{1,10}$/.test(String(ours)),
  }),
  known({
    title: 'time of the event',
    fields: ['event.timestamp_micros'],
    has: 'ours',
    reason: 'Events of several times can share a request of ours; Segment sends one event a request.',
    source: PROTOCOL,
    when: ({ order, ours }) => ours === order.body.event_time * 1_000_000,
  }),
  FRACTIONS,
  relativeUrl('event.params.page_location', `${PROTOCOL}/reference`),
  weRefuse(
    'purchases without a value',
    'invalid: value',
    'Google requires value and currency of a purchase, and drops what it does not count without a word.',
    `${PROTOCOL}/reference/events#purchase`,
    NO_VALUE,
  ),
];
