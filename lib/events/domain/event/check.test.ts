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
  it.each<[string, unknown, readonly (readonly [string, string])[]]>([
    ['no object', 5, [['', 'must be an object']]],
    ['a list', [event()], [['', 'must be an object']]],
    ['null', null, [['', 'must be an object']]],
    [
      'nothing in it',
      {},
      [
        ['event_id', 'is required'],
        ['event_name', 'is required'],
        ['event_time', 'is required'],
        ['user_data', 'is required'],
      ],
    ],
    ['null where something is required', event({ event_name: null }), [['event_name', 'must be text']]],
    ['no user_data', event({ user_data: null }), [['user_data', 'must be an object']]],
    ['an empty event_id', event({ event_id: '' }), [['event_id', 'must not be empty']]],
    [
      'a long event_id',
      event({ event_id: 'x'.repeat(201) }),
      [['event_id', 'must be at most 200 characters long']],
    ],
    [
      'a long event_name',
      event({ event_name: 'x'.repeat(101) }),
      [['event_name', 'must be at most 100 characters long']],
    ],
    [
      'a blank event_name',
      event({ event_name: ' ' }),
      [['event_name', 'must be text that is not blank, without control characters']],
    ],
    ['event_time as text', event({ event_time: '1' }), [['event_time', 'must be a number']]],
    ['event_time with a fraction', event({ event_time: 1.5 }), [['event_time', 'must be a whole number']]],
    ['event_time before 1970', event({ event_time: -1 }), [['event_time', 'must be at least 0']]],
    ['event_time before 2000', event({ event_time: 5 }), [['event_time', 'must not be before 2000-01-01']]],
    [
      'event_time ahead',
      event({ event_time: NOW_MS / 1_000 + 601 }),
      [['event_time', 'must not be more than 10 minutes in the future']],
    ],
    ['merchant_id', event({ merchant_id: 'shop' }), [['merchant_id', 'must be a UUID']]],
    ['source', event({ source: 'My Server' }), [['source', 'must be 1 to 40 of a-z, 0-9, _, . and -']]],
    ['value as text', event({ value: '5', currency: 'USD' }), [['value', 'must be a number']]],
    ['a negative value', event({ value: -1, currency: 'USD' }), [['value', 'must be at least 0']]],
    [
      'a huge value',
      event({ value: 1e16, currency: 'USD' }),
      [['value', 'must be at most 1000000000000000']],
    ],
    ['value without currency', event({ value: 1 }), [['currency', 'is required with value']]],
    [
      'currency',
      event({ currency: 'dollars' }),
      [['currency', 'must be the code of a currency, such as USD (ISO 4217)']],
    ],
    ['order_id of another kind', event({ order_id: true }), [['order_id', 'must be text']]],
    ['order_id with a fraction', event({ order_id: 1.5 }), [['order_id', NOT_EXACT]]],
    ['order_id beyond exact numbers', event({ order_id: 2 ** 53 }), [['order_id', NOT_EXACT]]],
    ['items', event({ items: {} }), [['items', 'must be a list']]],
    [
      'too many items',
      event({ items: Array(201).fill({ id: 'a', quantity: 1 }) }),
      [['items', 'must hold at most 200 entries']],
    ],
    ['an item', event({ items: ['a'] }), [['items.0', 'must be an object']]],
    ['an item without id', item({ id: undefined }), [['items.0.id', 'is required']]],
    ['an item without quantity', item({ quantity: null }), [['items.0.quantity', 'must be a number']]],
    ['an item of none', item({ quantity: 0 }), [['items.0.quantity', 'must be greater than 0']]],
    ['an item price', item({ price: -1 }), [['items.0.price', 'must be at least 0']]],
    [
      'action_source',
      event({ action_source: 'shop' }),
      [['action_source', `must be one of ${ACTION_SOURCES.join(', ')}`]],
    ],
    [
      'a consent word',
      event({ consent: { analytics: 'yes' } }),
      [['consent.analytics', 'must be one of granted, denied']],
    ],
    [
      'a consent key',
      event({ consent: { ad_userdata: 'denied' } }),
      [['consent.ad_userdata', 'is not a known property']],
    ],
    ['consent', event({ consent: 'granted' }), [['consent', 'must be an object']]],
    ['custom_data', event({ custom_data: [] }), [['custom_data', 'must be an object']]],
    [
      'deep custom_data',
      event({ custom_data: { a: { b: { c: { d: { e: {} } } } } } }),
      [['custom_data', 'must not nest deeper than 5']],
    ],
    [
      'large custom_data',
      event({ custom_data: { a: 'x'.repeat(16_400) } }),
      [['custom_data', 'must not be larger than 16384 bytes']],
    ],
    ['email of another kind', user({ email: {} }), [['user_data.email', 'must be text']]],
    [
      'a long phone',
      user({ phone: '1'.repeat(513) }),
      [['user_data.phone', 'must be at most 512 characters long']],
    ],
    ['external_ids', user({ external_ids: 'a' }), [['user_data.external_ids', 'must be a list']]],
    ['one of external_ids', user({ external_ids: ['a', 0.5] }), [['user_data.external_ids.1', NOT_EXACT]]],
    [
      'too many external_ids',
      user({ external_ids: Array(21).fill('a') }),
      [['user_data.external_ids', 'must hold at most 20 entries']],
    ],
    ['browser_ids', user({ browser_ids: [] }), [['user_data.browser_ids', 'must be an object']]],
    ['a browser id', user({ browser_ids: { fbp: false } }), [['user_data.browser_ids.fbp', 'must be text']]],
  ])('%s', (_name, value, details) => {
    expect(refused(value)).toEqual(details);
  });

  it('is said in words, whatever comes in', () => {
    const jargon = /pattern|regex|\/\^|invalid|expected|received|NaN|too (?:big|small)|union|input/i;
    const keys = [
      'event_id',
      'event_time',
      'merchant_id',
      'source',
      'value',
      'currency',
      'items',
      'consent',
      'user_data',
      'custom_data',
      'action_source',
      'order_id',
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
    const consent = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, i) => [`${i}${'x'.repeat(5_000)}`, 1]),
    );
    const details = refused(event({ consent }));
    expect(details).toHaveLength(20);
    expect(JSON.stringify(details).length).toBeLessThan(3_000);
  });
});

