// Known differences with Segment's Microsoft Bing CAPI.
import type { Allowance } from '../comparison.ts';
import { documentedIds } from '../rules.ts';
import { isOfItem, known, listed, readAtHome, same } from './allowance.ts';
import {
  allOf,
  consentAdvertisingId,
  consentIds,
  EMPTY_TEXT,
  FRACTIONS,
  forms,
  invalidAddress,
  type Paths,
  refuse,
  relativeUrl,
  SEGMENT_SOURCE,
  weRefuse,
} from './segment.ts';

const GUIDE = 'https://learn.microsoft.com/en-us/advertising/guides/uet-conversion-api-integration';
const USER = 'event.userData';

const PATHS = {
  email: { [`${USER}.em`]: ['email', 'emailMicrosoft'] },
  phone: { [`${USER}.ph`]: ['phone', 'phonePlus'] },
} as const satisfies Paths;

export const MICROSOFT_IDENTIFIERS = allOf(PATHS);

export const MICROSOFT_ALLOWANCES: readonly Allowance[] = [
  readAtHome(`${USER}.ph`),
  ...refuse(PATHS),
  ...forms(PATHS, GUIDE, {
    email:
      'Segment makes small letters of the address. Microsoft’s guide, as others quote it, drops dots and the +tag before the @ at any domain.',
    phone:
      'Segment hashes the digits as they stand, without plus. Others that cite Microsoft’s guide hash E.164 with the plus, as ours; which of the two matches is unverified.',
  }),
  known({
    title: 'hashed external id',
    fields: [`${USER}.externalId`],
    reason:
      'Microsoft asks for an anonymized id. Segment sends the customer id as it stands, literals for no value too; ours the digest of the first id that names somebody, as the tag of stape.io does. Which of the two matches is unverified.',
    source: 'https://github.com/stape-io/microsoft-capi-tag',
    when: ({ order, ours, oursPlain, theirs }) =>
      same(oursPlain, listed(documentedIds(order).slice(0, 1))) &&
      (ours === undefined || /^[0-9a-f]{64}$/.test(String(ours))) &&
      same(theirs, order.body.user_data.customer_id || undefined),
  }),
  invalidAddress(`${USER}.clientIpAddress`),
  consentIds([`${USER}.msclkid`]),
  consentAdvertisingId(
    [`${USER}.idfa`, `${USER}.gaid`],
    GUIDE,
    ' Segment tells Microsoft of the refusal (`adStorageConsent`) and sends the id with it.',
  ),
  relativeUrl('event.eventSourceUrl', GUIDE),
  known({
    title: 'advertising id in capitals, or of zeros',
    fields: [`${USER}.idfa`, `${USER}.gaid`],
    reason: 'Segment sends the advertising id as it stands. Ours in small letters, never of zeros.',
    source: SEGMENT_SOURCE,
    when: ({ order, ours, theirs }) =>
      theirs === order.body.user_data.madid &&
      (order.kinds.madid === 'zero' ? ours === undefined : ours === String(theirs).toLowerCase()),
  }),
  known({
    title: 'prices of items',
    fields: ['event.customData.items[].price'],
    has: 'ours',
    reason:
      'Segment’s preset calls the price item_price, which its own form then removes; and it takes whole prices only.',
    source: SEGMENT_SOURCE,
    when: (difference) => isOfItem(difference, difference.ours),
  }),
  known({
    title: 'who sends, and how faults count',
    fields: ['dataProvider', 'continueOnValidationError'],
    has: 'ours',
    reason:
      'Part of the request, by Microsoft’s guide as others quote it; Segment writes both into each event.',
    source: GUIDE,
    when: ({ ours }) => ours === 'Millrace' || ours === true,
  }),
  known({
    title: 'who sends, and how faults count, in the event',
    fields: ['event.dataProvider', 'event.continueOnValidationError'],
    has: 'theirs',
    reason:
      'Part of the request, by Microsoft’s guide as others quote it; Segment writes both into each event.',
    source: GUIDE,
    when: ({ theirs }) => theirs === 'SEGMENT' || theirs === true,
  }),
  known({
    title: 'consent nobody gave',
    fields: ['event.adStorageConsent'],
    has: 'theirs',
    reason: 'Segment says "granted" where nothing was said. Ours says nothing then.',
    source: SEGMENT_SOURCE,
    when: ({ order, theirs }) => theirs === 'G' && order.body.consent?.ad_storage === undefined,
  }),
  FRACTIONS,
  EMPTY_TEXT,
  weRefuse(
    'nobody to match',
    'invalid: user_data',
    'Microsoft needs one of its identifiers. Segment counts an address that is none, and a click id without consent to storage.',
    GUIDE,
  ),
];
