// Every request against what Klaviyo's own OpenAPI document says of one (github.com/klaviyo/openapi, revision
// 2026-07-15: EventCreateQueryV2, EventsBulkCreateJob and what they refer to), transcribed field by field.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVENT_NAMES } from '../../domain/event-names.ts';
import { SAMPLE_HASHED, SAMPLE_RAW, SAMPLE_SEALED, sampleEvent } from '../testing/sample-event.ts';
import { examples } from './examples.ts';
import klaviyo from './index.ts';

const text = z.string().optional();
const location = z.strictObject({
  address1: text,
  address2: text,
  city: text,
  country: text,
  latitude: z.union([z.string(), z.number()]).optional(),
  longitude: z.union([z.string(), z.number()]).optional(),
  region: text,
  zip: text,
  timezone: text,
  ip: text,
});
const profile = z.strictObject({
  data: z.strictObject({
    type: z.literal('profile'),
    id: text,
    attributes: z.strictObject({
      email: z.email().optional(),
      phone_number: z.e164().optional(),
      external_id: text,
      anonymous_id: text,
      _kx: text,
      first_name: text,
      last_name: text,
      organization: text,
      locale: text,
      title: text,
      image: text,
      location: location.optional(),
      properties: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
});
const eventFields = {
  properties: z
    .record(z.string(), z.unknown())
    .refine((fields) => Object.keys(fields).length <= 400, 'at most 400 properties'),
  time: z.iso.datetime({ offset: true }).optional(),
  value: z.number().optional(),
  value_currency: z.string().length(3).optional(),
  unique_id: text,
  backfill: z.boolean().optional(),
  metric: z.strictObject({
    data: z.strictObject({
      type: z.literal('metric'),
      attributes: z.strictObject({ name: z.string().min(1).max(127), service: text }),
    }),
  }),
};
const createEvent = z.strictObject({
  data: z.strictObject({
    type: z.literal('event'),
    attributes: z.strictObject({ ...eventFields, profile }),
  }),
});
const bulkCreateEvents = z.strictObject({
  data: z.strictObject({
    type: z.literal('event-bulk-create-job'),
    attributes: z.strictObject({
      'events-bulk-create': z.strictObject({
        data: z
          .array(
            z.strictObject({
              type: z.literal('event-bulk-create'),
              attributes: z.strictObject({
                backfill: z.boolean().optional(),
                profile,
                events: z.strictObject({
                  data: z
                    .array(
                      z.strictObject({ type: z.literal('event'), attributes: z.strictObject(eventFields) }),
                    )
                    .min(1)
                    .max(1_000),
                }),
              }),
            }),
          )
          .min(1),
      }),
    }),
  }),
});
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  'https://a.klaviyo.com/api/events': createEvent,
  'https://a.klaviyo.com/api/event-bulk-create-jobs': bulkCreateEvents,
};
const errorsIn = (url: string, body: unknown) =>
  SCHEMAS[url]?.safeParse(body).error ?? (SCHEMAS[url] && null);

const credentials = klaviyo.credentials.parse(examples[0]?.credentials);

const partOf = <T extends object>(whole: T): fc.Arbitrary<Partial<T>> =>
  fc
    .subarray(Object.keys(whole))
    .map((keys) => Object.fromEntries(keys.map((key) => [key, whole[key as keyof T]])) as Partial<T>);

const arbitraryEvent = fc
  .record({
    name: fc.constantFrom(...EVENT_NAMES),
    customName: fc.string({ minLength: 1, maxLength: 100 }),
    customData: fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 500 }),
    items: fc.array(
      fc.record({
        id: fc.string({ minLength: 1 }),
        quantity: fc.constantFrom('1', '0.5', '12'),
        price: fc.constantFrom('0', '24.99', '1.005'),
      }),
      { maxLength: 6 },
    ),
    replay: fc.constant(true as const),
    hashed: partOf(SAMPLE_HASHED),
    raw: partOf({ ...SAMPLE_RAW, anonId: 'anon-1' }),
    sealed: partOf(SAMPLE_SEALED),
  })
  .map((event) => sampleEvent(event as Parameters<typeof sampleEvent>[0]));

describe('Klaviyo’s OpenAPI document', () => {
  it.each(examples)('allows the example: $title', ({ request }) => {
    expect(errorsIn(request.url, request.body)).toBeNull();
    expect(request.headers).toMatchObject({ revision: klaviyo.api.version });
  });

  it('allows whatever is sent, to either endpoint', () => {
    const sent: Record<string, number> = {};
    fc.assert(
      fc.property(arbitraryEvent, fc.boolean(), (event, ordered_product) => {
        if (klaviyo.unsendable(event, credentials) !== null) return;
        const own = { ...credentials, ordered_product };
        const { url, body } = klaviyo.buildRequest([event], own, { test: false });
        expect(errorsIn(url, JSON.parse(body))).toBeNull();
        sent[url] = (sent[url] ?? 0) + 1;
      }),
      {
        numRuns: 400,
        seed: 13,
        examples: [
          [sampleEvent(), true],
          [sampleEvent({ items: [] }), true],
        ],
      },
    );
    for (const url of Object.keys(SCHEMAS)) expect(sent[url]).toBeGreaterThan(0);
  });

  it('would notice', () => {
    const url = 'https://a.klaviyo.com/api/events';
    const { body } = klaviyo.buildRequest([sampleEvent({ name: 'Lead' })], credentials, { test: false });
    const { data } = JSON.parse(body);
    for (const change of [
      { value: '1' },
      { properties: undefined },
      { em: 'x' },
      { time: 1 },
      { profile: {} },
    ])
      expect(
        errorsIn(url, { data: { ...data, attributes: { ...data.attributes, ...change } } }),
      ).not.toBeNull();
  });
});
