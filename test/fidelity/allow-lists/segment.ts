// What Segment's actions have in common: each makes an identifier small letters without whitespace and hashes that, with a
// table of US states and of English names of countries here and there.
import type { Allowance } from '../comparison.ts';
import { SENDABLE } from '../comparison.ts';
import type { Difference } from '../fields.ts';
import type { Order } from '../order.ts';
import { documentedIds, type IdentityPaths, isHashed, sentIds } from '../rules.ts';
import {
  deniedStorage,
  hasAdvertisingId,
  identity,
  isWebAddress,
  known,
  listed,
  NOBODY,
  same,
  UNUSABLE,
} from './allowance.ts';

export const SEGMENT_SOURCE =
  'https://github.com/segmentio/action-destinations/tree/main/packages/destination-actions/src/destinations';

export const tight = (value: string): string => value.replace(/\s/g, '').toLowerCase();
export const digitsOf = (value: string): string => value.replace(/\D/g, '');

/** Paths by what they hold; each list of entries is made only for those that are there. */
export interface Paths {
  readonly email?: IdentityPaths;
  readonly phone?: IdentityPaths;
  readonly names?: IdentityPaths;
  readonly gender?: IdentityPaths;
  readonly birthDate?: IdentityPaths;
  readonly city?: IdentityPaths;
  readonly state?: IdentityPaths;
  readonly zip?: IdentityPaths;
  readonly country?: IdentityPaths;
}

/** All of them in one. */
export const allOf = (paths: Paths): IdentityPaths =>
  Object.assign({}, ...Object.values(paths)) as IdentityPaths;

const REASONS = {
  email: 'Segment passes a digest in capitals on; vendors compare small letters.',
  phone:
    'Segment takes the digits as they stand: with the 00, the trunk zero or the digits of an extension, and without the country code where the number was written as at home. The vendor wants the number with its country code and nothing else; ours is the number the order was made with.',
  names:
    'Segment keeps punctuation, symbols and decomposed accents. The vendor documents small letters without punctuation.',
  gender: 'Segment knows male and female, and hashes any other word whole. The vendor takes f and m.',
  birthDate: 'Segment hashes the date as it was written. The vendor documents YYYYMMDD.',
  city: 'Segment keeps punctuation. The vendor documents small letters without punctuation and spaces.',
  state:
    'Segment knows the states of the US by name, at best. The vendor documents the code; ours is that of ISO 3166-2.',
  zip: 'Segment keeps hyphens, and all nine digits of a US ZIP code. The vendor documents neither spaces nor dashes, and five digits in the US.',
  country: 'Segment knows some English names, or none. The vendor documents the code of ISO 3166-1.',
} as const;

/** Differences in form, one entry for each kind of identifier. */
export function forms(
  paths: Paths,
  source: string,
  own: Partial<Record<keyof typeof REASONS, string>> = {},
): readonly Allowance[] {
  return (Object.keys(REASONS) as (keyof typeof REASONS)[]).flatMap((group) => {
    const given = paths[group];
    if (given === undefined || Object.keys(given).length === 0) return [];
    return [
      identity({
        title: `form of ${group === 'birthDate' ? 'birth date' : group}`,
        paths: given,
        has: 'both',
        reason: own[group] ?? REASONS[group],
        source,
      }),
    ];
  });
}

/** Values that name nobody, and values that cannot be what they should: Segment hashes both. */
export function refuse(paths: Paths, nobodyKinds: readonly string[] = NOBODY): readonly Allowance[] {
  const all = allOf(paths);
  return [
    identity({
      title: 'literals for no value',
      paths: all,
      has: 'theirs',
      kinds: nobodyKinds,
      reason:
        'Segment sends what a program prints for "no value" (null, undefined, [object Object], the digest of nothing) as if it named somebody: one such digest makes one person of all customers without a value. Ours leaves it out.',
      source: `${SEGMENT_SOURCE}/../lib/hashing-utils.ts`,
    }),
    identity({
      title: 'values that cannot be what they should',
      paths: all,
      has: 'theirs',
      kinds: [
        ...UNUSABLE,
        'other word',
        'iso',
        'local',
        'words',
        'hashed',
        'full width',
        'national, no country',
        'no plus',
        'unicode',
        'inner space',
      ],
      reason:
        'Segment hashes whatever stands in the field: an address without a domain, an impossible date, a number of five digits, an unknown country. No digest of it matches anybody. Ours leaves it out.',
      source: SEGMENT_SOURCE,
    }),
  ];
}

/** Numbers in digits of another script. */
export const fullWidth = (paths: IdentityPaths): Allowance =>
  identity({
    title: 'digits of other scripts',
    paths,
    has: 'ours',
    kinds: ['full width'],
    reason: 'Segment has nothing left of a number in digits of full width. Ours reads them.',
    source: SEGMENT_SOURCE,
  });

/** Lists of external ids. @param ours the vendor's form of one id; @param theirs Segment's */
export function externalIds(
  path: string,
  ours: (id: string) => string,
  theirs: (id: string) => string,
  source: string,
): Allowance {
  return known({
    title: 'external ids',
    fields: [path],
    reason:
      'Segment removes whitespace inside an id or keeps it around one, and sends ids that are literals for no value, or 0, the number shops give to whoever is not logged in. Ours trims, keeps the id otherwise whole (lowercase where the vendor compares without case), and leaves those out.',
    source,
    when: ({ order, ours: sent, oursPlain, theirsPlain }) =>
      isHashed(sent) &&
      same(oursPlain, listed(documentedIds(order, ours))) &&
      same(theirsPlain, listed(sentIds(order).map(theirs))),
  });
}

