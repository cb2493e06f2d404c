// Known differences with Segment's Pinterest Conversions API.
import type { Allowance } from '../comparison.ts';
import { known, readAtHome } from './allowance.ts';
import {
  allOf,
  consentAdvertisingId,
  consentIds,
  EMPTY_TEXT,
  externalIds,
  forms,
  invalidAddress,
  nobodyToMatch,
  type Paths,
  refuse,
  relativeUrl,
  SEGMENT_SOURCE,
  tight,
  weRefuse,
} from './segment.ts';

const SPEC = 'https://github.com/pinterest/api-description/blob/main/v5/openapi.json';
const USER = 'event.user_data';

const PATHS = {
  email: { [`${USER}.em`]: ['email', 'email'] },
  phone: { [`${USER}.ph`]: ['phone', 'phone'] },
  names: { [`${USER}.fn`]: ['first_name', 'name'], [`${USER}.ln`]: ['last_name', 'name'] },
  gender: { [`${USER}.ge`]: ['gender', 'genderOrN'] },
  birthDate: { [`${USER}.db`]: ['date_of_birth', 'date_of_birth'] },
  city: { [`${USER}.ct`]: ['city', 'city'] },
  state: { [`${USER}.st`]: ['state', 'state'] },
  zip: { [`${USER}.zp`]: ['zip', 'zip'] },
  country: { [`${USER}.country`]: ['country', 'country'] },
} as const satisfies Paths;

export const PINTEREST_IDENTIFIERS = allOf(PATHS);

const isApp = (source: string | undefined): boolean => source === 'app';

export const PINTEREST_ALLOWANCES: readonly Allowance[] = [
  readAtHome(`${USER}.ph`),
  ...refuse(PATHS),
  ...forms(PATHS, SPEC, {
    gender:
      'Segment knows male and female, and hashes any other word whole. Pinterest takes f, m, and n for non-binary.',
  }),
  externalIds(`${USER}.external_id`, (id) => id.toLowerCase(), tight, SPEC),
  invalidAddress(`${USER}.client_ip_address`),
  consentIds([`${USER}.click_id`]),
  consentAdvertisingId([`${USER}.hashed_maids`], SPEC),
  relativeUrl('event.event_source_url', SPEC),
  known({
    title: 'advertising id of zeros',
    fields: [`${USER}.hashed_maids`],
    has: 'theirs',
    reason:
      'Every phone that limits tracking has the advertising id of all zeros; Segment hashes it as if it were one.',
    source: SEGMENT_SOURCE,
    when: ({ order }) => order.kinds.madid === 'zero',
  }),
  known({
    title: 'partner_name',
    fields: ['event.partner_name'],
    has: 'theirs',
    reason: 'Segment’s own name, given to it by Pinterest.',
    source: SPEC,
    when: ({ theirs }) => theirs === 'ss-segment',
  }),
  known({
    title: 'opt_out and app_name',
    fields: ['event.opt_out', 'event.app_name'],
    has: 'theirs',
    reason:
      'Segment’s form requires both of every event. Pinterest requires neither; absent, nobody has opted out.',
    source: SPEC,
    when: ({ theirs }) => theirs === false || theirs === 'shop',
  }),
  known({
    title: 'kind of app',
    fields: ['event.action_source'],
    has: 'both',
    reason:
      'A merchant of Segment’s has one source for the whole mapping. Ours reads iOS or Android from the user agent.',
    source: SPEC,
    when: ({ order, ours, theirs }) =>
      isApp(order.body.action_source) &&
      theirs === 'web' &&
      ours === (order.kinds.user_agent === 'ios' ? 'app_ios' : 'app_android'),
  }),
  EMPTY_TEXT,
  weRefuse(
    'app events of no known system',
    'invalid: app.platform',
    'Pinterest has one action source for each system; where the user agent names none, ours does not guess.',
    SPEC,
    ({ order }) =>
      isApp(order.body.action_source) && !['ios', 'android'].includes(order.kinds.user_agent ?? ''),
  ),
  ...nobodyToMatch(
    'Pinterest needs an address, an advertising id, or IP address and user agent.',
    'Segment counts an address that is none, and an IP address that is none.',
    SPEC,
  ),
];
