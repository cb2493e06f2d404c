// How known differences are written down. Whatever stands in the order, ours must be what the vendor documents (`rules.ts`):
// no entry can hide a fault of ours behind a difference.
import type { Allowance } from '../comparison.ts';
import { revealed } from '../digest-origins.ts';
import type { Difference } from '../fields.ts';
import type { Order } from '../order.ts';
import {
  documented,
  type IdentityPaths,
  isDocumented,
  isHashed,
  isKind,
  isReadAtHome,
  sent,
} from '../rules.ts';

/** The day all sources were read on. */
export const READ_ON = '2026-11-21';

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const plain = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : revealed(value);

/** A list as fields hold it: one text is itself, none is absence. */
export const listed = (values: readonly string[]): unknown => {
  const kept = values.filter((value) => value !== '').map(revealed);
  return kept.length > 1 ? kept : kept[0];
};

export interface Known {
  readonly title: string;
  readonly reason: string;
  readonly source: string;
}

export interface Identity extends Known {
  readonly paths: IdentityPaths;
  /** Which side has the field. */
  readonly has: 'both' | 'ours' | 'theirs';
  /** Kinds of values it is about; all, where none are named. */
  readonly kinds?: readonly string[];
  /** What the other implementation makes of the value. */
  readonly theirs?: (value: string, order: Order) => string | undefined;
}

/** A difference in an identifier. Ours is as documented, theirs is as stated. */
export function identity({ paths, has, kinds, theirs, ...known }: Identity): Allowance {
  return {
    ...known,
    readOn: READ_ON,
    fields: Object.keys(paths),
    when: (difference) => {
      const [field, rule, isPlain] = paths[difference.field] ?? [];
      if (field === undefined || rule === undefined || !onSide(difference, has)) return false;
      const { order, ours, theirsPlain } = difference;
      if (kinds !== undefined && !isKind(order, field, ...kinds)) return false;
      if (!isDocumented(ours, documented(order, field, rule, isPlain), isPlain)) return false;
      return theirs === undefined || same(theirsPlain, plain(theirs(sent(order, field) ?? '', order)));
    },
  };
}

const onSide = ({ ours, theirs }: Difference, has: 'both' | 'ours' | 'theirs'): boolean =>
  (ours !== undefined) === (has !== 'theirs') && (theirs !== undefined) === (has !== 'ours');

export interface Plain extends Known {
  readonly fields: readonly string[];
  readonly has?: 'both' | 'ours' | 'theirs';
  readonly when?: (difference: Difference) => boolean;
}

/** Any other difference. */
export function known({ has, when = () => true, ...rest }: Plain): Allowance {
  return {
    ...rest,
    readOn: READ_ON,
    when: (difference) => (has === undefined || onSide(difference, has)) && when(difference),
  };
}

/** Our known weakness with numbers that lost their plus. */
export const readAtHome = (path: string): Allowance =>
  known({
    title: 'no plus, and a number of the country of the order too',
    fields: [path],
    has: 'both',
    reason:
      'Digits without a plus that exist in the country of the order are read as dialled there, although the order was made with a number of another country: nothing in the digits says which. Vendors ask for the country code; send it with the plus.',
    source:
      'https://developers.facebook.com/documentation/ads-commerce/conversions-api/parameters/customer-information-parameters',
    when: ({ order, ours, oursPlain }) => isHashed(ours) && isReadAtHome(order, oursPlain),
  });

/** Kinds of values that name nobody. */
export const NOBODY = ['poison', 'empty'] as const;
/** Kinds of values no vendor takes. */
export const UNUSABLE = [
  'invalid',
  'unknown',
  'impossible',
  'ambiguous',
  'too short',
  'too long',
  'letters',
  'symbols',
] as const;

/** True where the value is the id, the quantity or the price of an item, as a number or as text. */
export const isOfItem = ({ order }: Difference, value: unknown): boolean =>
  (order.body.items ?? []).some(({ id, quantity, price }) =>
    [id, quantity, price].some((part) => part !== undefined && String(part) === String(value)),
  );

export const deniedStorage = ({ order }: Difference): boolean => order.body.consent?.ad_storage === 'denied';
/** An advertising id that names a device: not that of all zeros. */
export const hasAdvertisingId = ({ order }: Difference): boolean =>
  Boolean(order.body.user_data.madid) && order.kinds.madid !== 'zero';
export const deniedPersonalization = ({ order }: Difference): boolean =>
  order.body.consent?.ad_personalization === 'denied';
export const isWebAddress = (url: unknown): boolean => typeof url === 'string' && /^https?:\/\//.test(url);