/** An external id where the vendor takes one: the first that names somebody. @param plainIds where it takes it unhashed */
export function externalId(
  path: string,
  theirs: (id: string) => string,
  source: string,
  plainIds?: (order: Order) => readonly string[],
): Allowance {
  const ours = plainIds ?? documentedIds;
  return known({
    title: 'external id',
    fields: [path],
    reason:
      'The vendor takes one id. Segment sends the customer id as it stands, also when it is a literal for no value or has spaces around it; ours the first id that names somebody, trimmed.',
    source,
    when: ({ order, ours: sent, oursPlain, theirsPlain }) =>
      (plainIds !== undefined || isHashed(sent)) &&
      same(oursPlain, listed(ours(order).slice(0, 1))) &&
      same(theirsPlain, listed([theirs(order.body.user_data.customer_id ?? '')])),
  });
}

export const invalidAddress = (path: string, source = SEGMENT_SOURCE): Allowance =>
  known({
    title: 'no IP address',
    fields: [path],
    has: 'theirs',
    reason:
      'Segment sends any text as the address of the network. Ours only what is an IPv4 or IPv6 address.',
    source,
    when: ({ order, theirs }) =>
      ['invalid', 'empty'].includes(order.kinds.client_ip ?? '') && theirs === order.body.user_data.client_ip,
  });

export const relativeUrl = (path: string, source: string): Allowance =>
  known({
    title: 'page address without a scheme',
    fields: [path],
    has: 'theirs',
    reason:
      'The vendor wants an absolute address; ours leaves out one that is none instead of losing the event.',
    source,
    when: ({ theirs }) => !isWebAddress(theirs),
  });

export const consentIds = (paths: readonly string[]): Allowance =>
  known({
    title: 'click and browser ids without consent to storage',
    fields: paths,
    has: 'theirs',
    reason:
      'The other side leaves no id out for want of consent. Where the order denies `ad_storage` ours leaves out ids that were read from the browser.',
    source: 'https://support.google.com/google-ads/answer/13802165',
    when: deniedStorage,
  });

/** @param source where the vendor documents the field */
export const consentAdvertisingId = (paths: readonly string[], source: string, more = ''): Allowance =>
  known({
    title: 'advertising id without consent to storage',
    fields: paths,
    has: 'theirs',
    reason: `The other side leaves no id out for want of consent.${more} The order denies \`ad_storage\`, on which the collection of advertising ids in apps depends as that of cookies does on the web (<https://support.google.com/google-ads/answer/13802165>): ours leaves the id out ([consent.md](consent.md)).`,
    source,
    when: (difference) =>
      deniedStorage(difference) &&
      hasAdvertisingId(difference) &&
      String(difference.theirsPlain).toLowerCase() === difference.order.body.user_data.madid?.toLowerCase(),
  });

/** Orders only ours sends, by what Segment says of them. */
export const theyRefuse = (title: string, message: RegExp, reason: string): Allowance =>
  known({
    title,
    fields: [SENDABLE],
    reason,
    source: SEGMENT_SOURCE,
    when: ({ ours, theirs }) => ours === 'sent' && message.test(String(theirs)),
  });

/** Orders only Segment sends, by what ours says of them. */
export const weRefuse = (
  title: string,
  verdict: string,
  reason: string,
  source: string,
  when: (difference: Difference) => boolean = () => true,
): Allowance =>
  known({
    title,
    fields: [SENDABLE],
    reason,
    source,
    when: (difference) => difference.ours === verdict && difference.theirs === 'sent' && when(difference),
  });

/** Orders of an app: these say nothing of it. */
export const withoutApp = (reason: string, source: string, verdict = 'invalid: app.platform'): Allowance =>
  weRefuse(
    'events of an app that say nothing of it',
    verdict,
    reason,
    source,
    ({ order }) => order.body.action_source === 'app',
  );

/**
 * Orders that name nobody, at platforms an advertising id is enough for: one that may be used is never in them.
 * @param needs what the vendor needs @param counts what Segment takes for it
 */
export const nobodyToMatch = (needs: string, counts: string, source: string): readonly Allowance[] => [
  weRefuse(
    'nobody to match',
    'invalid: user_data',
    `${needs} ${counts}`,
    source,
    (difference) => !hasAdvertisingId(difference),
  ),
  weRefuse(
    'nobody to match without consent to storage',
    'invalid: user_data',
    `${needs} The order has the advertising id, and denies \`ad_storage\`: ours may not use it ([consent.md](consent.md)).`,
    source,
    (difference) => hasAdvertisingId(difference) && deniedStorage(difference),
  ),
];

export const NO_VALUE = (difference: Difference): boolean => difference.order.body.value === undefined;

export const FRACTIONS = theyRefuse(
  'quantities that are no whole numbers',
  /^(?:(?:Item )?Quantity must be an integer but it was a number\.\s*)+$/,
  'Segment refuses the whole order for a weight or a length. The vendor takes a number, or ours leaves the one quantity out.',
);
export const EMPTY_TEXT = theyRefuse(
  'an identifier that is empty after trimming',
  /^Cannot hash an empty string$/,
  'Segment refuses the whole order for one identifier of which nothing is left. Ours leaves the identifier out.',
);
