import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answersOf, invalid } from '#test/support/platform-answers.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_TIME_SEC,
  sampleEvent,
  strangersPageView,
} from '#test/support/sample-event.ts';
import { ga4EventName, isGa4Name, isReservedEventName } from './event-names.ts';
import ga4 from './index.ts';
import { clientId } from './user-data.ts';

const credentials = ga4.credentials.parse({
  measurement_id: 'G-TEST123456',
  api_secret: 'sandbox_secret_0123456789',
});
const build = (...events: Parameters<typeof ga4.buildRequest>[0]) =>
  JSON.parse(ga4.buildRequest(events, credentials, { test: false }).body);
const paramsOf = (event: Parameters<typeof ga4.buildRequest>[0][number]) => build(event).events[0].params;
const key = (event: Parameters<typeof ga4.buildRequest>[0][number]) => ga4.groupKey?.(event, credentials);

describe('names', () => {
  it.each([
    ['Spin The Wheel', 'Spin_The_Wheel'],
    ['größe XL!', 'gro_e_XL'],
    ['1st order', 'st_order'],
    ['__private', 'private'],
    ['first_open', 'custom_first_open'],
    ['session_start', 'custom_session_start'],
    ['ga_thing', 'x_ga_thing'],
    ['Google_x', 'x_Google_x'],
    ['firebase_x', 'x_firebase_x'],
    ['a'.repeat(60), 'a'.repeat(40)],
    ['注文', null],
    ['123', null],
    ['!!!', null],
  ])('%j becomes %j', (name, expected) => expect(ga4EventName(name)).toBe(expected));

  it('are valid and free, whatever they were made from', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' }), (name) => {
        const made = ga4EventName(name);
        if (made === null) return;
        expect(isGa4Name(made)).toBe(true);
        expect(isReservedEventName(made)).toBe(false);
        expect(ga4EventName(made)).toBe(made);
      }),
      { numRuns: 500, seed: 5 },
    );
  });

  it('of which nothing is left are unmapped', () => {
    const order = sampleEvent({ name: 'Custom', customName: '注文' });
    expect(ga4.unsendable(order)).toEqual({ verdict: 'unmapped', detail: '注文' });
  });
});

describe('the client', () => {
  const anonymous = (overrides: object) => strangersPageView({ raw: {}, ...overrides });

  it('is the browser’s where it is known, also given as a whole cookie', () => {
    expect(clientId(sampleEvent())).toBe('1098115397.1795000000');
    const raw = { browserIds: { ga_client_id: 'GA1.1.1098115397.1795000000' } };
    expect(clientId(sampleEvent({ raw }))).toBe('1098115397.1795000000');
    expect(clientId(sampleEvent({ raw: { browserIds: { ga_client_id: 'my-own-id' } } }))).toBe('my-own-id');
  });

  it('is otherwise a stand-in: the same for the same person, another for another, in the cookie’s form', () => {
    const jane = (dedupId: string) => clientId(anonymous({ hashed: SAMPLE_HASHED, dedupId }));
    expect(jane('a')).toBe(jane('b'));
    expect(jane('a')).toMatch(/^[1-9]\d{0,9}\.[1-9]\d{0,9}$/);
    const nobody = (dedupId: string, more: object = {}) => clientId(anonymous({ dedupId, ...more }));
    expect(nobody('a')).not.toBe(nobody('b'));
    expect(nobody('a')).toBe(nobody('a'));
    expect(nobody('a', { merchantId: 'other' })).not.toBe(nobody('a'));
  });

  it('shares a request only with the same client, user data and consent', () => {
    const event = sampleEvent();
    const another = { dedupId: 'another', eventTimeSec: SAMPLE_TIME_SEC - 100, value: '1' };
    expect(key(sampleEvent(another))).toBe(key(event));
    expect(key(sampleEvent({ raw: {} }))).not.toBe(key(event));
    expect(key(sampleEvent({ consent: { ad_personalization: 'denied' } }))).not.toBe(key(event));
    expect(key(sampleEvent({ hashed: {} }))).not.toBe(key(event));
  });

  it('has no user id that is an e-mail address or too long', () => {
    for (const externalId of ['jane@example.com', 'x'.repeat(257)])
      expect(build(sampleEvent({ plaintext: { externalId } }))).not.toHaveProperty('user_id');
  });

  it('has an address only together with a name', () => {
    const { firstNameGoogle: _f, lastNameGoogle: _l, ...nameless } = SAMPLE_HASHED;
    expect(build(sampleEvent({ hashed: nameless })).user_data).not.toHaveProperty('address');
  });
});

