// Orders as shops might send them: random, but decided by one seed. Each knows of what kind its values are, and the phone
// number it was made from, so that a difference can be judged by more than the two sides of it.
import fc from 'fast-check';
import { type EventBody, eventSchema } from '../../lib/events/domain/event/event.ts';
import { readInput } from '../../lib/events/domain/event/input.ts';
import {
  ADDRESSES,
  ADVERTISING_IDS,
  BIRTH_DATES,
  CURRENCIES,
  CUSTOMER_IDS,
  EMAILS,
  GENDERS,
  ITEM_IDS,
  NAMES,
  NUMBERS,
  PHONE_FORMS,
  PHONE_ODDITIES,
  PLACE_ODDITIES,
  PLACES,
  type Sample,
  USER_AGENTS,
} from './order-values.ts';

export interface Order {
  readonly body: EventBody;
  /** Wire name of a field of `user_data` → the kind of its value; absent where the field is. */
  readonly kinds: Readonly<Record<string, string>>;
  /** The number the phone was written from: digits with country code, without plus. */
  readonly dialled?: string;
  /** ISO code and subdivision code of the place the address was taken from, lowercase. */
  readonly iso?: string;
  readonly stateCode?: string;
}

type Fields = Record<string, { readonly kind: string; readonly value: string | null }>;

/** A field is absent in one order of `weight`. */
const sometimes = (list: readonly Sample[], weight = 4): fc.Arbitrary<Sample | undefined> =>
  fc.option(fc.constantFrom(...list), { nil: undefined, freq: weight });

const phone = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constantFrom(...NUMBERS), fc.constantFrom(...PHONE_FORMS)) },
  { weight: 1, arbitrary: fc.constantFrom(...PHONE_ODDITIES) },
);

const place = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PLACES) },
  { weight: 1, arbitrary: fc.tuple(...Array.from({ length: 4 }, () => fc.constantFrom(...PLACE_ODDITIES))) },
);

const BROWSER_IDS = {
  fbp: 'fb.1.1795000000000.1098115397',
  fbc: 'fb.1.1795000000000.IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB_qa2ofrHyiLjcbCRxTDMgk',
  gclid: 'EAIaIQobChMI-example_gclid',
  ttclid: 'E.C.P.CrAB8Zgk',
  ttp: '2F7h37YkS1j57AYSKTI7IHhJPYH',
  sc_click_id: 'f9c7a1b2-example',
  sc_cookie1: '6b7d1d5e-9e0c-4c39-8a0f-6a1e2f0c9b11',
  epik: 'dj0yJnU9example',
  li_fat_id: 'a5c8f1d2-0b3e-4c7a-9f6d-1e2b3c4d5e6f',
  rdt_cid: '3184742045291813272',
  rdt_uuid: '1684189007728.7f2c2b2f-9d43-4b9a-8f4e-2f1d6c0b7a55',
  twclid: '26l6412g5p4iyj65a2oic2ayg2',
  msclkid: '4f1cc1a5-6a0d-4a3e-9d0c-6c1e1a5f7b21',
  kx: 'Kx-example.AbC123',
  ga_client_id: '1098115397.1795000000',
  ga_session_id: '1795175000',
};

const browserIds = fc.record(
  Object.fromEntries(Object.entries(BROWSER_IDS).map(([key, value]) => [key, fc.constant(value)])),
  { requiredKeys: [] },
);

const consentState = fc.constantFrom(undefined, undefined, undefined, 'granted' as const, 'denied' as const);

const person = fc.record({
  email: sometimes(EMAILS, 8),
  first_name: sometimes(NAMES),
  last_name: sometimes(NAMES),
  gender: sometimes(GENDERS, 2),
  date_of_birth: sometimes(BIRTH_DATES, 2),
  customer_id: sometimes(CUSTOMER_IDS),
  client_ip: sometimes(ADDRESSES, 6),
  user_agent: sometimes(USER_AGENTS, 9),
  madid: sometimes(ADVERTISING_IDS, 2),
});

/** Whole minor units of up to five digits, as a number of this currency: 1999 → 19.99, 1999 JPY, 1.999 KWD. */
function amount(minor: number, currency: string): number {
  const code = currency.trim().toUpperCase();
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions();
  return Number(`${minor}e-${digits.maximumFractionDigits ?? 2}`);
}

const items = fc.array(
  fc.record({
    id: fc.constantFrom(...ITEM_IDS),
    quantity: fc.constantFrom(1, 1, 1, 2, 2, 3, 12, 0.5),
    minor: fc.option(fc.integer({ min: 0, max: 99_999 }), { nil: undefined, freq: 5 }),
  }),
  { maxLength: 3 },
);

const sale = fc.record({
  currency: fc.constantFrom(...CURRENCIES),
  minor: fc.option(fc.oneof(fc.integer({ min: 0, max: 9_999_999 }), fc.constantFrom(0, 1, 10)), {
    nil: undefined,
    freq: 12,
  }),
  hasOrderId: fc.boolean(),
  items,
  actionSource: fc.constantFrom(
    'website',
    'website',
    'website',
    'website',
    'app',
    'physical_store',
    'phone_call',
  ),
  url: fc.constantFrom(undefined, 'https://shop.example/thank-you?order=1&x=ä', 'shop.example/thank-you'),
  referrer: fc.constantFrom(undefined, 'https://shop.example/checkout'),
  ageSec: fc.integer({ min: 0, max: 3 * 86_400 }),
  personalization: consentState,
  storage: consentState,
  raw: fc.boolean(),
  isSparse: fc.constantFrom(true, ...Array.from({ length: 9 }, () => false)),
});

