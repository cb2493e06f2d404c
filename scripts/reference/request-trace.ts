// Where in a platform's request each field of an event ends up, found by changing the field and looking at what moves.
import { hash } from 'node:crypto';
import type { PlatformExample } from '#test/platforms/platform-example.ts';
import { SAMPLE_TIME_SEC } from '#test/support/sample-event.ts';
import type { NormalizedEvent } from '../../lib/events/domain/event/normalized-event.ts';
import {
  BROWSER_ID_KEYS,
  type HashedIdentity,
  SEALED_FIELD_NAMES,
  SEALED_FIELDS,
} from '../../lib/events/domain/identity/identity.ts';
import { IDENTITY_RULES } from '../../lib/events/domain/identity/variants.ts';
import type { Platform } from '../../lib/events/platforms/platform.ts';
import { knownPerson } from './consent-effects.ts';
import { difference, pathOf, requestFor, valuesOf } from './request-values.ts';

export interface Trace {
  /** Name on the wire, as a merchant sends it. */
  readonly field: string;
  readonly paths: readonly string[];
  /** How the value of a person got its form; of an event, what the sample became, empty where nothing changed. */
  readonly form: string;
}

type Change = (event: NormalizedEvent) => NormalizedEvent;

const OTHER_UUID = '0b7e9f10-3c6d-4d8e-9a1b-2c3d4e5f6a7b';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile';

/** What is known of the person: field by field, hashed variants with their rule. Fields that move nothing are left out. */
export function personTraces(platform: Platform, example: PlatformExample): readonly Trace[] {
  const traces: Trace[] = [];
  for (const [field, variants] of Object.entries(IDENTITY_RULES)) {
    for (const [variant, rule] of Object.entries(variants)) {
      const changes = changesOf(variant);
      for (const [name, change] of changes.map(([suffix, one]) => [`${field}${suffix}`, one] as const)) {
        const found = moved(platform, example, change);
        if (found.paths.length > 0)
          traces.push({ field: name, paths: found.paths, form: isDigest(rule) ? `\`${variant}\`` : rule });
      }
    }
  }
  for (const field of SEALED_FIELDS) {
    const { paths } = moved(platform, example, (event) => ({
      ...event,
      plaintext: { ...event.plaintext, [field]: OTHER_PLAIN[field] },
    }));
    if (paths.length > 0) traces.push({ field: SEALED_FIELD_NAMES[field], paths, form: 'Not hashed.' });
  }
  return traces;
}

/** Of digests, which several platforms share: the page of all platforms has them by the name of the variant. */
const isDigest = (rule: string): boolean => rule.includes('SHA-256') || rule.startsWith('As ');

/** Name of a variant → its rule. */
export const digestForms = (): readonly (readonly [variant: string, rule: string])[] =>
  Object.values(IDENTITY_RULES).flatMap((variants) =>
    Object.entries<string>(variants).filter(([, rule]) => isDigest(rule)),
  );

const OTHER_PLAIN = {
  email: 'john@example.org',
  phone: '+14155550199',
  firstName: 'John',
  lastName: 'Roe',
  city: 'Springfield',
  region: 'NY',
  postalCode: '10001',
  country: 'CA',
  externalId: 'Other-1',
} as const satisfies Record<(typeof SEALED_FIELDS)[number], string>;

/** Changes that put another value into one variant; suffix of the field's name → change. */
function changesOf(variant: string): readonly (readonly [string, Change])[] {
  if (variant === 'browserIds')
    return BROWSER_ID_KEYS.map((key) => [`.${key}`, otherBrowserId(key)] as const);
  if (variant === 'madid') return [['', otherMadid]];
  if (variant in RAW_VALUES) {
    const value = RAW_VALUES[variant as keyof typeof RAW_VALUES];
    return [['', (event) => ({ ...event, raw: { ...event.raw, [variant]: value } })]];
  }
  const digest = hash('sha256', `another ${variant}`);
  const value = variant.startsWith('externalIds') ? [digest] : digest;
  return [
    ['', (event) => ({ ...event, hashed: { ...event.hashed, [variant as keyof HashedIdentity]: value } })],
  ];
}

const RAW_VALUES = {
  clientIp: '198.51.100.9',
  userAgent: 'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 Chrome/143.0 Mobile Safari',
  fbLoginId: '1234567',
  subscriptionId: 'subscription-2',
  leadId: '7654321',
  anonId: 'anonymous-2',
  ctwaClid: 'ctwa-2',
};

/** Kept in both forms: platforms take one or the other. */
const otherMadid: Change = (event) => ({
  ...event,
  raw: { ...event.raw, madid: OTHER_UUID },
  hashed: { ...event.hashed, madid: hash('sha256', OTHER_UUID) },
});

