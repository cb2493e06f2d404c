import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEvent } from './check.ts';
import { ACTION_SOURCES } from './event.ts';
import { UNKNOWN_NAMES_MAX } from './input.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
type Fields = Readonly<Record<string, unknown>>;
const event = (more: Fields = {}): Fields => ({
  event_id: 'order-1',
  event_name: 'Purchase',
  event_time: NOW_MS / 1_000,
  user_data: {},
  ...more,
});
const user = (user_data: Fields): Fields => event({ user_data });
const item = (more: Fields): Fields => event({ items: [{ id: 'a', quantity: 1, ...more }] });

const consent = (more: Fields): Fields => event({ consent: more });
const long = (length: number): string => '1'.repeat(length);
const oneOf = (words: readonly string[]): string => `must be one of ${words.join(', ')}`;

function accepted(value: unknown) {
  const checked = checkEvent(value, NOW_MS);
  if (!checked.ok) throw new Error(JSON.stringify(checked.details));
  return checked.body;
}
function refused(value: unknown) {
  const checked = checkEvent(value, NOW_MS);
  return checked.ok ? [] : checked.details.map(({ path, message }) => [path, message]);
}

const NOT_EXACT = 'must be text; only whole numbers up to 9007199254740991 are taken as text without quotes';

describe('what is wrong with an event', () => {
  const purchased = (more: Fields) => event({ currency: 'USD', ...more });
  const deep = { a: { b: { c: { d: { e: {} } } } } };
  const manyItems = Array(201).fill({ id: 'a', quantity: 1 });
  const BLANK = 'must be text that is not blank, without control characters';
  const FUTURE = 'must not be more than 10 minutes in the future';
  const CURRENCY = 'must be the code of a currency, such as USD (ISO 4217)';

  it.each<[string, unknown, string, string]>([
    ['no object', 5, '', 'must be an object'],
    ['a list', [event()], '', 'must be an object'],
    ['null', null, '', 'must be an object'],
    ['null where something is required', event({ event_name: null }), 'event_name', 'must be text'],
    ['no user_data', event({ user_data: null }), 'user_data', 'must be an object'],
    ['an empty event_id', event({ event_id: '' }), 'event_id', 'must not be empty'],
    ['a long event_id', event({ event_id: long(201) }), 'event_id', 'must be at most 200 characters long'],
    [
      'a long event_name',
      event({ event_name: long(101) }),
      'event_name',
      'must be at most 100 characters long',
    ],
    ['a blank event_name', event({ event_name: ' ' }), 'event_name', BLANK],
    ['event_time as text', event({ event_time: '1' }), 'event_time', 'must be a number'],
    ['event_time with a fraction', event({ event_time: 1.5 }), 'event_time', 'must be a whole number'],
    ['event_time before 1970', event({ event_time: -1 }), 'event_time', 'must be at least 0'],
    ['event_time before 2000', event({ event_time: 5 }), 'event_time', 'must not be before 2000-01-01'],
    ['event_time ahead', event({ event_time: NOW_MS / 1_000 + 601 }), 'event_time', FUTURE],
    ['merchant_id', event({ merchant_id: 'shop' }), 'merchant_id', 'must be a UUID'],
    ['source', event({ source: 'My Server' }), 'source', 'must be 1 to 40 of a-z, 0-9, _, . and -'],
    ['value as text', purchased({ value: '5' }), 'value', 'must be a number'],
    [
      'a negative value',
      purchased({ value: -1 }),
      'value',
      'must not be negative: a refund is an event named Refund, with a positive value',
    ],
    ['a huge value', purchased({ value: 1e16 }), 'value', 'must be at most 1000000000000000'],
    ['value without currency', event({ value: 1 }), 'currency', 'is required with value'],
    ['currency', event({ currency: 'dollars' }), 'currency', CURRENCY],
    ['order_id of another kind', event({ order_id: true }), 'order_id', 'must be text'],
    ['order_id with a fraction', event({ order_id: 1.5 }), 'order_id', NOT_EXACT],
    ['order_id beyond exact numbers', event({ order_id: 2 ** 53 }), 'order_id', NOT_EXACT],
    ['items', event({ items: {} }), 'items', 'must be a list'],
    ['too many items', event({ items: manyItems }), 'items', 'must hold at most 200 entries'],
    ['an item', event({ items: ['a'] }), 'items.0', 'must be an object'],
    ['an item without id', item({ id: undefined }), 'items.0.id', 'is required'],
    ['an item without quantity', item({ quantity: null }), 'items.0.quantity', 'must be a number'],
    ['an item of none', item({ quantity: 0 }), 'items.0.quantity', 'must be greater than 0'],
    ['an item price', item({ price: -1 }), 'items.0.price', 'must be at least 0'],
    ['action_source', event({ action_source: 'shop' }), 'action_source', oneOf(ACTION_SOURCES)],
    ['a consent word', consent({ analytics: 'yes' }), 'consent.analytics', oneOf(['granted', 'denied'])],
    ['a consent key', consent({ ad_userdata: 'denied' }), 'consent.ad_userdata', 'is not a known property'],
    ['consent', event({ consent: 'granted' }), 'consent', 'must be an object'],
    ['custom_data', event({ custom_data: [] }), 'custom_data', 'must be an object'],
    ['deep custom_data', event({ custom_data: deep }), 'custom_data', 'must not nest deeper than 5'],
    [
      'large custom_data',
      event({ custom_data: { a: long(16_400) } }),
      'custom_data',
      'must not be larger than 16384 bytes',
    ],
    ['email of another kind', user({ email: {} }), 'user_data.email', 'must be text'],
    ['a long phone', user({ phone: long(513) }), 'user_data.phone', 'must be at most 512 characters long'],
    ['external_ids', user({ external_ids: 'a' }), 'user_data.external_ids', 'must be a list'],
    ['one of external_ids', user({ external_ids: ['a', 0.5] }), 'user_data.external_ids.1', NOT_EXACT],
    [
      'too many external_ids',
      user({ external_ids: Array(21).fill('a') }),
      'user_data.external_ids',
      'must hold at most 20 entries',
    ],
    ['browser_ids', user({ browser_ids: [] }), 'user_data.browser_ids', 'must be an object'],
    ['a browser id', user({ browser_ids: { fbp: false } }), 'user_data.browser_ids.fbp', 'must be text'],
  ])('%s', (_name, value, path, message) => {
    expect(refused(value)).toEqual([[path, message]]);
  });

  it('is every field that is required where there is none', () => {
    const required = ['event_id', 'event_name', 'event_time', 'user_data'];
    expect(refused({})).toEqual(required.map((field) => [field, 'is required']));
  });

  it.each<[string, unknown, readonly string[]]>([
    ['the schema and the time', purchased({ event_time: 5, value: -1 }), ['value', 'event_time']],
    ['the time and custom_data', event({ event_time: 5, custom_data: deep }), ['event_time', 'custom_data']],
    [
      'all at once',
      event({ event_name: long(101), event_time: 2 ** 50, value: 1, items: 5, custom_data: deep }),
      ['event_name', 'items', 'currency', 'event_time', 'custom_data'],
    ],
    ['one field, once', event({ event_time: 5.5, custom_data: [[[[[[]]]]]] }), ['event_time', 'custom_data']],
    ['no currency beside a name', event({ event_name: 5.5, value: 1 }), ['event_name', 'currency']],
  ])('is every mistake: %s', (_name, value, paths) => {
    expect(refused(value).map(([path]) => path)).toEqual(paths);
  });

  it('is said in words, whatever comes in', () => {
    const jargon = /pattern|regex|\/\^|invalid|expected|received|NaN|too (?:big|small)|union|input/i;
    const keys = [
      ...['event_id', 'event_time', 'merchant_id', 'source', 'value', 'currency', 'items', 'consent'],
      ...['user_data', 'custom_data', 'action_source', 'order_id'],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 3 }), (key, value) => {
        for (const [path, message] of refused(event({ [key]: value }))) {
          expect(path).toMatch(new RegExp(`^(?:${key}|currency)(?:\\.|$)`));
          expect(message).not.toMatch(jargon);
          expect(message?.length).toBeLessThanOrEqual(200);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is said in bounds', () => {
    const entries = Array.from({ length: 5_000 }, (_, i) => [`${i}${long(5_000)}`, 1]);
    const details = refused(consent(Object.fromEntries(entries)));
    expect(details).toHaveLength(20);
    expect(JSON.stringify(details).length).toBeLessThan(3_000);
  });
});

describe('null', () => {
  it('is the same as nothing, for every optional field', () => {
    const optional = [
      ...['merchant_id', 'source', 'value', 'currency', 'order_id', 'items', 'event_source_url'],
      ...['referrer_url', 'action_source', 'consent', 'custom_data'],
    ];
    const nothing = Object.fromEntries(optional.map((field) => [field, null]));
    expect(accepted(event(nothing))).toEqual(accepted(event()));
    expect(Object.keys(accepted(event(nothing)))).toEqual(Object.keys(accepted(event())));
    const inside = event({
      user_data: { email: null, phone: null, external_ids: [null, 'a', null], browser_ids: { fbp: null } },
      consent: { analytics: null },
      items: [{ id: 'a', quantity: 1, price: null }],
    });
    expect(accepted(inside)).toEqual({
      ...event(),
      user_data: { external_ids: ['a'], browser_ids: {} },
      consent: {},
      items: [{ id: 'a', quantity: 1 }],
    });
    expect(accepted(user({ external_ids: null, browser_ids: null })).user_data).toEqual({});
  });

  it('stays what it is in custom_data', () => {
    expect(accepted(event({ custom_data: { a: null } })).custom_data).toEqual({ a: null });
  });
});

describe("consent by the names of Google's Consent Mode", () => {
  const consentOf = (stated: Fields) => accepted(consent(stated)).consent;

  it('is taken, all seven of them', () => {
    const ads = { ad_storage: 'granted', ad_user_data: 'denied', ad_personalization: 'denied' };
    const unused = {
      functionality_storage: 'granted',
      personalization_storage: 'denied',
      security_storage: 'granted',
    };
    const seven = { ...ads, analytics_storage: 'denied', ...unused };
    expect(consentOf(seven)).toEqual({ ...ads, analytics: 'denied' });
    expect(consentOf({ functionality_storage: 'denied' })).toEqual({});
    expect(refused(consent({ analytics_storage: 'no' }))[0]?.[0]).toBe('consent.analytics_storage');
    expect(refused(consent({ wait_for_update: 500 }))[0]?.[0]).toBe('consent.wait_for_update');
  });

  it.each([
    ['granted', 'denied', 'denied'],
    ['denied', 'granted', 'denied'],
    ['granted', 'granted', 'granted'],
    [null, 'granted', 'granted'],
    ['denied', null, 'denied'],
  ])('analytics %s and analytics_storage %s are %s: the stricter holds', (analytics, storage, both) => {
    expect(consentOf({ analytics, analytics_storage: storage })).toEqual({ analytics: both });
  });
});

describe('a whole number where text is meant', () => {
  it('is its exact text', () => {
    const numbers = { phone: 4_915_112_345_678, zip: 94_107, customer_id: Number.MAX_SAFE_INTEGER };
    const user_data = { ...numbers, external_ids: [1, 'b'] };
    const body = accepted(event({ order_id: 100_045, items: [{ id: 7, quantity: 1 }], user_data }));
    expect(body.order_id).toBe('100045');
    expect(body.items?.[0]?.id).toBe('7');
    const texts = { phone: '4915112345678', zip: '94107', customer_id: '9007199254740991' };
    expect(body.user_data).toEqual({ ...texts, external_ids: ['1', 'b'] });
  });

  it('leaves the value it came in as it was', () => {
    const value = event({ order_id: 5, value: null, items: [{ id: 7, quantity: 1 }], user_data: { zip: 1 } });
    const before = structuredClone(value);
    accepted(value);
    expect(value).toEqual(before);
  });
});

describe('properties that the schema does not know', () => {
  it('are named, wherever they are, once for a whole list', () => {
    const first = { id: 'a', quantity: 1, sku: 1 };
    const items = [first, { ...first, id: 'b', size: 3 }];
    const user_data = { nickname: 'x', browser_ids: { _ga: 'y' } };
    const body = accepted(event({ user_data, colour: 'red', items }));
    const ofUser = ['user_data.nickname', 'user_data.browser_ids._ga'];
    expect(body.unknown_properties).toEqual([...ofUser, 'colour', 'items.sku', 'items.size']);
    expect(accepted(event()).unknown_properties).toBeUndefined();
  });

  it('are named in bounds, and never where the name might be personal or is a trap', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, i]));
    expect(accepted(event(many)).unknown_properties).toHaveLength(UNKNOWN_NAMES_MAX + 1);
    const text = '{"jane@example.com":1,"":2,"a b":3,"__proto__":{"x":1},"constructor":4}';
    const odd = JSON.parse(text) as object;
    const { unknown_properties } = accepted({ ...event(), ...odd, ['x'.repeat(49)]: 1 });
    expect(unknown_properties).toEqual(['*', 'constructor']);
  });

  it('do not keep an event out, and their words are not the service’s own', () => {
    const body = accepted(event({ unknown_properties: ['mine'], internal: { bot: true } }));
    expect(body).not.toHaveProperty('internal');
    expect(body.unknown_properties).toEqual(['unknown_properties', 'internal']);
  });
});
