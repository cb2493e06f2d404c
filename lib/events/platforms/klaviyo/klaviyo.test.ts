import { describe, expect, it } from 'vitest';
import { examples } from '#test/platforms/klaviyo/examples.ts';
import { answersOf, invalid } from '#test/support/platform-answers.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_PLAINTEXT,
  sampleEvent,
  strangersPageView,
} from '#test/support/sample-event.ts';
import type { IdentityIssue } from '../../domain/identity/identity.ts';
import type { OutgoingEvent } from '../../domain/privacy/outgoing-event.ts';
import type { KlaviyoCredentials } from './credentials.ts';
import klaviyo from './index.ts';

const credentials = klaviyo.credentials.parse(examples[0]?.credentials);
const request = (event: OutgoingEvent, own: Partial<KlaviyoCredentials> = {}) =>
  klaviyo.buildRequest([event], { ...credentials, ...own }, { test: false });
const single = (event: OutgoingEvent, own: Partial<KlaviyoCredentials> = {}) =>
  JSON.parse(request(event, { ordered_product: false, ...own }).body).data.attributes;
const job = (event: OutgoingEvent, own: Partial<KlaviyoCredentials> = {}) =>
  JSON.parse(request(event, own).body).data.attributes['events-bulk-create'].data[0].attributes;

describe('the request', () => {
  it('has nothing hashed in it', () => {
    expect(request(sampleEvent()).body).not.toMatch(/[0-9a-f]{64}/);
  });

  it('holds one event', () => {
    const two = [sampleEvent(), sampleEvent()];
    expect(() => klaviyo.buildRequest(two, credentials, { test: false })).toThrow(RangeError);
    expect(() => klaviyo.buildRequest([], credentials, { test: false })).toThrow(RangeError);
  });

  it('is for several events only where a purchase has items and the switch is on', () => {
    expect(request(sampleEvent()).url).toMatch(/event-bulk-create-jobs$/);
    expect(request(sampleEvent(), { ordered_product: false }).url).toMatch(/events$/);
    expect(request(sampleEvent({ items: [] })).url).toMatch(/events$/);
    expect(request(sampleEvent({ name: 'AddToCart' })).url).toMatch(/events$/);
  });

  it('does not start flows again in a replay, for products neither', () => {
    const events = job(sampleEvent({ replay: true })).events.data;
    expect(events).toHaveLength(3);
    for (const { attributes } of events) expect(attributes.backfill).toBe(true);
    expect(request(sampleEvent()).body).not.toContain('backfill');
  });

  it('nor for what happened more than a day ago, whether it came late or goes out late', () => {
    const { eventTimeSec } = sampleEvent();
    const bodyAt = (ageSec: number): string => {
      const context = { test: false, nowMs: (eventTimeSec + ageSec) * 1_000 };
      return klaviyo.buildRequest([sampleEvent()], credentials, context).body;
    };
    expect(bodyAt(86_400)).not.toContain('backfill');
    expect(bodyAt(86_401).match(/"backfill":true/g)).toHaveLength(3);
    const imported = sampleEvent({ receivedAtMs: (eventTimeSec + 30 * 86_400) * 1_000 });
    expect(request(imported).body).toContain('"backfill":true');
  });
});

