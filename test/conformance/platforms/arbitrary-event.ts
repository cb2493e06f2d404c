// Events as normalization can produce them: anything from nothing known to everything known.
import fc from 'fast-check';
import { ACTION_SOURCES } from '#lib/events/domain/event/event.ts';
import { EVENT_NAMES } from '#lib/events/domain/event/names.ts';
import { type OutgoingEvent, toOutgoing } from '#lib/events/domain/privacy/outgoing-event.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_PLAINTEXT,
  SAMPLE_RAW,
  SAMPLE_TIME_SEC,
  sampleEvent,
} from '#test/support/sample-event.ts';

/** Currencies of 0, 2 and 3 digits after the point. */
export const CURRENCY_DIGITS = { JPY: 0, USD: 2, KWD: 3 } as const;

/** The same amount in whole minor units, by its digits alone. */
export function minorOf(text: string, currency: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  const digits = CURRENCY_DIGITS[currency as keyof typeof CURRENCY_DIGITS];
  return `${whole}${fraction.padEnd(digits, '0')}`.replace(/^0+(?=\d)/, '');
}

export const arbitraryMoney = fc
  .constantFrom(...(Object.keys(CURRENCY_DIGITS) as (keyof typeof CURRENCY_DIGITS)[]))
  .chain((currency) =>
    fc.bigInt({ min: 0n, max: 999_999_999_999n }).map((minor) => {
      const digits = CURRENCY_DIGITS[currency];
      const text = minor.toString().padStart(digits + 1, '0');
      const value = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
      return { currency, value };
    }),
  );

const consentState = fc.constantFrom('granted' as const, 'denied' as const);
const id = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }).filter((text) => text.trim() !== '');

const optional = fc.record(
  {
    customName: fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' }),
    orderId: id,
    eventSourceUrl: fc.webUrl(),
    referrerUrl: fc.oneof(fc.webUrl(), fc.string({ maxLength: 20 })),
    customData: fc.dictionary(fc.string({ maxLength: 50 }), fc.jsonValue({ maxDepth: 3 }), {
      maxKeys: 40,
    }) as fc.Arbitrary<Record<string, unknown>>,
  },
  { requiredKeys: [] },
);

export const arbitraryEvent: fc.Arbitrary<OutgoingEvent> = fc
  .record({
    base: fc.record({
      name: fc.constantFrom(...EVENT_NAMES),
      eventId: id,
      eventTimeSec: fc.integer({ min: SAMPLE_TIME_SEC - 200_000, max: SAMPLE_TIME_SEC + 300 }),
      actionSource: fc.constantFrom(...ACTION_SOURCES),
      items: fc.array(
        fc.record({
          id,
          quantity: fc.constantFrom('1', '0.5', '12'),
          price: fc.constantFrom('0', '24.99', '1200'),
        }),
        { maxLength: 5 },
      ),
      consent: fc.record(
        {
          ad_user_data: consentState,
          ad_personalization: consentState,
          ad_storage: consentState,
          analytics: consentState,
        },
        { requiredKeys: [] },
      ),
      hashed: partOf(SAMPLE_HASHED),
      raw: partOf({ ...SAMPLE_RAW, madid: '6d92078a-8246-4ba4-ae5b-76104861e7dc', anonId: 'anon-1' }),
      plaintext: partOf(SAMPLE_PLAINTEXT),
    }),
    money: fc.option(arbitraryMoney, { nil: undefined }),
    optional,
  })
  .map(({ base, money, optional: extra }) => {
    const {
      value: _v,
      currency: _c,
      orderId: _o,
      eventSourceUrl: _u,
      referrerUrl: _r,
      ...bare
    } = sampleEvent();
    const { customName, ...rest } = extra;
    const named = base.name === 'Custom' && customName !== undefined ? { customName } : {};
    return toOutgoing({ ...bare, ...base, ...rest, ...named, ...(money ?? {}), dedupId: base.eventId });
  });

function partOf<T extends object>(whole: T): fc.Arbitrary<Partial<T>> {
  return fc
    .subarray(Object.keys(whole))
    .map((keys) => Object.fromEntries(keys.map((key) => [key, whole[key as keyof T]])) as Partial<T>);
}
