// Known differences with Segment's TikTok Conversions.
import type { Allowance } from '../comparison.ts';
import type { IdentityPaths } from '../rules.ts';
import { type Identity, identity, known, readAtHome } from './allowance.ts';
import {
  allOf,
  consentIds,
  externalIds,
  forms,
  invalidAddress,
  NO_VALUE,
  type Paths,
  refuse,
  relativeUrl,
  SEGMENT_SOURCE,
  weRefuse,
} from './segment.ts';

const PLUGIN = 'https://wordpress.org/plugins/tiktok-for-business/';
const TEMPLATE = 'https://github.com/tiktok/gtm-template-eapi/blob/main/template.js';
const USER = 'event.user';

const PATHS = {
  email: { [`${USER}.email`]: ['email', 'email'] },
  phone: { [`${USER}.phone`]: ['phone', 'phonePlus'] },
  names: { [`${USER}.first_name`]: ['first_name', 'name'], [`${USER}.last_name`]: ['last_name', 'name'] },
  zip: { [`${USER}.zip_code`]: ['zip', 'zip'] },
} as const satisfies Paths;

/** Unhashed. */
const PLACE = {
  [`${USER}.city`]: ['city', 'tight', 'plain'],
  [`${USER}.state`]: ['state', 'state', 'plain'],
  [`${USER}.country`]: ['country', 'country', 'plain'],
} as const satisfies IdentityPaths;

export const TIKTOK_IDENTIFIERS = allOf({ ...PATHS, city: PLACE });

const place = (title: string, has: Identity['has'], reason: string): Allowance => ({
  ...identity({ title, paths: PLACE, has, reason, source: PLUGIN }),
  readOn: '2026-11-27',
});

const PLACES: readonly Allowance[] = [
  place(
    'form of city, state and country',
    'both',
    'Segment leaves nothing but a to z of what the shop wrote: the name of a country or state, and cities without their accents. TikTok’s own plugin (pixel/Tt4b_Pixel_Class.php) sends the codes, and the city in small letters without blanks, as ours does.',
  ),
  place('places of other scripts', 'ours', 'Segment has nothing left of what is not written in a to z.'),
  place(
    'places that cannot be',
    'theirs',
    'Ours leaves out what names no place, a digest, and a state or country that is not known.',
  ),
];

export const TIKTOK_ALLOWANCES: readonly Allowance[] = [
  readAtHome(`${USER}.phone`),
  relativeUrl('event.page.url', TEMPLATE),
  ...refuse(PATHS),
  ...forms(PATHS, TEMPLATE, {
    email:
      'Segment makes small letters of the address and keeps spaces around and in it. TikTok’s template trims.',
    phone:
      'Segment puts a plus before whatever digits there are, of which it keeps fourteen. TikTok takes E.164: ours is the number the order was made with.',
    names:
      'Segment keeps punctuation and symbols. TikTok documents no form of names in what can be read of it; ours is the one other platforms document.',
    zip: 'Segment keeps hyphens and nine digits. TikTok documents no form of the code in what can be read of it; ours is the one other platforms document.',
  }),
  externalIds(
    `${USER}.external_id`,
    (id) => id,
    (id) => (id.trim() === '' ? '' : id.toLowerCase()),
    TEMPLATE,
  ),
  invalidAddress(`${USER}.ip`),
  consentIds([`${USER}.ttclid`, `${USER}.ttp`]),
  known({
    title: 'partner_name',
    fields: ['partner_name'],
    has: 'theirs',
    reason: 'Segment’s own name, agreed between the two companies.',
    source: SEGMENT_SOURCE,
    when: ({ theirs }) => theirs === 'Segment',
  }),
  known({
    title: 'limited_data_use false',
    fields: ['event.limited_data_use'],
    has: 'theirs',
    reason: 'Segment says false where nothing was said; ours says nothing, which is TikTok’s default.',
    source: SEGMENT_SOURCE,
    when: ({ theirs }) => theirs === false,
  }),
  ...PLACES,
  known({
    title: 'content_type without contents',
    fields: ['event.properties.content_type'],
    has: 'theirs',
    reason: 'Segment says "product" of every event. Ours says it where there are contents to say it of.',
    source: SEGMENT_SOURCE,
    when: ({ order, theirs }) => theirs === 'product' && (order.body.items ?? []).length === 0,
  }),
  weRefuse(
    'sales in a shop, by phone or in an app at a web source',
    'invalid: action_source',
    'A web source counts what happened on its site; sales in a shop or by phone belong to an offline event set, those in an app to the app: connections of their own here. Segment’s action reports every event as of the web.',
    'https://business-api.tiktok.com/portal/docs?id=1771100865818625',
    ({ order }) => ['physical_store', 'phone_call', 'app'].includes(order.body.action_source ?? ''),
  ),
  weRefuse(
    'nobody to match',
    'invalid: user_data',
    'TikTok needs an identifier, or IP address and user agent. Segment counts what is none.',
    TEMPLATE,
  ),
  weRefuse(
    'purchases without a value',
    'invalid: value',
    'A purchase without a value and a currency is reported by TikTok as faulty; ours says so before sending.',
    'https://ads.tiktok.com/help/article/standard-events-parameters',
    NO_VALUE,
  ),
];
