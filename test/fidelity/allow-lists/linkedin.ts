// Known differences with Segment's LinkedIn Conversions API.
import { type Allowance, SENDABLE } from '../comparison.ts';
import { documented, documentedPlainIds, type sent } from '../rules.ts';
import { identity, known, NOBODY, UNUSABLE } from './allowance.ts';
import {
  allOf,
  consentIds,
  externalId,
  forms,
  type Paths,
  refuse,
  SEGMENT_SOURCE,
  weRefuse,
} from './segment.ts';

const DOCS =
  'https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads-reporting/conversions-api';

const CHANGES = 'https://learn.microsoft.com/en-us/linkedin/marketing/integrations/recent-changes';

const EMAIL = { 'user.userIds.SHA256_EMAIL': ['email', 'email'] } as const;
const PATHS = { email: EMAIL } as const satisfies Paths;

export const LINKEDIN_IDENTIFIERS = allOf(PATHS);
const NAMES = ['user.userInfo.firstName', 'user.userInfo.lastName'];

/** LinkedIn takes names unhashed and both or none: a name that is none takes the other with it. */
const nameMissing = (order: Parameters<typeof sent>[0]): boolean =>
  (['first_name', 'last_name'] as const).some(
    (field) => documented(order, field, 'name') === undefined || order.kinds[field] === 'hashed',
  );

export const LINKEDIN_ALLOWANCES: readonly Allowance[] = [
  ...refuse(PATHS),
  ...forms(PATHS, DOCS, {
    email:
      'Segment makes small letters of the address and keeps spaces around and in it. LinkedIn documents small letters without whitespace.',
  }),
  externalId('user.externalIds', (id) => id, DOCS, documentedPlainIds),
  known({
    title: 'the advertising id of Android',
    fields: ['user.userIds.GOOGLE_AID'],
    has: 'ours',
    reason: 'Segment’s list of ids is older: LinkedIn takes it from version 202605 on.',
    source: CHANGES,
    when: ({ order, ours }) => ours === order.body.user_data.madid?.toLowerCase(),
  }),
  known({
    title: 'orders with the advertising id of Android alone',
    fields: [SENDABLE],
    reason: 'Segment does not know it: it has nobody to match.',
    source: CHANGES,
    when: ({ order, ours, theirs }) =>
      ours === 'sent' && /^One of email or/.test(String(theirs)) && order.body.user_data.madid !== undefined,
  }),
  consentIds(['user.userIds.LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID']),
  known({
    title: 'names that are none',
    fields: [...NAMES, 'user.userInfo.countryCode'],
    has: 'theirs',
    reason:
      'LinkedIn takes both names, unhashed, or none. Segment sends literals for no value and digests as names; where one of the two is none, ours sends neither, and no country with them.',
    source: DOCS,
    when: ({ order }) => nameMissing(order),
  }),
  known({
    title: 'spaces around names',
    fields: NAMES,
    has: 'both',
    reason: 'Segment keeps spaces around a name.',
    source: SEGMENT_SOURCE,
    when: ({ ours, theirs }) => ours === String(theirs).trim(),
  }),
  identity({
    title: 'form of country',
    paths: { 'user.userInfo.countryCode': ['country', 'countryCapitals', 'plain'] },
    has: 'both',
    reason: 'Segment sends the country as it was written. LinkedIn documents the code of ISO 3166-1.',
    source: DOCS,
  }),
  known({
    title: 'countries that are none',
    fields: ['user.userInfo.countryCode'],
    has: 'theirs',
    reason: 'Segment sends any text as a country, a digest too.',
    source: DOCS,
    when: ({ order }) => [...NOBODY, ...UNUSABLE, 'hashed'].includes((order.kinds.country ?? '') as 'hashed'),
  }),
  weRefuse(
    'nobody to match',
    'invalid: user_data',
    'LinkedIn needs one of its identifiers. Segment counts an address that is none, and a cookie without consent to storage.',
    DOCS,
  ),
];