describe('a purchase', () => {
  it('has a product per item, each with an id and the exact price of its line', () => {
    const items = [
      { id: 'a', quantity: '3', price: '1.005' },
      { id: 'a', quantity: '0.5', price: '10.01' },
      { id: 'b', quantity: '1' },
    ];
    const { body } = request(sampleEvent({ value: '8.020', currency: 'KWD', items }));
    expect(body).toContain('"value":8.020,');
    const [, ...products] = job(sampleEvent({ items, currency: 'KWD' })).events.data;
    const attributes = products.map((product: { attributes: unknown }) => product.attributes);
    expect(attributes).toMatchObject([
      { unique_id: 'order-1001:1', value: 3.015, value_currency: 'KWD', properties: { RowTotal: 3.015 } },
      { unique_id: 'order-1001:2', value: 5.005, properties: { ProductID: 'a', Quantity: 0.5 } },
      { unique_id: 'order-1001:3', properties: { ProductID: 'b', Quantity: 1, OrderId: '1001' } },
    ]);
    expect(products[2].attributes).not.toHaveProperty('value');
    expect(products[2].attributes).not.toHaveProperty('value_currency');
  });

  it('is known by the event’s id, by the order’s where the connection says so, and so is its refund', () => {
    const replayed = sampleEvent({ eventId: 'order-1001~rp~01jd000000000000000000000x', replay: true });
    expect(single(replayed).unique_id).toBe('order-1001');
    const byOrder = { unique_id: 'order_id' } as const;
    const refund = sampleEvent({ name: 'Refund', dedupId: 'refund-9' });
    expect(single(refund).unique_id).toBe('refund-9');
    for (const one of [replayed, refund]) expect(single(one, byOrder).unique_id).toBe('1001');
    expect(job(sampleEvent(), byOrder).events.data[1].attributes.unique_id).toBe('1001:1');
    expect(single(sampleEvent({ name: 'Lead' }), byOrder).unique_id).toBe('order-1001');
    const { orderId: _order, ...unnumbered } = sampleEvent();
    expect(single(unnumbered, byOrder).unique_id).toBe('order-1001');
  });
});

describe('properties', () => {
  it('are never empty and never steer Klaviyo', () => {
    const customData = { $value: 1, $event_id: 'x', event_id: 'y', Items: 'z', color: 'red' };
    const { properties } = single(strangersPageView({ raw: { anonId: 'a' }, customData }));
    expect(properties).toMatchObject({ event_id: 'pv-1', color: 'red' });
    expect(request(sampleEvent({ customData })).body).not.toContain('$');
    expect(single(sampleEvent({ customData })).properties.Items).toHaveLength(2);
  });

  it('are at most 400, our own first', () => {
    const customData = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`k${i}`, i]));
    const { properties } = single(sampleEvent({ customData }));
    expect(Object.keys(properties)).toHaveLength(400);
    expect(properties.OrderId).toBe('1001');
  });

  it('say what was viewed where it is one product, and where the checkout is', () => {
    const items = [{ id: 'SKU-1', quantity: '1', price: '24.99' }];
    const propertiesOf = (more: Partial<OutgoingEvent>) => single(sampleEvent(more)).properties;
    const product = { ProductID: 'SKU-1', Price: 24.99 };
    expect(propertiesOf({ name: 'ViewContent', items })).toMatchObject(product);
    expect(propertiesOf({ name: 'ViewContent' })).not.toHaveProperty('ProductID');
    const { CheckoutURL } = propertiesOf({ name: 'InitiateCheckout' });
    expect(CheckoutURL).toBe('https://shop.example/thank-you?order=1001');
    const elsewhere = { eventSourceUrl: '/checkout', referrerUrl: 'javascript:0' };
    const other = propertiesOf({ name: 'InitiateCheckout', ...elsewhere });
    for (const name of ['URL', 'Referrer', 'CheckoutURL']) expect(other).not.toHaveProperty(name);
  });
});

