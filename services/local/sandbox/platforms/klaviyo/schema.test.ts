// Every request against what Klaviyo's own OpenAPI document says of one, as transcribed in schema.ts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT_NAMES } from '#lib/events/domain/event/names.ts';
import klaviyo from '#lib/events/platforms/klaviyo/index.ts';
import { examples } from '#test/platforms/klaviyo/examples.ts';
import { SAMPLE_HASHED, SAMPLE_PLAINTEXT, SAMPLE_RAW, sampleEvent } from '#test/support/sample-event.ts';
import { KLAVIYO_BODIES } from './schema.ts';

const errorsIn = (url: string, body: unknown) => {
  const schema = KLAVIYO_BODIES[new URL(url).pathname];
  return schema === undefined ? 'no such path' : (schema.safeParse(body).error ?? null);
};

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
    plaintext: partOf(SAMPLE_PLAINTEXT),
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
        const { pathname } = new URL(url);
        sent[pathname] = (sent[pathname] ?? 0) + 1;
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
    for (const path of Object.keys(KLAVIYO_BODIES)) expect(sent[path]).toBeGreaterThan(0);
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
