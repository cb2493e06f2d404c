// Known differences with Segment's Snap Conversions API.
import type { Allowance } from '../comparison.ts';
import { deniedPersonalization, isOfItem, known, readAtHome, same } from './allowance.ts';
import {
  allOf,
  consentAdvertisingId,
  consentIds,
  EMPTY_TEXT,
  externalIds,
  forms,
  invalidAddress,
  NO_VALUE,
  nobodyToMatch,
  type Paths,
  refuse,
  relativeUrl,
  SEGMENT_SOURCE,
  theyRefuse,
  tight,
  weRefuse,
} from './segment.ts';

const DOCS = 'https://developers.snap.com/api/marketing-api/Conversions-API/Parameters';
const SDK = 'https://github.com/Snapchat/business-sdk-v3-java/blob/main/api/openapi.yaml';
const USER = 'event.user_data';

const PATHS = {
  email: { [`${USER}.em`]: ['email', 'email'] },
  phone: { [`${USER}.ph`]: ['phone', 'phone'] },
  names: { [`${USER}.fn`]: ['first_name', 'name'], [`${USER}.ln`]: ['last_name', 'name'] },
  gender: { [`${USER}.ge`]: ['gender', 'gender'] },
  birthDate: { [`${USER}.db`]: ['date_of_birth', 'date_of_birth'] },
  city: { [`${USER}.ct`]: ['city', 'city'] },
  state: { [`${USER}.st`]: ['state', 'state'] },
  zip: { [`${USER}.zp`]: ['zip', 'zip'] },
  country: { [`${USER}.country`]: ['country', 'country'] },
} as const satisfies Paths;

export const SNAPCHAT_IDENTIFIERS = allOf(PATHS);

export const SNAPCHAT_ALLOWANCES: readonly Allowance[] = [
  readAtHome(`${USER}.ph`),
  ...refuse(PATHS),
  ...forms(PATHS, DOCS),
  externalIds(`${USER}.external_id`, (id) => id.toLowerCase(), tight, DOCS),
  invalidAddress(`${USER}.client_ip_address`),
  consentIds([`${USER}.sc_click_id`, `${USER}.sc_cookie1`]),
  consentAdvertisingId([`${USER}.madid`], DOCS),
  relativeUrl('event.event_source_url', DOCS),
  known({
    title: 'time in milliseconds',
    fields: ['event.event_time'],
    has: 'both',
    reason: 'Snap takes seconds and milliseconds; its example has seconds, as ours.',
    source: 'https://developers.snap.com/api/marketing-api/Conversions-API/UsingTheAPI',
    when: ({ ours, theirs }) => Number(theirs) === Number(ours) * 1_000,
  }),
  known({
    title: 'name of the action source',
    fields: ['event.action_source'],
    has: 'both',
    reason: 'Segment writes the word of Meta, Snap’s own documents and tag write WEB.',
    source: DOCS,
    when: ({ ours, theirs }) => ours === 'WEB' && theirs === 'website',
  }),
  known({
    title: 'integration',
    fields: ['event.integration'],
    has: 'theirs',
    reason: 'Segment’s own name.',
    source: SEGMENT_SOURCE,
    when: ({ theirs }) => theirs === 'segment',
  }),
  known({
    title: 'number of items',
    fields: ['event.custom_data.num_items'],
    reason:
      'Segment counts the lines of the order, 0 for none. Ours counts the pieces, and leaves the count out where something is sold by weight or nothing is listed.',
    source: DOCS,
    when: ({ order, ours, theirs }) => {
      const items = order.body.items ?? [];
      const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0);
      const counted = items.length > 0 && items.every(({ quantity }) => Number.isInteger(quantity));
      return theirs === items.length && ours === (counted ? pieces : undefined);
    },
  }),
  known({
    title: 'contents',
    fields: ['contents[].id', 'contents[].quantity', 'contents[].item_price'].map(
      (name) => `event.custom_data.${name}`,
    ),
    has: 'ours',
    reason:
      'Segment sends the ids of products only. Ours sends quantity and price too, as text like Snap’s own SDK.',
    source: SDK,
    when: (difference) => typeof difference.ours === 'string' && isOfItem(difference, difference.ours),
  }),
  known({
    title: 'flag for limited use',
    fields: ['event.data_processing_options'],
    has: 'both',
    reason: `Segment writes LDU, as Snap’s own SDK does; the example on Snap’s page writes LMU (<${DOCS}>). Which of them the endpoint reads is unverified: ours sends both, so that the restriction holds either way ([consent.md](consent.md)).`,
    source:
      'https://github.com/Snapchat/business-sdk-v3-java/blob/main/src/main/java/com/snap/business/sdk/v3/examples/CapiEventExampleBuilder.java',
    when: (difference) =>
      same(difference.ours, ['LMU', 'LDU']) &&
      difference.theirs === 'LDU' &&
      deniedPersonalization(difference),
  }),
  known({
    title: 'lead id as a number',
    fields: [`${USER}.lead_id`],
    has: 'both',
    reason: 'Segment takes an integer; Snap documents text.',
    source: DOCS,
    when: ({ ours, theirs }) => ours === String(theirs),
  }),
  EMPTY_TEXT,
  theyRefuse(
    'currencies',
    /^[A-Z]{3} is not a valid currency code\.$/,
    'Segment has a list of currencies; Snap’s schema asks for any code of ISO 4217.',
  ),
  known({
    title: 'advertising id of zeros',
    fields: [`${USER}.madid`],
    has: 'theirs',
    reason: 'Every phone that limits tracking has it.',
    source: SEGMENT_SOURCE,
    when: ({ order }) => order.kinds.madid === 'zero',
  }),
  ...nobodyToMatch(
    'Snap needs an address, a phone, an advertising id, or IP address and user agent.',
    'Segment counts what is none of them.',
    'https://developers.snap.com/api/marketing-api/Conversions-API/UsingTheAPI',
  ),
  weRefuse(
    'purchases without a value',
    'invalid: value',
    'Snap’s schema requires value and currency of a purchase.',
    SDK,
    NO_VALUE,
  ),
];
