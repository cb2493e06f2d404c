import { describe, expect, it } from 'vitest';
import { examples } from '#test/platforms/snapchat/examples.ts';
import { answersOf, invalid } from '#test/support/platform-answers.ts';
import { SAMPLE_RAW, sampleEvent, strangersPageView } from '#test/support/sample-event.ts';
import type { OutgoingEvent } from '../../domain/privacy/outgoing-event.ts';
import snapchat from './index.ts';

const given = {
  pixel_id: '5bf81ee1-15b1-4dc1-b636-d7dae49b950e',
  access_token: 'snap-sandbox-token',
};
const credentials = snapchat.credentials.parse(given);
const request = (event: OutgoingEvent, more: object = {}) =>
  snapchat.buildRequest([event], { ...credentials, ...more }, { test: false });
const build = (event: OutgoingEvent, more: object = {}) => JSON.parse(request(event, more).body).data[0];

describe('the event', () => {
  it('says the brands and categories of its items as text, each once, unless it names them itself', () => {
    const item = { quantity: '1', brand: 'Acme' };
    const items = [
      { ...item, id: 'a', category: 'Shirts' },
      { ...item, id: 'b', category: 'Shoes' },
    ];
    expect(build(sampleEvent({ items })).custom_data).toMatchObject({
      brands: 'Acme',
      content_category: 'Shirts,Shoes',
    });
    const customData = { brands: 'House', content_category: 'All' };
    expect(build(sampleEvent({ items, customData })).custom_data).toMatchObject(customData);
    expect(build(sampleEvent()).custom_data).not.toHaveProperty('brands');
  });

  it('passes properties Snap documents, of the documented type, and nothing else', () => {
    const texts = { search_string: 'shoes', brands: ['a', 'b'], content_category: 'x' };
    const documented = { ...texts, predicted_ltv: 12.5, num_adults: 2 };
    const ofAnotherType = { hotel_score: 5, num_children: 1.5, suggested_hotels: ['h', 1] };
    const ours = { value: 'free', contents: 'none' };
    const unknown = { customer_note: 'call me', constructor: 'x', toString: 'y' };
    const customData = { ...documented, ...ofAnotherType, ...ours, ...unknown };
    expect(build(strangersPageView({ customData })).custom_data).toEqual({ ...documented, brands: 'a,b' });
  });

  it('carries Snap’s own ids as they are', () => {
    const ofBrowser = { sc_click_id: 'Click', sc_cookie1: 'Cookie' };
    const ids = { madid: 'aa-bb', subscriptionId: 's-1', leadId: 'l-1' };
    const raw = { ...SAMPLE_RAW, ...ids, browserIds: { ...ofBrowser, fbp: 'fb.1.1.1' } };
    const user = build(sampleEvent({ raw })).user_data;
    const sent = { madid: 'aa-bb', subscription_id: 's-1', lead_id: 'l-1' };
    expect(user).toMatchObject({ ...sent, ...ofBrowser });
    expect(user).not.toHaveProperty('fbp');
  });

  it.each([
    ['website', 'WEB'],
    ['email', 'OFFLINE'],
    ['chat', 'OFFLINE'],
    ['business_messaging', 'OFFLINE'],
    ['system_generated', 'OFFLINE'],
    ['other', 'OFFLINE'],
    ['phone_call', 'OFFLINE'],
    ['physical_store', 'OFFLINE'],
  ] as const)('of %s comes from %s', (actionSource, expected) => {
    expect(build(sampleEvent({ actionSource })).action_source).toBe(expected);
  });

  it('goes under the name the connection chose', () => {
    expect(build(strangersPageView({ name: 'Lead' })).event_name).toBe('CUSTOM_EVENT_1');
    const chosen = { event_names: { Lead: 'SIGN_UP', Custom: 'SAVE' } };
    expect(build(strangersPageView({ name: 'Lead' }), chosen).event_name).toBe('SIGN_UP');
    expect(build(strangersPageView({ name: 'Custom', customName: 'Spin' }), chosen).event_name).toBe('SAVE');
    expect(build(strangersPageView(), chosen).event_name).toBe('PAGE_VIEW');
  });
});

describe('the credentials', () => {
  it('know Snap’s names only, and leave refunds out', () => {
    const takes = (event_names: unknown) => snapchat.credentials.safeParse({ ...given, event_names }).success;
    expect(takes({ Lead: 'SIGN_UP' })).toBe(true);
    expect(takes({ Lead: 'NEWSLETTER' })).toBe(false);
    expect(takes({ Nothing: 'SIGN_UP' })).toBe(false);
    expect(takes({ Refund: 'PURCHASE' })).toBe(false);
    expect(snapchat.credentials.safeParse({ ...given, pixel_id: '123' }).success).toBe(false);
  });
});

describe('what is not sent', () => {
  const { value: _value, ...unpriced } = sampleEvent();
  it('app events, purchases without amount, and events of nobody', () => {
    expect(snapchat.unsendable(sampleEvent({ actionSource: 'app' }), credentials)).toEqual(
      invalid('action_source'),
    );
    expect(snapchat.unsendable(unpriced)).toEqual(invalid('value'));
    expect(snapchat.unsendable({ ...unpriced, name: 'Lead' })).toBeNull();
    const nobody = sampleEvent({ hashed: {}, raw: { clientIp: '203.0.113.7' } });
    expect(snapchat.unsendable(nobody)?.detail).toBe('user_data');
    expect(snapchat.unsendable(sampleEvent({ hashed: {}, raw: { madid: 'x' } }))).toBeNull();
  });

  it('is not what lacks a page: Snap asks for it for the quality of matches', () => {
    const { eventSourceUrl: _url, ...pageless } = sampleEvent();
    for (const event of [pageless, { ...pageless, eventSourceUrl: '/thanks' }]) {
      expect(snapchat.unsendable(event)).toBeNull();
      expect(build(event)).not.toHaveProperty('event_source_url');
    }
    expect(snapchat.unsendable({ ...pageless, actionSource: 'system_generated' })).toBeNull();
  });

  it('what the connection itself calls a purchase, without amount', () => {
    const donation = { ...unpriced, name: 'Donate' as const };
    expect(snapchat.unsendable(donation)).toBeNull();
    const named = { ...credentials, event_names: { Donate: 'PURCHASE' as const } };
    expect(snapchat.unsendable(donation, named)).toEqual(invalid('value'));
  });
});

