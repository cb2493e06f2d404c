// Every request against what Amazon's own OpenAPI document says of one (Ads API v1 as of 2026-07-21: CreateEventRequest,
// EventCreate and what they refer to), transcribed field by field.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVENT_NAMES } from '../../domain/event-names.ts';
import { SAMPLE_HASHED, SAMPLE_RAW, SAMPLE_SEALED, sampleEvent } from '../testing/sample-event.ts';
import { AMAZON_CURRENCIES } from './currencies.ts';
import { examples } from './examples.ts';
import amazon from './index.ts';

const matchKeyType = z.enum([
  'ADDRESS',
  'CITY',
  'EMAIL',
  'FIP',
  'FIRST_NAME',
  'KANTAR_ID',
  'LAST_NAME',
  'MAID',
  'MATCH_ID',
  'MERKLE_ID',
  'PHONE',
  'POSTAL',
  'RAMP_ID',
  'REAL_ID',
  'STATE',
]);
const conversionType = z.enum([
  'ADD_TO_SHOPPING_CART',
  'APPLICATION',
  'CHECKOUT',
  'CONTACT',
  'LEAD',
  'MOBILE_APP_FIRST_START',
  'OFF_AMAZON_PURCHASES',
  'OTHER',
  'PAGE_VIEW',
  'SEARCH',
  'SIGN_UP',
  'SUBSCRIBE',
]);
const consentStatus = z.enum(['DENIED', 'GRANTED']);
const attribute = z.string().regex(/^[A-Za-z0-9_]+$/);

const eventCreate = z.strictObject({
  amazonAdEventKey: z.string().optional(),
  arefMeasurementTokens: z.string().optional(),
  consent: z
    .strictObject({
      amazonConsent: z
        .strictObject({ amznAdStorage: consentStatus.optional(), amznUserData: consentStatus })
        .optional(),
      geo: z.strictObject({ ipAddress: z.string() }).optional(),
      gpp: z.string().optional(),
      tcf: z.string().optional(),
    })
    .optional(),
  countryCode: z.string().regex(/^[A-Z]{2}$/),
  currencyCode: z.enum([...AMAZON_CURRENCIES]).optional(),
  customData: z
    .array(
      z.strictObject({
        dataType: z.enum(['INTEGER', 'STRING', 'TIMESTAMP']).optional(),
        name: attribute,
        value: attribute,
      }),
    )
    .max(13)
    .optional(),
  dataProcessingOptions: z.strictObject({ options: z.literal('LIMITED_DATA_USE').optional() }).optional(),
  deviceInfo: z.strictObject({ userAgent: z.string().max(512).optional() }).optional(),
  eventDescription: z.strictObject({
    conversionType,
    dataSetName: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_-]*$/)
      .optional(),
    eventIngestionMethod: z.literal('SERVER_TO_SERVER'),
    eventSource: z.enum([
      'ANDROID',
      'FIRE_TV',
      'IOS',
      'MEASUREMENT_ATTRIBUTION_PARTNER',
      'OFFLINE',
      'WEBSITE',
    ]),
    name: z.string(),
  }),
  eventId: z.string().optional(),
  eventTime: z.iso.datetime(),
  matchKeys: z
    .array(z.strictObject({ type: matchKeyType, values: z.array(z.string()).length(1) }))
    .min(1)
    .max(15),
  partner: z.string().optional(),
  unitsSold: z.int32().optional(),
  value: z.number().optional(),
});

const createEventRequest = z.strictObject({ events: z.array(eventCreate).min(1).max(500) });

const credentials = amazon.credentials.parse(examples[0]?.credentials);
const CONTEXT = { test: false, accessToken: 'Atza|token' };

const partOf = <T extends object>(whole: T): fc.Arbitrary<Partial<T>> =>
  fc
    .subarray(Object.keys(whole))
    .map((keys) => Object.fromEntries(keys.map((key) => [key, whole[key as keyof T]])) as Partial<T>);
const consentState = fc.constantFrom('granted' as const, 'denied' as const);

const arbitraryEvent = fc
  .record({
    name: fc.constantFrom(...EVENT_NAMES),
    customData: fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 30 }),
    orderId: fc.string({ minLength: 1, maxLength: 30 }),
    actionSource: fc.constantFrom('website', 'app', 'physical_store', 'other'),
    quantity: fc.constantFrom('1', '0.5', '1000'),
    consent: fc.record(
      { ad_user_data: consentState, ad_personalization: consentState, ad_storage: consentState },
      { requiredKeys: [] },
    ),
    hashed: partOf(SAMPLE_HASHED),
    raw: partOf({ ...SAMPLE_RAW, madid: '6d92078a-8246-4ba4-ae5b-76104861e7dc' }),
    sealed: partOf(SAMPLE_SEALED),
  })
  .map(({ quantity, ...event }) =>
    sampleEvent({ ...event, items: [{ id: 'a', quantity, price: '1' }] } as Parameters<
      typeof sampleEvent
    >[0]),
  );

describe('Amazon’s OpenAPI document', () => {
  it.each(examples)('allows the example: $title', ({ request }) => {
    expect(createEventRequest.safeParse(request.body).error).toBeUndefined();
  });

  it('allows whatever is sent', () => {
    let sent = 0;
    fc.assert(
      fc.property(arbitraryEvent, (event) => {
        if (amazon.unsendable(event, credentials) !== null) return;
        sent += 1;
        const { body } = amazon.buildRequest([event], credentials, CONTEXT);
        expect(createEventRequest.safeParse(JSON.parse(body)).error).toBeUndefined();
      }),
      { numRuns: 300, seed: 11 },
    );
    expect(sent).toBeGreaterThan(100);
  });

  it('would notice', () => {
    const { body } = amazon.buildRequest([sampleEvent()], credentials, CONTEXT);
    const good = JSON.parse(body);
    for (const change of [{ value: '1' }, { countryCode: 'us' }, { matchKeys: [] }, { em: 'x' }])
      expect(createEventRequest.safeParse({ events: [{ ...good.events[0], ...change }] }).success).toBe(
        false,
      );
  });

  it('has every conversion type we map to', () => {
    for (const type of Object.values(amazon.eventNames))
      if (type !== null) expect(conversionType.safeParse(type).success).toBe(true);
  });
});
