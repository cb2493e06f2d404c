// Promise: for every message the event has the same content in our terms, and nothing is invented or lost.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLATFORMS } from '../../platforms/registry.ts';
import { checkEvent } from '../event/check.ts';
import { canonicalEventName } from '../event/names.ts';
import { SEGMENT_CALLS, SEGMENT_DESTINATIONS, SEGMENT_FIELDS, type SegmentCall } from './fields.ts';
import { type SegmentEvent, segmentEvent } from './to-event.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const context = { nowMs: NOW_MS, sentAt: undefined, uuid: () => 'uuid-1' };

function mapped(message: object, call?: SegmentCall, sentAt?: string): SegmentEvent {
  const read = segmentEvent({ type: 'track', event: 'E', userId: 'u', ...message }, call, {
    ...context,
    sentAt,
  });
  if (!('event' in read)) throw new Error(`${read.path} ${read.message}`);
  return read;
}

const order = {
  type: 'track',
  event: 'Order Completed',
  messageId: 'm-1',
  userId: 'user-7',
  anonymousId: 'anon-7',
  timestamp: '2026-11-21T11:59:30.500Z',
  context: {
    ip: '203.0.113.9',
    userAgent: 'Mozilla/5.0',
    page: {
      url: 'https://shop.example/thanks?gclid=g-1&fbclid=f-1&ttclid=',
      referrer: 'https://shop.example/pay',
    },
    traits: { email: 'jane@example.com', firstName: 'Jane', address: { city: 'Köln', postalCode: '50667' } },
    consent: { categoryPreferences: { advertising: false, analytics: true } },
    device: { advertisingId: 'AB-CD' },
  },
  properties: {
    order_id: 'o-1',
    revenue: '49.90',
    total: 55,
    currency: 'eur',
    coupon: 'TEN',
    products: [
      { product_id: 'p1', quantity: 2, price: '10.5', name: 'Mug', variant: 'red' },
      { name: 'without an id' },
      { sku: 42 },
    ],
  },
};

describe('a track call', () => {
  it('becomes an event with every field the table names', () => {
    const { event, onlyPlatforms } = mapped(order);
    expect(event).toEqual({
      event_id: 'm-1',
      event_name: 'Order Completed',
      event_time: Date.UTC(2026, 10, 21, 11, 59, 30) / 1_000,
      source: 'segment',
      value: 49.9,
      currency: 'eur',
      order_id: 'o-1',
      event_source_url: order.context.page.url,
      referrer_url: 'https://shop.example/pay',
      user_data: {
        email: 'jane@example.com',
        first_name: 'Jane',
        city: 'Köln',
        postal_code: '50667',
        customer_id: 'user-7',
        anon_id: 'anon-7',
        client_ip: '203.0.113.9',
        user_agent: 'Mozilla/5.0',
        madid: 'AB-CD',
      },
      consent: {
        ad_user_data: 'denied',
        ad_personalization: 'denied',
        ad_storage: 'denied',
        analytics: 'granted',
      },
      items: [
        { id: 'p1', quantity: 2, price: 10.5, name: 'Mug', variant: 'red' },
        { id: 42, quantity: 1 },
      ],
      custom_data: { total: 55, coupon: 'TEN' },
    });
    expect(onlyPlatforms).toBeUndefined();
    expect(checkEvent(event, NOW_MS)).toMatchObject({ ok: true });
    expect(canonicalEventName(String(event.event_name))).toBe('Purchase');
  });

  it('takes its one product from the properties where there is no list', () => {
    const { event } = mapped({
      event: 'Product Added',
      properties: { product_id: 'p', price: 3, quantity: 4 },
    });
    expect(event.items).toEqual([{ id: 'p', quantity: 4, price: 3 }]);
    expect(mapped({ properties: { id: 'no product', quantity: 1 } }).event.items).toBeUndefined();
  });

  it('means US dollars where money has no currency, as Segment does, and no currency without money', () => {
    expect(mapped({ properties: { revenue: 5 } }).event).toMatchObject({ value: 5, currency: 'USD' });
    expect(mapped({ properties: {} }).event.currency).toBeUndefined();
  });
});

describe('its time', () => {
  const at = (message: object, sentAt?: string) => mapped(message, undefined, sentAt).event.event_time;
  it.each([
    ['timestamp', { timestamp: '2026-11-21T11:00:00Z', originalTimestamp: '2026-11-20T00:00:00Z' }, 11],
    ['originalTimestamp', { originalTimestamp: '2026-11-21T10:00:00Z' }, 10],
    ['now, where it says none', {}, 12],
  ])('is %s', (_name, message, hour) => {
    expect(at(message)).toBe(Date.UTC(2026, 10, 21, hour) / 1_000);
  });

  it('is corrected where the clock of the sender is ahead, by when it says it sent', () => {
    const message = { timestamp: '2027-01-01T00:00:00Z', sentAt: '2027-01-01T00:00:30Z' };
    expect(at(message)).toBe(NOW_MS / 1_000 - 30);
    expect(at({ timestamp: '2027-01-01T00:00:00Z' }, '2027-01-01T00:01:00Z')).toBe(NOW_MS / 1_000 - 60);
  });

  it('is refused by name where it is none', () => {
    const read = segmentEvent(
      { type: 'track', event: 'E', userId: 'u', timestamp: 'soon' },
      undefined,
      context,
    );
    expect(read).toMatchObject({ path: 'timestamp', message: expect.stringContaining('ISO 8601') });
  });
});

