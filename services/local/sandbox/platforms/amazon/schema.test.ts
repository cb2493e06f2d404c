// Every request against what Amazon's own OpenAPI document says of one, as transcribed in schema.ts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT_NAMES } from '#lib/events/domain/event/names.ts';
import amazon from '#lib/events/platforms/amazon/index.ts';
import { examples } from '#test/platforms/amazon/examples.ts';
import { SAMPLE_HASHED, SAMPLE_PLAINTEXT, SAMPLE_RAW, sampleEvent } from '#test/support/sample-event.ts';
import { conversionType, createEventRequest } from './schema.ts';

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
    plaintext: partOf(SAMPLE_PLAINTEXT),
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