/** https://github.com/Snapchat/business-sdk-v3-java (api/openapi.yaml): CapiEvent, UserData, AppData, CustomData, Content. */
const TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CapiEvent: {
    event_name: 'string',
    event_time: 'integer',
    action_source: 'string',
    event_id: 'string',
    event_source_url: 'string',
    data_processing_options: 'strings',
    user_data: 'UserData',
    app_data: 'AppData',
    custom_data: 'CustomData',
  },
  // The SDK has the permission as true and false, Snap's page as 1.
  AppData: { app_id: 'string', advertiser_tracking_enabled: 'number', extinfo: 'strings' },
  UserData: {
    ...Object.fromEntries(
      ['em', 'ph', 'fn', 'ln', 'ge', 'ct', 'st', 'zp', 'country'].map((key) => [key, 'strings']),
    ),
    client_ip_address: 'string',
    client_user_agent: 'string',
    sc_click_id: 'string',
    sc_cookie1: 'string',
    idfv: 'string',
    // On the Parameters page only.
    db: 'strings',
    external_id: 'strings',
    madid: 'string',
    lead_id: 'string',
    subscription_id: 'string',
  },
  CustomData: {
    currency: 'string',
    value: 'number',
    content_ids: 'strings',
    contents: 'Contents',
    num_items: 'integer',
    order_id: 'string',
  },
  Content: { id: 'string', quantity: 'string', item_price: 'string' },
};

function offences(value: unknown, type: string, path: string): readonly string[] {
  const strings = Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (type === 'strings') return strings ? [] : [path];
  if (type === 'integer') return Number.isInteger(value) ? [] : [path];
  if (type === 'Contents')
    return (value as readonly unknown[]).flatMap((item, i) => offences(item, 'Content', `${path}[${i}]`));
  const properties = TYPES[type];
  if (properties === undefined) return typeof value === type ? [] : [path];
  return Object.entries(value as object).flatMap(([key, part]) =>
    properties[key] === undefined ? [`${path}.${key}`] : offences(part, properties[key], `${path}.${key}`),
  );
}

describe('the types of Snap’s own SDK', () => {
  const browserIds = { sc_click_id: 'c', sc_cookie1: 'd' };
  const raw = { ...SAMPLE_RAW, madid: 'a', leadId: 'l', subscriptionId: 's', browserIds };
  const everything = sampleEvent({ raw, consent: { ad_personalization: 'denied' } });
  it.each([everything, ...examples.flatMap(({ events }) => events)])('fit event %#', (event) => {
    const snap_app_id = '0192f7a0-0000-4000-8000-00000000a44a';
    expect(offences(build(event, { snap_app_id }), 'CapiEvent', '$')).toEqual([]);
  });
  it('would notice a value as text', () => {
    const wrong = offences({ custom_data: { value: '1' }, note: 'x' }, 'CapiEvent', '$');
    expect(wrong).toEqual(['$.custom_data.value', '$.note']);
  });
});

describe('the answer', () => {
  const { read } = answersOf(snapchat, [sampleEvent()]);

  it.each([
    [200, { status: 'VALID', reason: 'ok' }, 'delivered'],
    [200, { status: 'VALID', errors: { error_msgs: ['one was bad'] } }, 'permanent'],
    [200, { status: 'INVALID', reason: 'bad' }, 'permanent'],
    [200, { status: 'SOMETHING' }, 'retry'],
    [200, { reason: 'ok' }, 'retry'],
    [400, { status: 'INVALID' }, 'permanent'],
    [400, { status: 'VALID' }, 'permanent'],
    [403, { status: 'INVALID' }, 'auth'],
    [404, { status: 'INVALID', reason: 'no such pixel' }, 'auth'],
    [404, {}, 'retry'],
  ])('%i with %j means %s', (status, body, kind) => {
    expect(read(status, body)[0]?.kind).toBe(kind);
  });

  it('keeps Snap’s words and codes', () => {
    const errors = { codes: ['E42'], error_msgs: ['event_time is wrong', 'em is not hashed'] };
    const message = 'event_time is wrong; em is not hashed';
    const refused = { kind: 'permanent', code: 'snapchat.E42', message };
    expect(read(400, { status: 'INVALID', errors })).toEqual([refused]);
    const event_logs = [{ event: 0, status: 'INVALID', errors: { error_msgs: ['em is not hashed'] } }];
    const [tested] = read(200, { status: 'INVALID', test_event: true, event_logs });
    expect(tested?.message).toBe('em is not hashed');
    expect(read(400, { errors: { codes: ['not a code!'] } })[0]?.code).toBe('http_400');
  });

  it('does not say who was kept of several: they go again, and Snap drops the copies', () => {
    const sent = [sampleEvent(), sampleEvent(), sampleEvent()];
    const [first] = read(200, { status: 'INVALID', reason: 'bad', event: 1 }, sent);
    expect(first).toEqual({
      kind: 'batch_refused',
      code: 'snapchat.invalid',
      message: 'bad',
      maybeDelivered: true,
    });
  });
});
