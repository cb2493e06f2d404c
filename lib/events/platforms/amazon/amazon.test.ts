import { describe, expect, it } from 'vitest';
import { examples } from '#test/platforms/amazon/examples.ts';
import { answersOf, invalid, sampleEvents } from '#test/support/platform-answers.ts';
import { SAMPLE_HASHED, sampleEvent } from '#test/support/sample-event.ts';
import type { OutgoingEvent } from '../../domain/privacy/outgoing-event.ts';
import amazon from './index.ts';

const credentials = amazon.credentials.parse(examples[0]?.credentials);
const CONTEXT = { test: false, accessToken: 'Atza|token' };
const text = (event: OutgoingEvent): string => amazon.buildRequest([event], credentials, CONTEXT).body;
const build = (event: OutgoingEvent) => JSON.parse(text(event)).events[0];
const types = (event: OutgoingEvent) => build(event).matchKeys.map(({ type }: { type: string }) => type);
const { plaintext: _plaintext, ...bare } = sampleEvent();

describe('match keys', () => {
  it('never hold a customer id that is an e-mail address', () => {
    const plaintext = { externalId: 'jane@example.com' };
    expect(text(sampleEvent({ plaintext }))).not.toContain('jane@');
    expect(types(sampleEvent({ hashed: {}, plaintext }))).toEqual(['FIP']);
  });

  it('decide before the plain values are open by their digests, and strictly after', () => {
    const { externalIds } = SAMPLE_HASHED;
    const hashed = externalIds === undefined ? {} : { externalIds };
    const event = { ...bare, plaintext: {}, hashed, raw: {} };
    expect(amazon.unsendable(event)).toBeNull();
    expect(amazon.unsendable(event, credentials)).toEqual(invalid('user_data'));
    const issues = [{ field: 'customer_id', code: 'already_hashed' as const }];
    expect(amazon.unsendable({ ...event, issues })).toEqual(invalid('user_data'));
  });
});

describe('what is not sent', () => {
  it.each([
    ['12.345', 'KWD', invalid('value')],
    ['12.340', 'KWD', null],
    ['1200', 'JPY', null],
    ['0.1', 'USD', null],
    ['9.99', 'ISK', invalid('currency')],
  ] as const)('%s %s: %j', (value, currency, expected) => {
    expect(amazon.unsendable(sampleEvent({ value, currency }))).toEqual(expected);
    if (expected === null) expect(text(sampleEvent({ value, currency }))).toContain(`"value":${value},`);
  });

  it('in the EU, events of which nothing tells whether consent is needed', () => {
    const event = sampleEvent({ raw: {} });
    expect(amazon.unsendable(event)).toBeNull();
    expect(amazon.unsendable(event, credentials)).toEqual(invalid('consent'));
    expect(amazon.unsendable(event, { ...credentials, region: 'NA' })).toBeNull();
    expect(amazon.unsendable({ ...event, consent: { ad_user_data: 'granted' } }, credentials)).toBeNull();
  });

  it('requests without a token', () => {
    expect(() => amazon.buildRequest([sampleEvent()], credentials, { test: false })).toThrow(RangeError);
  });
});