describe('the event', () => {
  it('carries its own time, so that events of different times share a request', () => {
    const body = build(sampleEvent(), sampleEvent({ eventTimeSec: SAMPLE_TIME_SEC - 3_600 }));
    const times = body.events.map((event: { timestamp_micros: number }) => event.timestamp_micros);
    expect(times).toEqual([SAMPLE_TIME_SEC * 1e6, (SAMPLE_TIME_SEC - 3_600) * 1e6]);
  });

  it('is a purchase under the order id, or else under its own', () => {
    expect(paramsOf(sampleEvent()).transaction_id).toBe('1001');
    const { orderId: _o, ...bare } = sampleEvent();
    expect(paramsOf(bare).transaction_id).toBe('order-1001');
    expect(ga4.unsendable({ ...bare, name: 'Refund' })).toEqual(invalid('order_id'));
    expect(ga4.unsendable(sampleEvent({ name: 'Refund' }))).toBeNull();
  });

  it('is a refund of what its purchase was known as', () => {
    const taken = { touch: 'direct', currency: 'EUR', minor: '400' };
    const purchase = { dedupId: 'sale', eventTimeSec: 1, actionSource: 'website', value: '6' } as const;
    const refund = (more: object) =>
      paramsOf(sampleEvent({ name: 'Refund', refund: { ...taken, purchase: { ...purchase, ...more } } }));
    expect(refund({}).transaction_id).toBe('1001');
    expect(refund({ noOrderDedup: true }).transaction_id).toBe('sale');
  });

  it('takes custom properties as far as GA4 has room: 25 in all, scalars, valid names, 100 characters', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`p${i}`, i]));
    expect(Object.keys(paramsOf(sampleEvent({ customData: many })))).toHaveLength(25);
    const inherited = { constructor: 'x', valueOf: 'y', ...many };
    expect(Object.keys(paramsOf(sampleEvent({ customData: inherited })))).toHaveLength(25);
    const kept = { ok: true, engagement_time_msec: 500 };
    const refused = { 'bad name': 1, ga_x: 1, nested: {}, list: [1], event_id: 'no' };
    const renamed = { search_string: 'shoes' };
    const customData = { ...renamed, ...refused, ...kept, long: '😀'.repeat(200) };
    const params = paramsOf(strangersPageView({ customData }));
    expect(params).toMatchObject({ ...kept, search_term: 'shoes', event_id: 'pv-1' });
    expect([...params.long]).toHaveLength(100);
    for (const name of ['bad name', 'ga_x', 'nested', 'list', 'search_string'])
      expect(params).not.toHaveProperty(name);
  });

  it('loses the end of addresses that are too long', () => {
    const url = `https://x.example/${'a'.repeat(2_000)}`;
    const params = paramsOf(sampleEvent({ eventSourceUrl: url, referrerUrl: url }));
    expect(params.page_location).toHaveLength(1_000);
    expect(params.page_referrer).toHaveLength(420);
  });

  it('names pages of the web only', () => {
    const params = paramsOf(sampleEvent({ eventSourceUrl: '/checkout', referrerUrl: 'javascript:0' }));
    for (const name of ['page_location', 'page_referrer']) expect(params).not.toHaveProperty(name);
  });

  it('stays below 130 kB with the largest cart there can be', () => {
    const items = Array.from({ length: 200 }, (_, i) => ({
      id: `${i}-${'x'.repeat(250)}`,
      quantity: '123456789',
      price: '999999999999999.99',
    }));
    const { body } = ga4.buildRequest([sampleEvent({ items })], credentials, { test: false });
    expect(Buffer.byteLength(body)).toBeLessThan(ga4.limits.bodySizeMaxBytes);
  });
});

describe('the answer', () => {
  const { kinds } = answersOf(ga4, [sampleEvent(), sampleEvent(), sampleEvent()]);
  const read = (validationMessages: unknown) => kinds(200, { validationMessages });
  const all = (kind: string) => [kind, kind, kind];

  it('of the validation server refuses the events it names, or all', () => {
    expect(read([])).toEqual(all('delivered'));
    const named = read([{ fieldPath: 'events.1' }, { fieldPath: 'events[2].name' }]);
    expect(named).toEqual(['delivered', 'permanent', 'permanent']);
    const clientId = { fieldPath: 'client_id', validationCode: 'VALUE_REQUIRED' };
    for (const messages of [[clientId], [{ fieldPath: 'events[9].name' }], [null, 5]])
      expect(read(messages)).toEqual(all('permanent'));
    expect(read('none')).toEqual(all('retry'));
  });
});