describe('who it is', () => {
  const of = (more: Partial<OutgoingEvent>) => sampleEvent({ raw: {}, plaintext: {}, ...more });
  const hashedBy = (field: string): readonly IdentityIssue[] => [{ field, code: 'already_hashed' }];
  const nobody = invalid('user_data');

  it.each([
    ['an e-mail address', { emailPlain: SAMPLE_HASHED.emailPlain ?? '' }, 'email'],
    ['a phone', { phoneE164: SAMPLE_HASHED.phoneE164 ?? '' }, 'phone'],
    ['a customer id', { externalIds: SAMPLE_HASHED.externalIds ?? [] }, 'customer_id'],
    ['another id', { externalIds: SAMPLE_HASHED.externalIds ?? [] }, 'external_ids'],
  ])('%s decides by its digest until it is open, unless that is all there is', (_what, hashed, field) => {
    expect(klaviyo.unsendable(of({ hashed }))).toBeNull();
    expect(klaviyo.unsendable(of({ hashed, issues: hashedBy(field) }))).toEqual(nobody);
    expect(klaviyo.unsendable(of({ hashed }), credentials)).toEqual(nobody);
    expect(klaviyo.unsendable(of({ hashed, plaintext: SAMPLE_PLAINTEXT }), credentials)).toBeNull();
  });

  it('is nobody with an address, a browser and a name', () => {
    expect(klaviyo.unsendable(strangersPageView())).toEqual(nobody);
    const named = of({ hashed: {}, plaintext: { firstName: 'Jane' } });
    expect(klaviyo.unsendable(named, credentials)).toEqual(nobody);
  });

  it('is somebody with an id of the browser, unless storage was denied', () => {
    const raw = { browserIds: { kx: 'abc' } };
    expect(klaviyo.unsendable(of({ hashed: {}, raw }), credentials)).toBeNull();
    const denied = of({ hashed: {}, raw, consent: { ad_storage: 'denied' } });
    expect(klaviyo.unsendable(denied, credentials)).toEqual(nobody);
  });

  it('loses a customer id longer than Klaviyo’s', () => {
    const plaintext = { ...SAMPLE_PLAINTEXT, externalId: 'x'.repeat(256) };
    expect(single(sampleEvent({ plaintext })).profile.data.attributes).not.toHaveProperty('external_id');
  });
});

describe('the answer', () => {
  const { read } = answersOf(klaviyo, [sampleEvent()]);
  const error = (code: string, more: object = {}) =>
    JSON.stringify({ errors: [{ id: 'x', code, title: 't', detail: 'd', ...more }] });
  const at = (pointer: string, detail = 'd') => ({ source: { pointer }, detail });

  it.each([
    [202, '', 'delivered', undefined],
    [200, '', 'retry', 'unreadable_answer'],
    [202, '<html></html>', 'retry', 'unreadable_answer'],
    [202, '{"data":', 'retry', 'unreadable_answer'],
    [400, error('invalid'), 'permanent', 'klaviyo.invalid'],
    [400, error('invalid', at('/x/unique_id', 'too long')), 'permanent', 'klaviyo.invalid'],
    [400, error('duplicate', at('/x/unique_id')), 'duplicate', 'klaviyo.duplicate'],
    [409, error('conflict', at('/x/unique_id', 'already exists')), 'duplicate', 'klaviyo.conflict'],
    [409, error('duplicate_profile'), 'permanent', 'klaviyo.duplicate_profile'],
    [401, error('not_authenticated'), 'auth', 'klaviyo.not_authenticated'],
    [404, '', 'retry', 'http_404'],
    [410, error('gone'), 'auth', 'klaviyo.no_such_version'],
    [400, error('invalid', at('/data/', 'Invalid revision 2019-01-01')), 'auth', 'klaviyo.no_such_version'],
    [
      ...[400, error('invalid', at('/data/attributes/properties/revision', 'revision is too long'))],
      ...['permanent', 'klaviyo.invalid'],
    ] as [number, string, string, string],
    [503, error('error'), 'retry', 'klaviyo.error'],
  ])('%i %s means %s (%s)', (status, body, kind, code) => {
    const [outcome] = read(status, body);
    expect([outcome?.kind, outcome?.code]).toEqual([kind, code]);
  });

  it('quotes nobody', () => {
    const [said] = read(400, error('invalid', { detail: 'The email jane@example.com is invalid' }));
    expect(said?.message).toBe('t The email [email] is invalid');
  });
});