describe('the event', () => {
  it.each([
    ['NA', 'https://advertising-api.amazon.com/', 'https://api.amazon.com/'],
    ['EU', 'https://advertising-api-eu.amazon.com/', 'https://api.amazon.co.uk/'],
    ['FE', 'https://advertising-api-fe.amazon.com/', 'https://api.amazon.co.jp/'],
  ] as const)('of %s goes to %s, its token comes from %s', (region, api, tokens) => {
    const regional = { ...credentials, region };
    expect(amazon.buildRequest([sampleEvent()], regional, CONTEXT).url).toBe(`${api}adsApi/v1/create/events`);
    expect(amazon.oauth?.buildTokenRequest(regional).url).toBe(`${tokens}auth/o2/token`);
  });

  it('keeps its own name beside the type, also where that is OTHER', () => {
    const described = (event: OutgoingEvent) => build(event).eventDescription;
    expect(described(sampleEvent({ name: 'Rate' }))).toMatchObject({ name: 'Rate', conversionType: 'OTHER' });
    const name = 'Spin The Wheel';
    const spun = described(sampleEvent({ name: 'Custom', customName: name }));
    expect(spun).toMatchObject({ name, conversionType: 'OTHER' });
  });

  it('has a currency and units only as a purchase, and units only when they are whole', () => {
    expect(build(sampleEvent())).toMatchObject({ value: 59.98, currencyCode: 'USD', unitsSold: 3 });
    const lead = build(sampleEvent({ name: 'Lead' }));
    expect(lead.value).toBe(59.98);
    expect(lead).not.toHaveProperty('currencyCode');
    expect(lead).not.toHaveProperty('unitsSold');
    expect(build(sampleEvent({ items: [{ id: 'a', quantity: '0.5' }] }))).not.toHaveProperty('unitsSold');
  });

  it.each([
    ['physical_store', 'x', 'OFFLINE'],
    ['app', 'Mozilla/5.0 (Linux; Android 16; Pixel 10)', 'ANDROID'],
    ['app', 'Shop/3 CFNetwork/1568 Darwin/24', 'IOS'],
    ['app', 'Mozilla/5.0 (Linux; Android 11; AFTKA Build/RS8101)', 'FIRE_TV'],
    ['app', 'something', 'WEBSITE'],
    ['website', 'Mozilla/5.0 (Linux; Android 16; Pixel 10)', 'WEBSITE'],
  ] as const)('of %s and %s is from %s', (actionSource, userAgent, expected) => {
    const event = sampleEvent({ actionSource, raw: { userAgent } });
    expect(build(event).eventDescription.eventSource).toBe(expected);
  });

  it('is of the connection’s country where it does not tell its own', () => {
    expect(build(sampleEvent()).countryCode).toBe('US');
    expect(build({ ...bare, plaintext: {} }).countryCode).toBe('DE');
  });

  it('carries the custom properties Amazon has signs for', () => {
    const kept = { brand: 'Acme', productId: 42, loyal: true };
    const refused = {
      price: 9.99,
      'a-b': 'x',
      free_text: 'two words',
      big: 3_000_000_000,
      order_id: 'other',
    };
    const customData = { ...kept, ...refused };
    expect(build(sampleEvent({ customData })).customData).toEqual([
      { name: 'order_id', dataType: 'STRING', value: '1001' },
      { name: 'brand', dataType: 'STRING', value: 'Acme' },
      { name: 'productId', dataType: 'INTEGER', value: '42' },
      { name: 'loyal', dataType: 'STRING', value: 'true' },
    ]);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, 'v']));
    expect(build(sampleEvent({ customData: many })).customData).toHaveLength(13);
  });

  it('has a body whose answer, which repeats it, can be read whole', () => {
    expect(amazon.limits.bodySizeMaxBytes * 1.5).toBeLessThan(65_536);
  });
});

describe('the answer', () => {
  const { read, kinds } = answersOf(amazon, sampleEvents('a', 'b'));
  const BOTH = [{ index: 0 }, { index: 1 }];
  const error = (index: unknown, ...codes: string[]) => ({
    index,
    errors: codes.map((code) => ({ code, message: 'm' })),
  });

  it.each([
    [207, { success: BOTH, error: [] }, ['delivered', 'delivered']],
    [200, { success: [{ index: 1 }, { index: 0 }] }, ['delivered', 'delivered']],
    [207, { success: [{ index: 0 }], error: [] }, ['delivered', 'retry']],
    [207, { success: [{ index: 0 }], error: [error(1, 'BAD_REQUEST')] }, ['delivered', 'permanent']],
    [207, { success: BOTH, error: [error(1, 'CONFLICT')] }, ['delivered', 'permanent']],
    [207, { error: [error(0, 'TOO_MANY_REQUESTS'), error(1, 'INTERNAL_ERROR')] }, ['rate_limited', 'retry']],
    [207, { error: [error(0, 'BAD_REQUEST', 'FORBIDDEN'), error(1)] }, ['auth', 'permanent']],
    [207, { error: [error(7, 'BAD_REQUEST'), null, 'x'] }, ['retry', 'retry']],
    [207, { success: 'all' }, ['retry', 'retry']],
    [400, { code: 'BAD_REQUEST', details: 'm' }, ['batch_refused', 'batch_refused']],
    [401, { code: 'UNAUTHORIZED', details: 'm', requestId: 'r' }, ['auth', 'auth']],
    [403, { code: 'FORBIDDEN', details: 'm' }, ['auth', 'auth']],
  ])('%i %j means %j', (status, body, expected) => {
    expect(kinds(status, body)).toEqual(expected);
  });

  it('says what Amazon said, and when to come back', () => {
    const [limited] = read(207, { error: [error(0, 'TOO_MANY_REQUESTS')] });
    const said = { code: 'amazon.TOO_MANY_REQUESTS', message: 'm' };
    expect(limited).toEqual({ kind: 'rate_limited', ...said, retryAfterSec: 5 });
    const [unaccounted] = read(207, { success: [{ index: 1 }] });
    expect(unaccounted).toEqual({ kind: 'retry', code: 'unaccounted', maybeDelivered: true });
  });
});