const otherBrowserId =
  (key: (typeof BROWSER_ID_KEYS)[number]): Change =>
  (event) => {
    const id = { rdt_uuid: `1795000000001.${OTHER_UUID}`, msclkid: OTHER_UUID }[key as string] ?? `${key}-2`;
    return { ...event, raw: { ...event.raw, browserIds: { ...event.raw.browserIds, [key]: id } } };
  };

/** As a merchant sends the sample. */
const SENT: Readonly<Record<string, string>> = {
  event_id: '"order-1001"',
  event_time: String(SAMPLE_TIME_SEC),
  action_source: '"website"',
  event_source_url: '"https://shop.example/thank-you?order=1001"',
  referrer_url: '"https://shop.example/checkout"',
  value: '59.98',
  currency: '"USD"',
  order_id: '"1001"',
  'items[].id': '"SKU-1", "SKU-2"',
  'items[].quantity': '2, 1',
  'items[].price': '24.99, 10',
  'items[].name': '"Shirt"',
  'items[].brand': '"Acme"',
  'items[].category': '"Shirts"',
  'items[].variant': '"XL"',
};
const asSent = (field: string, form: string): string => (form === SENT[field] ? '' : form);

/** What the event itself says, with the value of the sample as an example of a form that is another one there. */
export function eventTraces(platform: Platform, example: PlatformExample): readonly Trace[] {
  return Object.entries(EVENT_CHANGES).flatMap(([field, change]) => {
    const { paths, samples } = moved(platform, example, change);
    if (paths.length === 0) return [];
    return [
      {
        field,
        paths,
        form: asSent(
          field,
          [...new Set(samples.map((entry) => entry.slice(entry.indexOf(': ') + 2)))].join(', '),
        ),
      },
    ];
  });
}

const put =
  (fields: Partial<NormalizedEvent>): Change =>
  (event) => ({ ...event, ...fields });

type Item = NormalizedEvent['items'][number];
const ofItems =
  (change: (item: Item) => Partial<Item>): Change =>
  (event) => ({ ...event, items: event.items.map((item) => ({ ...item, ...change(item) })) });

const EVENT_CHANGES: Readonly<Record<string, Change>> = {
  event_id: put({ eventId: 'order-2', dedupId: 'order-2' }),
  event_time: (event) => ({ ...event, eventTimeSec: event.eventTimeSec - 61 }),
  action_source: put({ actionSource: 'physical_store' }),
  event_source_url: put({ eventSourceUrl: 'https://shop.example/other' }),
  referrer_url: put({ referrerUrl: 'https://shop.example/elsewhere' }),
  value: put({ value: '61.07' }),
  currency: put({ currency: 'EUR' }),
  order_id: put({ orderId: '2002' }),
  'items[].id': ofItems(({ id }) => ({ id: `${id}-B` })),
  'items[].quantity': ofItems(() => ({ quantity: '7' })),
  'items[].price': ofItems(() => ({ price: '3.5' })),
  'items[].name': ofItems(() => ({ name: 'Shirt' })),
  'items[].brand': ofItems(() => ({ brand: 'Acme' })),
  'items[].category': ofItems(() => ({ category: 'Shirts' })),
  'items[].variant': ofItems(() => ({ variant: 'XL' })),
};

/**
 * Paths whose value changes with the field. Tried with everything known, and with no other browser id and on another
 * system, since platforms choose among ids and name a device by its system.
 */
function moved(platform: Platform, example: PlatformExample, change: Change) {
  const starts = [(event: NormalizedEvent) => event, onlyThisBrowserId(change), onIphone];
  const paths = new Set<string>();
  const samples: string[] = [];
  for (const start of starts) {
    const event = start(knownPerson({}));
    const values = [event, change(event)].map((one) => valuesOf(requestFor(platform, example, one).body));
    const { came, gone } = difference(values[0] ?? [], values[1] ?? []);
    for (const entry of came) paths.add(pathOf(entry));
    // Where the sample says nothing of the field, what came in shows the form.
    samples.push(...(gone.length > 0 ? gone : came));
  }
  // What a change drops from elsewhere is no sample of the field.
  return { paths: [...paths].sort(), samples: samples.filter((entry) => paths.has(pathOf(entry))) };
}

const onlyThisBrowserId =
  (change: Change): Change =>
  (event) => {
    const without = { ...event, raw: { ...event.raw, browserIds: {} } };
    const changed = change(without).raw.browserIds ?? {};
    const [key] = Object.keys(changed);
    const known = event.raw.browserIds as Readonly<Record<string, string>>;
    return key === undefined
      ? event
      : { ...without, raw: { ...without.raw, browserIds: { [key]: known[key] ?? '' } } };
  };

/** The advertising id is the one of this system there. */
const onIphone: Change = (event) => ({ ...event, raw: { ...event.raw, userAgent: IPHONE } });
