// Known differences with Segment's Reddit Conversions API, which Reddit built, for version 2.
import type { Allowance } from '../comparison.ts';
import { isHashed } from '../rules.ts';
import { deniedStorage, isOfItem, known, readAtHome } from './allowance.ts';
import {
  allOf,
  consentAdvertisingId,
  externalId,
  forms,
  type Paths,
  refuse,
  SEGMENT_SOURCE,
  theyRefuse,
  weRefuse,
} from './segment.ts';

const DOCS = 'https://ads-api.reddit.com/docs/v3/operations/Post%20Conversion%20Events';
const MIGRATION = 'https://ads-api.reddit.com/docs/v3/capi-migration';
const USER = 'event.user';

const PATHS = {
  email: { [`${USER}.email`]: ['email', 'emailReddit'] },
  phone: { [`${USER}.phone_number`]: ['phone', 'phonePlus'] },
} as const satisfies Paths;

export const REDDIT_IDENTIFIERS = allOf(PATHS);

/** What Reddit calls the sources of these orders. */
const SOURCES = {
  website: 'WEBSITE',
  app: 'APP',
  physical_store: 'PHYSICAL_STORE',
  phone_call: 'OTHER',
} as const;

/** Nothing of a device goes with a sale in a shop. */
const isShop = (source: string | undefined): boolean => source === 'physical_store';

export const REDDIT_ALLOWANCES: readonly Allowance[] = [
  readAtHome(`${USER}.phone_number`),
  ...refuse(PATHS),
  ...forms(PATHS, DOCS, {
    email:
      'Segment removes dots and the +tag before the @; Reddit documents removing everything but letters and digits (of its two pages the other says dots). A digest in capitals is passed on.',
    phone:
      'Segment puts a plus before whatever digits there are. Reddit takes E.164: ours is the number the order was made with.',
  }),
  externalId(`${USER}.external_id`, (id) => id.trim(), DOCS),
  known({
    title: 'time as text',
    fields: ['event.event_at'],
    has: 'both',
    reason: 'Version 2 takes ISO 8601, version 3 milliseconds.',
    source: MIGRATION,
    when: ({ ours, theirs }) => Date.parse(String(theirs)) === ours,
  }),
  known({
    title: 'spelling of the event',
    fields: ['event.type.tracking_type'],
    has: 'both',
    reason: 'Version 2 writes Purchase, version 3 PURCHASE.',
    source: MIGRATION,
    when: ({ ours, theirs }) => ours === String(theirs).toUpperCase(),
  }),
  known({
    title: 'items in version 3',
    fields: ['event.metadata.products[].quantity', 'event.metadata.products[].item_price'],
    has: 'ours',
    reason: 'Version 2, which Segment speaks, has no quantity and no price of a product.',
    source: MIGRATION,
    when: (difference) => isOfItem(difference, difference.ours),
  }),
  known({
    title: 'source in version 3',
    fields: ['event.action_source', 'event.event_source_url'],
    has: 'ours',
    reason: 'Version 2, which Segment speaks, says neither what kind of source an event has nor its address.',
    source: MIGRATION,
    when: ({ order, ours }) =>
      ours === order.body.event_source_url ||
      ours === SOURCES[order.body.action_source as keyof typeof SOURCES],
  }),
  known({
    title: 'hashed conversion id',
    fields: ['event.metadata.conversion_id'],
    has: 'both',
    reason:
      'Segment hashes the id of the conversion. Reddit’s pixel sends it as it is, and Reddit compares the two to count once; ours is as it is.',
    source: DOCS,
    when: ({ ours, theirs, theirsPlain }) => ours === theirsPlain && theirs !== theirsPlain,
  }),
  known({
    title: 'hashed IP address',
    fields: [`${USER}.ip_address`],
    has: 'both',
    reason:
      'Segment hashes the address; Reddit takes it hashed or as it is, and ours sends what it has not to look up.',
    source: DOCS,
    when: ({ ours, theirs, theirsPlain }) => ours === theirsPlain && theirs !== theirsPlain,
  }),
  known({
    title: 'no IP address',
    fields: [`${USER}.ip_address`],
    has: 'theirs',
    reason: 'Segment hashes any text as an address of the network.',
    source: SEGMENT_SOURCE,
    when: ({ order, theirsPlain }) =>
      ['invalid', 'empty'].includes(order.kinds.client_ip ?? '') &&
      theirsPlain === order.body.user_data.client_ip?.trim(),
  }),
  known({
    title: 'devices of sales in a shop',
    fields: ['ip_address', 'user_agent', 'uuid', 'idfa', 'aaid']
      .map((name) => `${USER}.${name}`)
      .concat('event.click_id'),
    has: 'theirs',
    reason: 'Reddit wants nothing of a device, a click or a cookie with a sale in a shop.',
    source: DOCS,
    when: ({ order }) => isShop(order.body.action_source),
  }),
  known({
    title: 'click and browser ids without consent to storage',
    fields: ['event.click_id', `${USER}.uuid`],
    has: 'theirs',
    reason: 'Segment leaves no id out for want of consent.',
    source: 'https://support.google.com/google-ads/answer/13802165',
    when: deniedStorage,
  }),
  consentAdvertisingId([`${USER}.idfa`, `${USER}.aaid`], DOCS),
  known({
    title: 'advertising id of iOS',
    fields: [`${USER}.idfa`],
    has: 'both',
    reason:
      'Segment hashes the id as it stands. Reddit hashes it in capitals, and takes it unhashed: ours is unhashed, in capitals.',
    source: DOCS,
    when: ({ ours, theirsPlain }) => ours === String(theirsPlain).toUpperCase(),
  }),
  known({
    title: 'advertising id of Android',
    fields: [`${USER}.aaid`],
    has: 'both',
    reason: 'Segment hashes the id as it stands. Reddit hashes it in small letters, as ours.',
    source: DOCS,
    when: ({ ours, oursPlain, theirsPlain }) =>
      isHashed(ours) && oursPlain === String(theirsPlain).toLowerCase(),
  }),
  known({
    title: 'advertising id of zeros',
    fields: [`${USER}.idfa`, `${USER}.aaid`],
    has: 'theirs',
    reason: 'Every phone that limits tracking has it.',
    source: SEGMENT_SOURCE,
    when: ({ order }) => order.kinds.madid === 'zero',
  }),
  known({
    title: 'what goes with the request',
    fields: ['test_mode', 'partner'],
    has: 'theirs',
    reason: 'Version 2 has a switch for tests in every request; Segment names itself.',
    source: MIGRATION,
    when: ({ theirs }) => theirs === false || theirs === 'SEGMENT',
  }),
  theyRefuse(
    'an address without an @',
    /^Cannot read properties of undefined \(reading 'toLowerCase'\)$/,
    'Segment fails at an address without an @, and loses the order with it. Ours leaves the address out.',
  ),
  weRefuse(
    'nobody to match',
    'invalid: user_data',
    'Nothing in the order names anybody. Segment checks nothing.',
    DOCS,
  ),
];