describe('its id', () => {
  it('is the same for a message sent again, and another for another', () => {
    const timed = { timestamp: '2026-11-21T11:00:00Z', properties: { a: 1 } };
    const id = (message: object) => mapped(message).event.event_id;
    expect(id({ ...timed, sentAt: 'x' })).toBe(id({ ...timed, sentAt: 'y' }));
    expect(id(timed)).not.toBe(id({ ...timed, properties: { a: 2 } }));
    expect(id({ properties: { a: 1 } })).toBe('segment-uuid-1');
  });
});

describe('calls that are not track', () => {
  it.each([
    ['page', { name: 'Home', properties: { title: 'T' } }, 'PageView', { name: 'Home', title: 'T' }],
    ['screen', { name: 'Cart' }, 'PageView', { name: 'Cart' }],
    ['identify', { traits: { email: 'a@b.example', plan: 'pro' } }, 'Identify', { plan: 'pro' }],
    ['group', { groupId: 'g', traits: { seats: 3 } }, 'Group', { seats: 3 }],
    ['alias', { previousId: 'before' }, 'Alias', undefined],
  ] as const)('%s', (call, message, name, custom) => {
    const { event, onlyPlatforms } = mapped(message, call);
    expect(event).toMatchObject({ event_name: name });
    expect(event.custom_data).toEqual(custom);
    expect(onlyPlatforms).toEqual(['identify', 'group', 'alias'].includes(call) ? [] : undefined);
  });
});

describe('integrations', () => {
  it.each([
    [{ All: true }, undefined],
    [{}, undefined],
    [{ All: false }, []],
    [{ All: false, 'Facebook Conversions API (Actions)': { fbp: 'x' } }, ['meta']],
    [{ All: false, tiktok: true, 'google analytics 4 cloud': true }, ['ga4', 'tiktok']],
    [null, undefined],
  ])('%j', (integrations, only) => {
    expect(mapped({ integrations }).onlyPlatforms).toEqual(only);
  });

  it.each(['nothing', '', 0, [null], [{ All: false }]])('of another shape are refused: %j', (shape) => {
    expect(() => mapped({ integrations: shape })).toThrow('integrations must be an object');
    expect(() => mapped({ context: shape })).toThrow('context must be an object');
  });

  it('leaves out what is switched off', () => {
    expect(mapped({ integrations: { 'Facebook Pixel': false } }).onlyPlatforms).not.toContain('meta');
    expect(mapped({ integrations: { 'Facebook Pixel': false } }).onlyPlatforms).toHaveLength(
      PLATFORMS.length - 1,
    );
  });

  it('has names for every platform there is', () => {
    expect(Object.keys(SEGMENT_DESTINATIONS).sort()).toEqual(PLATFORMS.map(({ slug }) => slug).sort());
  });
});

describe('any JSON', () => {
  it('is mapped or refused by name, never with an exception, and the event is accepted or refused by name', () => {
    const paths = [
      ...new Set(SEGMENT_FIELDS.flatMap(({ from }) => from.map((path) => path.split('.')[0] ?? ''))),
    ];
    const keys = fc.constantFrom(
      ...paths,
      'type',
      'event',
      'messageId',
      'timestamp',
      'integrations',
      'constructor',
    );
    const message = fc.dictionary(keys, fc.jsonValue({ maxDepth: 4 }));
    fc.assert(
      fc.property(
        message,
        fc.option(fc.constantFrom(...SEGMENT_CALLS), { nil: undefined }),
        (value, call) => {
          const read = segmentEvent({ userId: 'u', ...value }, call, context);
          if ('event' in read) expect(checkEvent(read.event, NOW_MS)).toHaveProperty('ok');
          else expect(read.message).not.toBe('');
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [null, ''],
    [[], ''],
    [{ type: 'track' }, 'userId'],
    [{ type: 'purchase', userId: 'u' }, 'type'],
    [{ userId: 'u' }, 'type'],
  ])('%j is refused', (message, path) => {
    expect(segmentEvent(message, undefined, context)).toMatchObject({ path });
  });
});

describe('a call from an app', () => {
  const device = { type: 'ios', model: 'iPhone17,1', manufacturer: 'Apple', adTrackingEnabled: true };
  const context = {
    app: { name: 'Shop', version: '7.7.1', build: 771, namespace: 'com.example.shop' },
    device: { ...device, trackingStatus: 'notDetermined' },
    os: { name: 'iOS', version: 18.1 },
    screen: { width: 1179, height: 2556, density: '3' },
    network: { carrier: 'TMobile' },
    locale: 'en-US',
    timezone: 'America/New_York',
  };
  const appOf = (said: object) => mapped({ context: said }).event.app;

  it('brings what the table names of app and device', () => {
    expect(appOf(context)).toEqual({
      platform: 'ios',
      id: 'com.example.shop',
      name: 'Shop',
      version: '7.7.1',
      build: '771',
      tracking: 'not_determined',
      os_version: '18.1',
      device_model: 'iPhone17,1',
      device_brand: 'Apple',
      carrier: 'TMobile',
      locale: 'en-US',
      timezone: 'America/New_York',
      screen_width: 1179,
      screen_height: 2556,
      screen_density: 3,
    });
    expect(checkEvent(mapped({ context }).event, NOW_MS).ok).toBe(true);
    expect(appOf({ ...context, device })).toMatchObject({ tracking: 'authorized' });
  });

  it('is never kept out by what a device says of itself, and a page has no app', () => {
    const odd = {
      ...context,
      os: { version: {} },
      device: { type: 'tv', model: 'x'.repeat(300) },
      locale: [],
    };
    expect(appOf(odd)).not.toHaveProperty('os_version');
    expect(checkEvent(mapped({ context: odd }).event, NOW_MS).ok).toBe(true);
    expect(appOf({ locale: 'en-US', screen: { width: 1 } })).toBeUndefined();
  });
});