/** @param nowSec orders are of the three days before; nothing else depends on it */
export function orders(seed: number, count: number, nowSec: number): readonly Order[] {
  const parts = fc.tuple(
    person,
    phone,
    fc.option(place, { freq: 5, nil: undefined }),
    browserIds,
    sale,
    fc.nat(2),
  );
  return fc.sample(parts, { seed, numRuns: count }).map((part, index) => toOrder(part, index, nowSec));
}

type Parts = [
  Record<string, Sample | undefined>,
  Sample | [(typeof NUMBERS)[number], (typeof PHONE_FORMS)[number]],
  (typeof PLACES)[number] | Sample[] | undefined,
  Record<string, string>,
  {
    readonly currency: string;
    readonly minor: number | undefined;
    readonly hasOrderId: boolean;
    readonly items: readonly {
      readonly id: string;
      readonly quantity: number;
      readonly minor: number | undefined;
    }[];
    readonly actionSource: string;
    readonly url: string | undefined;
    readonly referrer: string | undefined;
    readonly ageSec: number;
    readonly personalization: 'granted' | 'denied' | undefined;
    readonly storage: 'granted' | 'denied' | undefined;
    readonly raw: boolean;
    readonly isSparse: boolean;
  },
  number,
];

/** Of one order in ten next to nothing is known: an address at most, and what the browser tells by itself. */
function sparse([{ email, client_ip, user_agent }, , , , sold]: Parts): Parts {
  return [
    { email, client_ip, user_agent },
    { kind: 'empty', value: null },
    undefined,
    {},
    { ...sold, raw: false },
    0,
  ];
}

function toOrder(drawn: unknown, index: number, nowSec: number): Order {
  const parts = drawn as Parts;
  const [who, number, where, ids, sold, moreIds] = parts[4].isSparse ? sparse(parts) : parts;
  const fields: Fields = {};
  for (const [field, sample] of Object.entries(who)) if (sample !== undefined) fields[field] = sample;
  const { dialled, home } = addPhone(fields, number, where);
  const known = addPlace(fields, where, home);
  if (home !== undefined && known.iso === undefined)
    fields.phone = { kind: 'national, no country', value: fields.phone?.value ?? '' };
  // As ingestion takes it: null is the absence of a value.
  const input = readInput({
    event_id: `order-${index}`,
    event_name: 'Purchase',
    event_time: nowSec - sold.ageSec,
    user_data: {
      ...Object.fromEntries(Object.entries(fields).map(([field, { value }]) => [field, value])),
      ...(moreIds > 0 ? { external_ids: ['Loyalty-7', 'crm 9'].slice(0, moreIds) } : {}),
      ...(Object.keys(ids).length > 0 ? { browser_ids: ids } : {}),
      ...(sold.raw
        ? { subscription_id: 'sub_1', lead_id: '525645896321548', fb_login_id: '9007199254740' }
        : {}),
    },
    currency: sold.currency,
    ...(sold.minor === undefined ? {} : { value: amount(sold.minor, sold.currency) }),
    ...(sold.hasOrderId ? { order_id: `${1000 + index}` } : {}),
    items: sold.items.map(({ id, quantity, minor }) => ({
      id,
      quantity,
      ...(minor === undefined ? {} : { price: amount(minor, sold.currency) }),
    })),
    event_source_url: sold.url,
    referrer_url: sold.referrer,
    action_source: sold.actionSource,
    consent: { ad_personalization: sold.personalization, ad_storage: sold.storage },
  });
  const body = eventSchema.parse(input.value);
  const kinds = Object.fromEntries(Object.entries(fields).map(([field, { kind }]) => [field, kind]));
  return { body, kinds, ...(dialled === undefined ? {} : { dialled }), ...known };
}

interface Written {
  readonly dialled?: string;
  /** The country a number written as dialled at home belongs to. */
  readonly home?: string;
}

/** A number is written as at home only where that home is the order's country, or nothing says which it is. */
function addPhone(fields: Fields, number: Parts[1], where: Parts[2]): Written {
  if (!Array.isArray(number)) {
    fields.phone = number;
    return {};
  }
  const [drawn, form] = number;
  const iso = where === undefined || Array.isArray(where) ? undefined : where.iso;
  const local = iso === undefined ? undefined : NUMBERS.find(([country]) => country === iso);
  const [home, code, national, trunk] = form.national === true && local !== undefined ? local : drawn;
  const write = form.national === true && iso !== undefined && local === undefined ? PHONE_FORMS[0] : form;
  fields.phone = { kind: write?.kind ?? '', value: write?.write(code, national, trunk) ?? '' };
  return { dialled: `${code}${national}`, ...(write?.national === true ? { home } : {}) };
}

function addPlace(fields: Fields, where: Parts[2], home?: string): { iso?: string; stateCode?: string } {
  if (where === undefined) {
    // Without a place, a number as dialled at home comes with its country, or with no hint at all.
    if (home === undefined || fields.customer_id === undefined) return {};
    fields.country = { kind: 'code', value: home };
    return { iso: home.toLowerCase() };
  }
  if (Array.isArray(where)) {
    for (const [at, field] of ['country', 'state', 'city', 'zip'].entries())
      fields[field] = where[at] as Sample;
    return {};
  }
  fields.country = { kind: where.country.length === 2 ? 'code' : 'name', value: where.country };
  if (where.state !== '') fields.state = { kind: 'known', value: where.state };
  fields.city = { kind: 'known', value: where.city };
  if (where.zip !== '') fields.zip = { kind: where.iso === 'US' ? 'zip' : 'postal code', value: where.zip };
  return { iso: where.iso.toLowerCase(), stateCode: where.stateCode };
}