describe('null', () => {
  it('is the same as nothing, for every optional field', () => {
    const nothing = {
      merchant_id: null,
      source: null,
      value: null,
      currency: null,
      order_id: null,
      items: null,
      event_source_url: null,
      referrer_url: null,
      action_source: null,
      consent: null,
      custom_data: null,
    };
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
  const consentOf = (consent: Record<string, unknown>) => accepted(event({ consent })).consent;

  it('is taken, all seven of them', () => {
    const seven = {
      ad_storage: 'granted',
      ad_user_data: 'denied',
      ad_personalization: 'denied',
      analytics_storage: 'denied',
      functionality_storage: 'granted',
      personalization_storage: 'denied',
      security_storage: 'granted',
    };
    expect(consentOf(seven)).toEqual({
      ad_storage: 'granted',
      ad_user_data: 'denied',
      ad_personalization: 'denied',
      analytics: 'denied',
    });
    expect(consentOf({ functionality_storage: 'denied' })).toEqual({});
    expect(refused(event({ consent: { analytics_storage: 'no' } }))[0]?.[0]).toBe(
      'consent.analytics_storage',
    );
    expect(refused(event({ consent: { wait_for_update: 500 } }))[0]?.[0]).toBe('consent.wait_for_update');
  });

  it.each([
    ['granted', 'denied', 'denied'],
    ['denied', 'granted', 'denied'],
    ['granted', 'granted', 'granted'],
    [null, 'granted', 'granted'],
    ['denied', null, 'denied'],
  ])(
    'analytics %s and analytics_storage %s are %s: the stricter holds',
    (analytics, analytics_storage, both) => {
      expect(consentOf({ analytics, analytics_storage })).toEqual({ analytics: both });
    },
  );
});

describe('a whole number where text is meant', () => {
  it('is its exact text', () => {
    const body = accepted(
      event({
        order_id: 100_045,
        items: [{ id: 7, quantity: 1 }],
        user_data: {
          phone: 4_915_112_345_678,
          zip: 94_107,
          customer_id: Number.MAX_SAFE_INTEGER,
          external_ids: [1, 'b'],
        },
      }),
    );
    expect(body.order_id).toBe('100045');
    expect(body.items?.[0]?.id).toBe('7');
    expect(body.user_data).toEqual({
      phone: '4915112345678',
      zip: '94107',
      customer_id: '9007199254740991',
      external_ids: ['1', 'b'],
    });
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
    const body = accepted({
      ...event({
        colour: 'red',
        items: [
          { id: 'a', quantity: 1, sku: 1 },
          { id: 'b', quantity: 1, sku: 2, size: 3 },
        ],
      }),
      user_data: { nickname: 'x', browser_ids: { _ga: 'y' } },
    });
    expect(body.unknown_properties).toEqual([
      'user_data.nickname',
      'user_data.browser_ids._ga',
      'colour',
      'items.sku',
      'items.size',
    ]);
    expect(accepted(event()).unknown_properties).toBeUndefined();
  });

  it('are named in bounds, and never where the name might be personal or is a trap', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, i]));
    expect(accepted(event(many)).unknown_properties).toHaveLength(UNKNOWN_NAMES_MAX + 1);
    const odd = JSON.parse(
      '{"jane@example.com":1,"":2,"a b":3,"__proto__":{"x":1},"constructor":4}',
    ) as object;
    expect(accepted({ ...event(), ...odd, ['x'.repeat(49)]: 1 }).unknown_properties).toEqual([
      '*',
      'constructor',
    ]);
  });

  it('do not keep an event out, and their words are not the service’s own', () => {
    const body = accepted(event({ unknown_properties: ['mine'], internal: { bot: true } }));
    expect(body).not.toHaveProperty('internal');
    expect(body.unknown_properties).toEqual(['unknown_properties', 'internal']);
  });
});
